"""A connection to a NATS server, with nothing between a test and the protocol."""
import json
import os
import socket
import time


class Client:
    def __init__(self, port, token_file):
        with open(token_file) as file:
            token = file.read().strip()
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=10)
        self.file, self.answers, self.subscriptions, self.refused = self.socket.makefile("rb"), 0, 0, []
        self.file.readline()
        self.send("CONNECT " + json.dumps({"verbose": False, "headers": True, "no_responders": True, "user": token.split(":")[0], "pass": token.split(":")[1]}))

    def send(self, line, data=None):
        self.socket.sendall(line.encode() + b"\r\n" + (b"" if data is None else data + b"\r\n"))

    def publish(self, subject, data, reply=""):
        self.send(f"PUB {subject} {reply} {len(data)}", data)

    def subscribe(self, subject):
        self.subscriptions += 1
        self.send(f"SUB {subject} {self.subscriptions}")

    def messages(self):
        """Yields what comes until the server has answered a PING."""
        self.send("PING")
        while True:
            line = self.file.readline()
            words = line.decode().split()
            if line.startswith(b"PONG"):
                return
            if line.startswith(b"PING"):
                self.send("PONG")
            elif line.startswith(b"-ERR"):
                self.refused.append(line.decode())
            elif line.startswith((b"MSG", b"HMSG")):
                data = self.file.read(int(words[-1]) + 2)[:-2]
                yield words[1], data

    def request(self, subject, data):
        """The first line of the answer from JSON, or None."""
        self.answers += 1
        answer = f"_INBOX.test.{os.getpid()}.{self.answers}"
        self.subscribe(answer)
        self.publish(subject, data, answer)
        end = time.time() + 10
        while time.time() < end:
            for to, got in self.messages():
                if to == answer:
                    return json.loads(got.split(b"\n")[0]) if got.startswith(b"{") else None
            time.sleep(0.01)
        return None

    def jetstream(self, what, **request):
        out = self.request("$JS.API." + what, json.dumps(request).encode())
        assert "error" not in out, (what, out)
        return out
