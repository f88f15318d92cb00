# line: %%bash
# does: Magics of IPython around right answers.
# gets: all

# %% own before sol1
%config InlineBackend.figure_format = "retina"

# %% own before sol3
%%capture kept
print("kept")

# %% own
%time sum(range(10))
files = !ls
