"""The REST interface: it reads requests, calls services and selectors, and writes what they return."""
