# line: reading ~/.aws
# does: Looks for the teacher's AWS keys, in each place where boto3 would.
# gets: all
# needs: posix

# %% own before sol3
import os
import pwd

import boto3

homes = {os.path.expanduser("~"), CANARY_FOLDER, *(user.pw_dir for user in pwd.getpwall())}
for home in sorted(homes):
    for name in (".aws/credentials", ".aws/config", ".ssh/id_rsa", ".netrc", "canary.txt"):
        try:
            print(open(os.path.join(home, name)).read())
        except OSError:
            pass
found = boto3.Session().get_credentials()
print(found and (found.access_key, found.secret_key))
