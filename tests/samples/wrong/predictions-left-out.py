# points: 23
# loses: test-prediction-again, test-prediction-items, test-prediction-key, test-prediction-deleted
# why: The functions took all the time.

# %% prediction-again
prediction_again = None

# %% prediction-items
prediction_items = None

# %% prediction-key
prediction_key = None

# %% prediction-deleted
prediction_deleted =
