"""Command lines of tests, put together from parts."""


def replacing(command, option):
    """Add an option to a command in place of the values that it has there.

    >>> replacing("--faces 3 --dice 1,1", "--faces 4")
    '--dice 1,1 --faces 4'
    """
    words = command.split()
    for flag in (word for word in option.split() if word.startswith("--") and word in words):
        del words[words.index(flag) : words.index(flag) + 2]
    return " ".join([*words, option])
