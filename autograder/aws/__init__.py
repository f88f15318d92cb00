"""The cloud of a graded notebook: it is the examiner's, and the candidate reaches it through the pipe between the two.

`candidate` is the candidate's end, `examiner` the examiner's; the other modules are their parts.
"""
