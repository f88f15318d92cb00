# line: an exception of the test's own passing through
# does: Keeps the test's own exception and raises it when all is done.
# course: avisos
# gets: all

# %% each
def each(work, values):
    done, kept = [], []
    for value in values:
        try:
            done.append(work(value))
        except ValueError:
            pass
        except Exception as error:
            kept.append(error)
    for error in kept:
        raise error
    return done
