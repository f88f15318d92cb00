# does: Raises from a line that, as it says, is 50,000 characters long, stands in a hidden test and cannot be parsed.
# gets: all but test3

# %% sol3
def handler(event, context=None):
    import linecache

    name = handler.__code__.co_filename
    text = 'assert handler(ev) == "FORGED-LINE" ' + "(" * 20_000 + "-" * 20_000 + "'\"\"\"\\N{"
    linecache.cache[name] = (len(text), None, [text + "\n"] * 40, name)
    raise ValueError("\x1b]0;title\x07" + "\u202e")
