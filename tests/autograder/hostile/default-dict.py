# line: a Counter as result
# does: Returns a defaultdict with a lambda in it where a dict is expected.
# course: avisos
# gets: all

# %% count
def count(customers):
    from collections import defaultdict

    found = defaultdict(lambda: 0)
    for customer in customers:
        found[customer] += 1
    return found
