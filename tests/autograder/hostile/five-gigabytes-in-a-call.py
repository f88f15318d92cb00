# line: 5 GB of objects put into the cloud
# does: Puts object after object into the cloud while the last test waits.
# course: avisos
# gets: all but test-search
# limits: test-search=cloud|time
# settings: cloud_bytes=33554432

# %% search
def search(pattern):
    block = bytes(8 << 20)
    for n in range(640):
        s3.put_object(Bucket=bucket, Key=f"grande/{n}", Body=block)
    return ["ERROR uno", "ERROR dos"]
