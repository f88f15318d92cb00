# line: truncated
# does: Cells that are null, numbers and texts, sources and metadata of no known form.
# gets: all
# notes: unreadable-cells, cell-ids
# make: odd_cells
