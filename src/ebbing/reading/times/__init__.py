"""How English tells a time: the calendar, the tenses, and one file of rules for each way of saying when."""
