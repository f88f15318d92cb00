# points: 25
# loses: test-prediction-again, test-prediction-deleted
# why: It reads the questions as yes or no.

# %% prediction-again
prediction_again = True

# %% prediction-deleted
prediction_deleted = True
