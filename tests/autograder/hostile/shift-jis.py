# line: not UTF-8
# does: A file in Shift_JIS, as an old editor on a Japanese Windows saves it.
# gets: all
# notes: encoding
# make: shift_jis

# %% own before sol1
# 準備：注文を受け取ります。
