"""Outbound edge: one outside party a file. Translates words and errors; decides nothing."""
