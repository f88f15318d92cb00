# line: work handed on to a helper
# does: Keeps the functions that a test has handed over, and calls them from a thread while later tests run.
# course: avisos
# gets: all

# %% each
import threading

kept = []


def call_all():
    for n in range(2000):
        for work in list(kept):
            try:
                work(n)
            except Exception:
                pass


def each(work, values):
    done = []
    for value in list(values):
        try:
            done.append(work(value))
        except ValueError:
            continue
    if not kept:
        kept.append(work)
        threading.Thread(target=call_all, daemon=True).start()
    return done
