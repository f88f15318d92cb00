# line: reading other submissions
# does: Looks for what others handed in.
# gets: all

# %% own before sol3
import glob
import os

for pattern in ("submitted/**", "autograded/**", "feedback/**", ".autograder/**"):
    for path in glob.glob(os.path.join(COURSE_FOLDER, pattern), recursive=True):
        try:
            print(path, open(path, encoding="utf-8").read())
        except (OSError, ValueError) as error:
            print(type(error).__name__)
