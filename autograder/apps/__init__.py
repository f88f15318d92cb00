"""The subcommands of `autograder`, one a module. They read arguments and print; what they do is done elsewhere."""
