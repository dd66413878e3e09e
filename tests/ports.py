"""Ports for servers that tests start."""

import socket


def free_port() -> int:
    """A port of the loopback that nobody listens on; test processes that ask at once get different ones."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])
