# line: writing outside
# does: Tries to write outside its folder: over what is there, and new files.
# gets: all
# needs: jail

# %% own before sol3
import os

for folder in (CANARY_FOLDER, COURSE_FOLDER):
    for name in ("written.txt", "canary.txt", "gradebook.db"):
        try:
            with open(os.path.join(folder, name), "a") as file:
                file.write("written by a student")
        except OSError as error:
            print(type(error).__name__)
for folder in (os.path.expanduser("~"), "/etc", "/var/tmp", os.path.dirname(os.getcwd())):
    path = os.path.join(folder, "written-by-a-student.txt")
    try:
        with open(path, "x") as file:
            file.write("written by a student")
        print("could write", path)
        os.remove(path)
    except OSError as error:
        print(type(error).__name__)
