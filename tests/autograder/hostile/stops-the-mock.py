# line: stopping the mock
# does: Stops the mock. No call reaches a network then either; what the test sees is its own cloud.
# gets: wrong
# answers: wrong

# %% own before sol3
try:
    _mock.stop()
except Exception as error:
    print(type(error).__name__)
