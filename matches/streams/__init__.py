"""The stream service: matches and hints as they happen, to thousands of readers, in processes of their own.

A message names a match that has moved; one query reads all that moved since the last one; every new entry is made ready
once for each seat that somebody reads as; readers take from there what they haven't had. A reader is a number, the last
entry that it was sent: what it missed is read from the database, like for everybody who comes back.
"""
