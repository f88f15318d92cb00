"""Keeps the Spanish and the Japanese edition of every notebook in step.

Run from the root of the repository; MODULE is `01` or `01-upload-to-table`:

    python -m tools.parity check [MODULE ...]             name every cell where the editions drifted apart
    python -m tools.parity agree MODULE [CELL ...]        record that both texts of these cells have been looked at
    python -m tools.parity sync MODULE --from es          carry the code from one edition to the other, by cell id

The rules stand in `structure.py` (cells and metadata), `syntax.py` (code), `markdown.py` and `lock.py` (texts of
which one side changed). `names.py` has the declared name pairs; `texts.py` says which words of a code cell belong to
the translator. `sync.py` carries a notebook, `carry.py` one cell.
"""
