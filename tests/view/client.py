"""A client of `mote view`, by Python's standard library alone: HTTP and WebSocket (RFC 6455) on a plain socket."""
import base64
import json
import os
import signal
import socket
import struct
import subprocess
import time

TEXT, BINARY, CLOSE = 1, 2, 8


class Viewer:
    """The program, showing something."""

    def __init__(self, mote, *arguments, cwd=None):
        self.process = subprocess.Popen([mote, "view", "--no-open", *arguments], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, cwd=cwd)
        self.address = self.process.stdout.readline().strip()
        if not self.address.startswith("http://"):
            raise RuntimeError(self.process.stderr.read())
        host, _, path = self.address[len("http://"):].partition("/")
        self.host, self.port = host.split(":")[0], int(host.split(":")[1])
        self.token = path.strip("/")

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        out, err = self.process.communicate(timeout=30)
        return self.process.returncode, out, err

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.communicate()

    def connect(self):
        return socket.create_connection((self.host, self.port), timeout=20)

    def http(self, path=None, method="GET", headers=None):
        """(status, headers, body)"""
        path = path if path is not None else f"/{self.token}/"
        lines = {"Host": f"{self.host}:{self.port}", "Connection": "close", **(headers or {})}
        with self.connect() as link:
            text = "".join(f"{k}: {v}\r\n" for k, v in lines.items() if v is not None)
            link.sendall(f"{method} {path} HTTP/1.1\r\n{text}\r\n".encode())
            data = b""
            while piece := link.recv(65536):
                data += piece
        head, _, body = data.partition(b"\r\n\r\n")
        rows = head.decode("latin-1").split("\r\n")
        fields = {k.lower(): v.strip() for k, _, v in (row.partition(":") for row in rows[1:])}
        return int(rows[0].split()[1]), fields, body


class Refused(Exception):
    def __init__(self, status):
        super().__init__(f"status {status}")
        self.status = status


class Socket:
    """A WebSocket of a viewer."""

    def __init__(self, viewer, token=None, headers=None, buffer=None):
        self.link = socket.socket()
        if buffer:
            self.link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        self.link.settimeout(20)
        self.link.connect((viewer.host, viewer.port))
        key = base64.b64encode(os.urandom(16)).decode()
        host = f"{viewer.host}:{viewer.port}"
        lines = {"Host": host, "Origin": f"http://{host}", "Upgrade": "websocket", "Connection": "Upgrade",
                 "Sec-WebSocket-Key": key, "Sec-WebSocket-Version": "13", **(headers or {})}
        text = "".join(f"{k}: {v}\r\n" for k, v in lines.items() if v is not None)
        self.link.sendall(f"GET /{token or viewer.token}/socket HTTP/1.1\r\n{text}\r\n".encode())
        self.data = b""
        while b"\r\n\r\n" not in self.data:
            piece = self.link.recv(4096)
            if not piece:
                raise Refused(int(self.data.split()[1]) if self.data else 0)
            self.data += piece
        head, _, self.data = self.data.partition(b"\r\n\r\n")
        status = int(head.split()[1])
        if status != 101:
            self.link.close()
            raise Refused(status)

    def send(self, payload, opcode=TEXT, last=True, claim=None):
        size, mask = len(payload) if claim is None else claim, os.urandom(4)
        first = (0x80 if last else 0) | opcode
        if size < 126:
            head = struct.pack(">BB", first, 0x80 | size)
        elif size < 65536:
            head = struct.pack(">BBH", first, 0x80 | 126, size)
        else:
            head = struct.pack(">BBQ", first, 0x80 | 127, size)
        whole = (mask * (len(payload) // 4 + 1))[:len(payload)]
        masked = (int.from_bytes(payload, "big") ^ int.from_bytes(whole, "big")).to_bytes(len(payload), "big")
        self.link.sendall(head + mask + masked)

    def ask(self, what, **more):
        self.send(json.dumps({"do": what, **more}).encode())

    def take(self, count):
        while len(self.data) < count:
            piece = self.link.recv(1 << 20)
            if not piece:
                raise EOFError
            self.data += piece
        out, self.data = self.data[:count], self.data[count:]
        return out

    def receive(self):
        """(opcode, payload)"""
        first, size = self.take(2)
        if size == 126:
            size = struct.unpack(">H", self.take(2))[0]
        elif size == 127:
            size = struct.unpack(">Q", self.take(8))[0]
        return first & 15, self.take(size)

    def wait(self, kind, seconds=20, when=lambda message: True):
        """The next message of that kind: a name of `is`, or "frame" for the head of a frame."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            opcode, payload = self.receive()
            if opcode == BINARY:
                self.ask("ready")
                message = {"is": "frame", "size": len(payload), **frame_head(payload)}
            elif opcode == TEXT:
                message = json.loads(payload)
            elif opcode == CLOSE:
                raise EOFError
            else:
                continue
            if message["is"] == kind and when(message):
                return message
        raise TimeoutError(kind)

    def is_closed(self, seconds=20):
        """Does the other side end the connection?"""
        end = time.monotonic() + seconds
        try:
            while time.monotonic() < end:
                if self.receive()[0] == CLOSE:
                    return True
        except (EOFError, ConnectionError):
            return True
        except TimeoutError:
            return False
        return False

    def close(self):
        self.link.close()

    def kill(self):
        """As a client that dies: a reset, not a farewell."""
        self.link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.link.close()


def frame_head(payload):
    magic, version, kind, text, data = struct.unpack("<4sHHII", payload[:16])
    assert magic == b"mote" and version == 1 and kind == 1 and 16 + text + data == len(payload)
    return json.loads(payload[16:16 + text])
