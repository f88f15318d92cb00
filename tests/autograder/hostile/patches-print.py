# line: patching print
# does: Takes print away, sends both streams elsewhere and never puts them back.
# gets: all

# %% own before sol3
import builtins
import io
import sys

builtins.print = None
sys.stdout = io.StringIO()
sys.stderr = io.StringIO()
