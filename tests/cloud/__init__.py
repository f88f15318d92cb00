"""The local cloud, as a student's plain boto3 meets it."""
