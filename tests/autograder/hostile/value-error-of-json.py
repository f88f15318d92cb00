# line: ValueError raised by json.loads
# does: Lets the error of json.loads go out as it comes, from a helper.
# course: avisos
# gets: all

# %% keys
def parsed(body):
    import json as text_format

    return text_format.loads(body)


def keys(body):
    return [record["key"] for record in parsed(body)["Records"]]
