# line: infinite loop; a deployed function that reads gradebook, environment and network
# does: The deployed function never comes back.
# course: avisos
# gets: all but test-lambda
# settings: cell_seconds=20

# %% lambda-source
lambda_source = '''
def handler(event, context):
    while True:
        pass
'''
