# line: work handed on to a helper; calls from threads
# does: Calls the test's function from threads.
# course: avisos
# gets: all

# %% each
from concurrent.futures import ThreadPoolExecutor


def each(work, values):
    def attempt(value):
        try:
            return [work(value)]
        except ValueError:
            return []

    with ThreadPoolExecutor(1) as pool:
        return [result for results in pool.map(attempt, values) for result in results]
