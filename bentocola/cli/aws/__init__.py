"""The course's `aws`: awscli with the local cloud's address, in a warm process that forks once a command.

`client` is what the terminal starts, `warm` the process behind it, `cold` the way without one; `driver` is awscli with what the
course adds. awscli brings a botocore of its own under the name of boto3's: no process may have both.
"""
