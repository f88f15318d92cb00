# line: deep recursion
# does: JSON nested two hundred thousand levels deep.
# refused: too-deep
# make: nested
