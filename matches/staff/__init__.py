"""The frame of the admin: who of the staff gets in, and what every page carries. The pages are `matches.admin`."""
