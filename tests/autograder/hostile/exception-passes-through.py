# line: an exception of the test's own passing through
# does: Catches the test's own exception, notes it, and raises it again.
# course: avisos
# gets: all

# %% each
def each(work, values):
    done, failed = [], None
    try:
        for value in values:
            try:
                done.append(work(value))
            except ValueError as error:
                failed = error
            except Exception as error:
                failed = error
                raise
            finally:
                print(type(failed).__name__)
    except KeyError:
        return []
    return done
