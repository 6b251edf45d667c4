"""What must not come in as it is: secrets, which are taken out, and instructions, which are kept apart.

secrets.py     what is taken out      secret_shapes.py  by its looks     secret_names.py  by the name before it
                                      secret_places.py  by its place     secret_codes.py  codes and account numbers
injection.py   what is kept apart     orders*.py  what orders look like  disguises.py  how they hide
reported.py    an order, or somebody telling of one
"""
