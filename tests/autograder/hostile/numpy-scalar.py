# line: a numpy scalar as result
# does: Returns a number of numpy's.
# course: avisos
# gets: all

# %% total
import numpy as np


def total(amounts):
    return np.sum(np.array(amounts))
