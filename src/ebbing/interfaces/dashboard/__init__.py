"""The dashboard: pages for a person, at `/` of `ebbing serve`, behind the same guard, tokens and rights as the API.

routes.py        the pages, their `.json` twins, the actions and the sign-in, as routes
sessions.py      who is signed in
visit.py         one request: who asks, in which language, for what
actions.py       what a form may do, and how each is undone
rendering.py     templates with autoescape            wording.py   strings/*.toml: German and English
charts.py        SVG, drawn here with svg.py          static_files.py   style sheet and scripts

One module per page: horizon, memory, recall_bench, review, forgotten, policy_bench, browse, health. A page reads with
methods of the engine, strengthens nothing, and holds no rule about memory. What it gives its template is its `.json`.
"""
