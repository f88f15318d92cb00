# line: deleting outside
# does: Tries to delete the teacher's files.
# gets: all
# needs: jail

# %% own before sol3
import shutil

for folder in (CANARY_FOLDER, COURSE_FOLDER):
    shutil.rmtree(folder, ignore_errors=True)
