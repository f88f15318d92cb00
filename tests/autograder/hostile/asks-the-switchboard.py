# line: stopping the mock
# does: Asks moto's own switchboard, under other names, to forget everything. The answers are right.
# gets: all

# %% own before test3
import botocore.awsrequest
from botocore.httpsession import URLLib3Session

for host in ("motoapi.amazonaws.com", "motoapi.amazonaws.com.", "MotoAPI.amazonaws.com.evil.example", "motoapi.c2s.ic.gov"):
    request = botocore.awsrequest.AWSRequest("POST", f"http://{host}/moto-api/reset").prepare()
    for way in (
        lambda: URLLib3Session().send(request).content,
        lambda: s3.meta.events.emit("before-send.s3.ListBuckets", request=request),
    ):
        try:
            print(host, way())
        except Exception as error:
            print(host, type(error).__name__)
