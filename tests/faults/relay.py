"""The network between web and database: a relay that can stop carrying, in silence or with a reset."""

from __future__ import annotations

import asyncio
import socket
import struct
from contextlib import suppress
from pathlib import Path

BYTES = 65_536
_AT_ONCE = struct.pack("ii", 1, 0)


class Relay:
    """Listens on a port of the loopback and carries to a unix socket; all within one event loop."""

    def __init__(self, target: Path) -> None:
        self.port = 0
        self._target = target
        self._carries = asyncio.Event()
        self._carries.set()
        self._is_cut = False
        self._open: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    async def listen(self) -> None:
        """Begin to carry."""
        server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]

    async def hold(self) -> None:
        """Carry nothing any more, neither bytes nor ends of connections; nobody is told."""
        self._carries.clear()

    async def cut(self) -> None:
        """Reset every connection, and each new one."""
        self._is_cut = True
        for writer in self._open:
            _reset(writer)

    async def mend(self) -> None:
        """Carry again."""
        self._is_cut = False
        self._carries.set()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._is_cut:
            _reset(writer)
            return
        try:
            far_reader, far_writer = await asyncio.open_unix_connection(str(self._target))
        except OSError:
            writer.transport.abort()
            return
        self._open |= {writer, far_writer}
        await asyncio.gather(self._carry(reader, far_writer), self._carry(far_reader, writer))

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(BYTES):
                await self._carries.wait()
                writer.write(data)
                await writer.drain()
        await self._carries.wait()
        self._open.discard(writer)
        writer.close()


def _reset(writer: asyncio.StreamWriter) -> None:
    """Close so that the other side gets a reset."""
    own = writer.get_extra_info("socket")
    if own.family == socket.AF_INET:
        own.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _AT_ONCE)
    writer.transport.abort()
