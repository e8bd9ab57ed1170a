"""Usage: optuna_asks.py HOST. Debian's python3-optuna chooses the values of trials and prunes them, as docs/sweeps.md shows."""
import os
import re
import subprocess
import sys
import tempfile

PYTHON = "/usr/bin/python3"
PAGE = os.path.join(os.path.dirname(__file__), "../../docs/sweeps.md")
CHECK = """
states = [trial.state.name for trial in study.trials]
assert len(states) == 20 and states.count("COMPLETE") >= 5 and states.count("PRUNED") >= 1 and "FAIL" not in states, states
assert study.best_value == min(trial.value for trial in study.trials if trial.state.name == "COMPLETE")
assert all(trial.intermediate_values for trial in study.trials)
assert study.best_params["model.lr"] > 1e-3, study.best_params
"""


def main(host):
    if subprocess.run([PYTHON, "-c", "import optuna"], capture_output=True).returncode != 0:
        print("SKIPPED: there is no Optuna: install Debian's python3-optuna")
        return 77
    with open(PAGE) as file:
        program = next(code for code in re.findall(r"```python\n(.*?)```", file.read(), re.S) if "study.ask" in code)
    with tempfile.TemporaryDirectory(prefix="asks") as folder:
        env = {**os.environ, "PATH": os.path.dirname(host) + ":" + os.environ["PATH"], "OMP_NUM_THREADS": "1"}
        done = subprocess.run([PYTHON, "-c", program + CHECK], cwd=folder, env=env, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stdout + done.stderr
    return 0


sys.exit(main(sys.argv[1]))
