"""An HTTP server on this machine for the tests of downloads."""
import http.server
import threading
import time


class Server:
    """Serves the bytes of `files` by their paths. `cut`: a path -> the number of bytes after which its next answer breaks off.
    `slow`: paths whose answers take seconds. `tag`: the version of all files; ranges of another version are served too, as by some
    servers. `asked`: every path that was asked for, with the offset."""

    def __init__(self):
        self.files, self.cut, self.slow, self.tag, self.asked = {}, {}, set(), "one", []
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                outer.answer(self)

            def log_message(self, *_):
                pass

        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.handle_error = lambda *_: None  # of clients that are killed
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    def url(self, path):
        return f"http://127.0.0.1:{self.http.server_port}/{path}"

    def answer(self, request):
        path = request.path.lstrip("/").split("?")[0]
        body, begin = self.files.get(path), 0
        if request.headers.get("Range"):
            begin = int(request.headers["Range"][len("bytes="):].rstrip("-"))
        self.asked.append((path, begin))
        request.send_response(404 if body is None else 206 if begin else 200)
        body = body or b""
        if begin:
            request.send_header("Content-Range", f"bytes {begin}-{len(body) - 1}/{len(body)}")
        request.send_header("ETag", f'"{self.tag}"')
        request.send_header("Content-Length", str(len(body) - begin))
        request.end_headers()
        body = body[begin:]
        if path in self.cut:
            request.wfile.write(body[:self.cut.pop(path)])
            request.wfile.flush()
            request.close_connection = True
            return
        if path in self.slow:
            for at in range(0, len(body), len(body) // 40 + 1):
                request.wfile.write(body[at:at + len(body) // 40 + 1])
                request.wfile.flush()
                time.sleep(0.1)
            return
        request.wfile.write(body)

    def times(self, path):
        return sum(asked == path for asked, _ in self.asked)
