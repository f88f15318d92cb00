# points: 23
# loses: test-prediction-again, test-prediction-items, test-prediction-key, test-prediction-deleted
# why: The cell did not say that a number is written without quotation marks.

# %% prediction-again
prediction_again = "1"

# %% prediction-items
prediction_items = "2"

# %% prediction-key
prediction_key = 3

# %% prediction-deleted
prediction_deleted = 2.0
