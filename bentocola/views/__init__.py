"""The stepper and the AWS view: what draws a trace, in a notebook and in a plain page.

A class of anywidget's kind each, over one ES module, `static/views.mjs`, which `make views` bundles from `source/`.
"""
