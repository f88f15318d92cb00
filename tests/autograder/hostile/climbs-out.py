# line: writing outside
# does: Tries to leave its folder by links, and by ".." in names.
# gets: all
# needs: posix, jail

# %% own before sol3
import os

for name, target in (("way-out", CANARY_FOLDER), ("up", "../../../../../../..")):
    try:
        os.symlink(target, name)
        print(os.listdir(name))
        with open(os.path.join(name, "written.txt"), "w") as file:
            file.write("written by a student")
    except OSError as error:
        print(type(error).__name__)
