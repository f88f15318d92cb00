# line: clock changes
# does: Tries to set the clock, and changes the time zone.
# gets: all
# needs: posix

# %% own before sol1
import os
import time

for clock in (time.CLOCK_REALTIME,):
    try:
        time.clock_settime(clock, time.clock_gettime(clock))
        print("the clock can be set")
    except OSError as error:
        print(type(error).__name__)
os.environ["TZ"] = "Asia/Tokyo"
time.tzset()
