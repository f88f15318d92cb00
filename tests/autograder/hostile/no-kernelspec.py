# line: no kernelspec
# does: A notebook that names no kernel.
# gets: all
# notes: kernel-missing
# make: no_kernelspec
