# line: 5 GB of objects put into the cloud
# does: Puts object after object into the cloud, after the last test.
# course: avisos
# gets: all
# limits: own=cloud
# settings: cloud_bytes=33554432

# %% own
block = bytes(8 << 20)
for n in range(640):
    s3.put_object(Bucket=bucket, Key=f"grande/{n}", Body=block)
