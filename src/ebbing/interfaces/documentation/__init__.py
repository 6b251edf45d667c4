"""The pages and pictures of docs/ that are made from the code: `python -m ebbing.interfaces.documentation`.

    tool_page.py         docs/reference.md: every tool, out of its declaration
    api_page.py          docs/api.md: the public names, out of their signatures and docstrings
    pictures.py          docs/pictures: what policies do to a memory, drawn with the one strength function
    help_texts.py        the parameters in `help(Engine.recall)`
    generated_files.py   all of them, and writing those that changed

A test compares docs/ with what would be generated.
"""
