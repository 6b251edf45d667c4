"""What must not come in as it is: secrets, which are taken out, and instructions, which are kept apart.

secrets.py             what is taken out
secret_patterns.tsv    … by its looks                  secret_assignments.py  … by the name before it
secret_places.py       … by its place                  secret_codes.py        … codes and account numbers
injection.py           what is kept apart              injection_orders.toml  what orders look like
deobfuscate.py         how they hide                   quoted_context.py      an order, or somebody telling of one
request.py             every field of a request        tombstone_form.py      what was purged, in other dress
"""
