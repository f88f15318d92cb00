# line: a foreign kernelspec
# does: A notebook that names a kernel for another language.
# gets: all
# notes: kernel
# make: foreign_kernelspec
