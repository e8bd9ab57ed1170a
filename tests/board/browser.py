"""A headless Chromium that does what a script says, by the DevTools protocol over two pipes."""
import base64
import json
import os
import subprocess
import tempfile
import time


class Browser:
    def __init__(self, chromium, width=1400, height=900):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_chromium, self.write_end = os.pipe()
        read_end, from_chromium = os.pipe()
        self.process = subprocess.Popen(
            ["sh", "-c", f'exec "$0" "$@" 3<&{to_chromium} 4>&{from_chromium}', chromium, "--headless", "--no-sandbox", "--disable-gpu",
             "--user-data-dir=" + self.profile.name, f"--window-size={width},{height}", "--remote-debugging-pipe"],
            pass_fds=(to_chromium, from_chromium), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_chromium)
        os.close(from_chromium)
        self.answers = os.fdopen(read_end, "rb")
        self.rest, self.number, self.problems = b"", 0, []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Runtime.enable")
        self.call("Log.enable")

    def message(self):
        while b"\0" not in self.rest:
            part = self.answers.read1(1 << 20)
            if not part:
                raise EOFError("chromium has ended")
            self.rest += part
        one, self.rest = self.rest.split(b"\0", 1)
        return json.loads(one)

    def call(self, method, **arguments):
        self.number += 1
        request = {"id": self.number, "method": method, "params": arguments}
        if hasattr(self, "session"):
            request["sessionId"] = self.session
        os.write(self.write_end, json.dumps(request).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("method") == "Runtime.exceptionThrown":
                self.problems.append(answer["params"]["exceptionDetails"]["exception"].get("description", "?"))
            if answer.get("method") == "Log.entryAdded" and answer["params"]["entry"]["level"] == "error":
                self.problems.append(answer["params"]["entry"]["text"])
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(method + ": " + answer["error"]["message"])
                return answer["result"]

    def open(self, address):
        self.call("Page.navigate", url=address)

    def do(self, script):
        """The value of a script in the page; a promise is waited for."""
        result = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(script + ": " + result["exceptionDetails"]["exception"].get("description", "?"))
        return result["result"].get("value")

    def wait(self, script, seconds=60):
        """Waits until the script's value is true. Returns whether it was."""
        end = time.time() + seconds
        while time.time() < end:
            try:
                if self.do(script):
                    return True
            except RuntimeError:  # the page is not there yet
                pass
            time.sleep(0.1)
        return False

    def key(self, name):
        code = {"Tab": 9, "Enter": 13, "ArrowRight": 39, "ArrowLeft": 37, "ArrowDown": 40, "End": 35, "Home": 36, " ": 32}.get(name, ord(name[0]))
        text = {"Enter": "\r", " ": " "}.get(name, name if len(name) == 1 else "")
        self.call("Input.dispatchKeyEvent", type="keyDown", key=name, windowsVirtualKeyCode=code, text=text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=name, windowsVirtualKeyCode=code)

    def dom(self):
        return self.do("document.documentElement.outerHTML")

    def picture(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("Page.captureScreenshot")["data"]))

    def end(self):
        self.process.terminate()
        self.process.wait(20)
        os.close(self.write_end)
        self.answers.close()
        self.profile.cleanup()
