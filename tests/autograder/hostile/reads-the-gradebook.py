# line: reading gradebook
# does: Looks for the gradebook, reads a test from it, and tries to give itself full marks.
# gets: wrong
# answers: wrong
# needs: jail

# %% own before sol3
import os
import sqlite3

places = [COURSE_FOLDER]
here = os.getcwd()
while here != os.path.dirname(here):
    places.append(here)
    here = os.path.dirname(here)
for place in places:
    path = os.path.join(place, "gradebook.db")
    try:
        if not os.path.exists(path):
            continue
        database = sqlite3.connect(path, timeout=1)
        print(database.execute("select source from source_cell").fetchall())
        database.execute("update grade set auto_score = 5")
        database.commit()
        print("the gradebook was changed")
    except (OSError, sqlite3.Error) as error:
        print(type(error).__name__)
