"""Listik on one machine: an embedded PostgreSQL and Valkey, and a supervisor for the service's processes."""
