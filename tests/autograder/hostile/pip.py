# line: !pip
# does: Installs a package.
# gets: all
# settings: cell_seconds=4 grace_seconds=1

# %% own before sol3
!pip install --upgrade requests

# %% own
%pip install requests
