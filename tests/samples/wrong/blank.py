# points: 0
# loses: all
# rest: blank
# why: Nothing was written: the notebook as it was handed out.
