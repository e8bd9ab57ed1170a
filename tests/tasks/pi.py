"""Usage: pi.py HOST LIBRARY FILE. The example in plain C: the same number with any number of workers."""
import os
import subprocess
import sys
import tempfile

host, library, file = sys.argv[1:]
outputs = set()
with tempfile.TemporaryDirectory() as root:
    for i, workers in enumerate(("1", "3")):
        subprocess.run([host, "tasks", "--library", library, "--file", file, "--workers", workers, "--default_root_dir", root], check=True)
        with open(f"{root}/levin_logs/tasks_{i}/output") as output:
            outputs.add(output.read())
print(outputs)
if len(outputs) != 1 or abs(float(outputs.pop()) - 3.14159265) > 0.001:
    sys.exit("pi is wrong, or differs with the number of workers")
