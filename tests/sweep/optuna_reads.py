"""Usage: optuna_reads.py HOST. Debian's python3-optuna reads the study of a sweep, and may add to it."""
import subprocess
import sys

from sweep import SMALL, Sweeps

READ = """
import optuna, sys, warnings
warnings.simplefilter("ignore")
storage = optuna.storages.JournalStorage(optuna.storages.JournalFileStorage(sys.argv[1]))
study = optuna.load_study(study_name="sweep_0", storage=storage)
study.set_user_attr("note", "seen")
best = study.best_trial
assert [trial.state.name for trial in study.trials] == ["COMPLETE"] * 3, study.trials
assert set(best.params) == {"model.lr", "data.batch_size", "model.hidden"} and best.params["data.batch_size"] in (8, 16)
assert isinstance(best.params["model.hidden"], int) and best.intermediate_values and best.duration.total_seconds() > 0
print(best.number)
"""
PYTHON = "/usr/bin/python3"


def main(host):
    if subprocess.run([PYTHON, "-c", "import optuna.storages; optuna.storages.JournalStorage"], capture_output=True).returncode != 0:
        print("SKIPPED: there is no Optuna 3.1 or later: install Debian's python3-optuna")
        return 77
    sweeps = Sweeps(host)
    words = ["--param", "model.lr=log(1e-3,1e-1)", "--param", "data.batch_size=8,16", "--param", "model.hidden=int(2,4)"]
    fit = [word for word in SMALL if "hidden" not in word]
    code, out, err = sweeps.run(*words, "--trials", "3", *fit, "--max_epochs", "1")
    assert code == 0, (out, err)
    read = subprocess.run([PYTHON, "-c", READ, sweeps.path() + "/study.journal"], capture_output=True, text=True)
    assert read.returncode == 0, read.stderr
    assert int(read.stdout) == sweeps.report()["best"], read.stdout
    code, out, err = sweeps.run("--resume", sweeps.path(), "--trials", "4")  # goes on behind Optuna's operation
    assert code == 0 and sweeps.report()["complete"] == 4, (out, err)
    return 0


sys.exit(main(sys.argv[1]))
