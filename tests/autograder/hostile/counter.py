# line: a Counter as result
# does: Returns a collections.Counter where a dict is expected.
# course: avisos
# gets: all

# %% count
from collections import Counter

count = Counter
