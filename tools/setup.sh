#!/usr/bin/env bash
# Makes .venv with what requirements.lock pins, and the course itself in it. `make setup` calls it with the file to touch at the end.
# Touches .venv and the compiled message catalogues; on Debian, as root, it also installs python3.11-venv where that is missing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# What a student reads too: in English, Spanish and Japanese, a line each.
say() { printf '%s\n' "$@"; }

is_python_311() { "$1" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' 2>/dev/null; }

# pip, in a few short lines; all that it says goes to a file, for the day it fails.
log=.venv/install.log
install() {
  .venv/bin/python -m pip install --no-input --disable-pip-version-check --root-user-action=ignore --progress-bar=off "$@" 2>&1 |
    tee -a "$log" | while IFS= read -r line; do
      case $line in
        Collecting\ *==*) line=${line#Collecting }; printf '  %s\n' "${line%% *}" ;;
        Installing\ collected\ *) echo "  unpacking" ;;
        ERROR:* | error:*) printf '%s\n' "$line" >&2 ;;
      esac
    done || {
      say "The installation did not end. All that pip said is in $log; 'make setup' tries again." \
        "La instalación no terminó. Todo lo que dijo pip está en $log; «make setup» lo intenta de nuevo." \
        "インストールが終わりませんでした。pipの出力は${log}にあります。make setupで、もう一度試せます。" >&2
      exit 1
    }
}

python=
for candidate in python3.11 python3 python; do
  if is_python_311 "$candidate"; then python=$candidate; break; fi
done
if [ -z "$python" ]; then
  say "The course needs Python 3.11, and none was found. Install it, so that 'python3.11' starts it, and run make again." \
    "El curso necesita Python 3.11, y aquí no está. Instálalo, de modo que se abra con «python3.11», y repite make." \
    "この講座にはPython 3.11が必要ですが、見つかりません。python3.11で動くようにインストールして、もう一度makeを実行してください。" >&2
  exit 1
fi

say "Installing the course. The first time this takes some minutes." \
  "Se instala el curso. La primera vez tarda unos minutos." \
  "講座をインストールします。はじめての回は、数分かかります。"
if ! is_python_311 .venv/bin/python || ! .venv/bin/python -m pip --version >/dev/null 2>&1; then
  "$python" -c 'import ensurepip' 2>/dev/null || "$python" tools/debian.py python3.11-venv
  echo "  .venv"
  "$python" -m venv --clear .venv
fi

: >"$log"
install --require-hashes -r requirements.lock
install --no-deps --no-build-isolation --editable .
touch "$1"
say "Everything is installed." "Todo está instalado." "インストールが終わりました。"
