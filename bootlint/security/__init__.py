"""What a text may hide, leak or smuggle in. Each module finds one kind of thing and says where it stands.

Knows texts and the words of `rules/patterns.toml`; knows no rule, no release and no wording of a report.
"""
