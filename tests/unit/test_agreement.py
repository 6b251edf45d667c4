"""The guard of a merge that a model proposes: what differs in a number, a day, a name or a denial is never the same."""

from __future__ import annotations

from ebbing.text.paraphrase import agree
from tests.tables import each_row

AGREE = [
    # few words in common, nothing that decides differs
    ("Line 2 packs 60 boxes a minute.", "Sixty boxes leave line 2 every minute."),
    ("Please no country, I can't stand that music.", "I can't bear country music, turn it off."),
    ("My granddaughter Wilma is three and can't swim.", "Wilma, three, my granddaughter, doesn't know how to swim."),
    ("The campaign is tracked in Asana.", "So at work we follow the campaign with Asana."),
    # a capital at the start of a sentence makes no name
    ("Shipping is free above 50 euros.", "Orders above 50 euros ship free."),
    ("Sugar is bad for Theo.", "Theo should avoid sugar."),
    ("Mum shares the account.", "The account is shared with my mum."),
    # days in the plural, codes with and without marks
    ("Choir is on Thursday.", "The choir sings on Thursdays."),
    ("Raw rows are in `crm_raw`.", "The raw rows live in crm_raw."),
]
DIFFER = [
    ("The rent is 900 euros.", "The rent is 950 euros."),
    ("Choir is on Thursday.", "The choir sings on Fridays."),
    ("The lease ends in June.", "The lease runs out in July."),
    ("I trust Tom.", "I don't trust Tom."),
    ("I like tea.", "I like tea only with lemon."),
    ("The lamp is on.", "If it rains the lamp is on."),
    ("Ana's manager is Tom.", "Tom's manager is Ana."),
    ("I prefer tabs to spaces.", "I prefer spaces to tabs."),
    ("The shop opens at noon.", "The shop closes at noon."),
    ("Dinner with Ana.", "Dinner with Ben."),
    ("Logs go to /var/log/app.", "Logs go to /var/log/web."),
    ("Do I need a visa?", "I need a visa."),
]


@each_row(("first", "second"), AGREE)
def test_what_decides_is_the_same_in_other_words(first: str, second: str) -> None:
    assert agree(first, second)
    assert agree(second, first)


@each_row(("first", "second"), DIFFER)
def test_what_differs_in_one_fact_is_never_merged(first: str, second: str) -> None:
    assert not agree(first, second)
    assert not agree(second, first)
