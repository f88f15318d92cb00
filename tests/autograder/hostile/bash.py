# line: %%bash
# does: A cell in another language.
# gets: all
# needs: posix

# %% own before sol3
%%bash
echo "hola desde bash"
ls -la
