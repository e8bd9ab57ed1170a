"""Usage: sweeps.py HOST. Whole sweeps of a small model, and what is refused."""
import json
import os
import signal
import sys
import time

from sweep import SMALL, Sweeps


def test_random_and_resume_with_more_trials(host):
    sweeps = Sweeps(host)
    options = ["--param", "model.lr=log(1e-3,1e-1)", "--param", "data.batch_size=8,16", "--workers", "2"]
    code, out, err = sweeps.run(*options, "--trials", "2", *SMALL, "--max_epochs", "1")
    assert code == 0, (out, err)
    code, out, err = sweeps.run("--resume", sweeps.path(), "--trials", "3")
    assert code == 0, (out, err)
    report = sweeps.report()
    assert report["state"] == "done" and report["complete"] == 3, report
    values = [trial["value"] for trial in report["list"]]
    assert values == sorted(values) and report["best"] == report["list"][0]["number"], report
    for trial in report["list"]:
        assert 1e-3 <= trial["params"]["model.lr"] <= 1e-1 and trial["params"]["data.batch_size"] in (8, 16), trial
        with open(trial["run"] + "/config.json") as file:
            saved = json.load(file)
        assert saved["model"]["options"]["lr"] == trial["params"]["model.lr"], saved["model"]
    code, out, _ = sweeps.run("best", sweeps.path())
    assert code == 0 and f"trial {report['best']}" in out, out


def test_grid_of_a_file(host):
    sweeps = Sweeps(host)
    with open(sweeps.root + "/grid.json", "w") as file:
        json.dump({"params": {"model.lr": [0.001, 0.1]}, "sampler": "grid", "command": SMALL + ["--max_epochs=1"]}, file)
    code, out, err = sweeps.run("--file", "grid.json")
    assert code == 0, (out, err)
    assert sorted(trial["params"]["model.lr"] for trial in sweeps.report()["list"]) == [0.001, 0.1]
    assert sweeps.report()["list"][0]["params"]["model.lr"] == 0.1


def test_asha_stops_bad_trials_and_continues_good_ones(host):
    sweeps = Sweeps(host)
    code, out, err = sweeps.run("--param", "model.lr=0.1,1e-5,1e-6", "--sampler", "grid", "--scheduler", "asha", *SMALL,
                                "--max_epochs", "3")
    assert code == 0, (out, err)
    report = sweeps.report()
    assert report["complete"] == 1 and report["pruned"] == 2, report
    best = report["list"][0]
    assert best["params"]["model.lr"] == 0.1 and best["epochs"] == 3, best
    with open(best["run"] + "/log.txt") as file:
        assert "resumes from" in file.read()
    assert report["list"][1]["epochs"] == 1


def test_population_copies_weights(host):
    sweeps = Sweeps(host)
    code, out, err = sweeps.run("--param", "model.lr=log(1e-4,1e-1)", "--scheduler", "pbt", "--trials", "2", "--workers", "2",
                                *SMALL, "--max_epochs", "2")
    assert code == 0, (out, err)
    report = sweeps.report()
    assert report["complete"] == 2 and report["pruned"] == 1, report
    copy = next(trial for trial in report["list"] if "parent" in trial)
    with open(copy["run"] + "/config.json") as file:
        assert json.load(file)["weights"]["init_from"].endswith("weights/trial_2.ckpt")


def test_ctrl_c_saves_and_resume_goes_on(host):
    sweeps = Sweeps(host)
    sweep = sweeps.start("--param", "model.lr=0.1,0.01", "--sampler", "grid", *SMALL, "--max_epochs", "60",
                         "--callback.early_stopping.patience=100000")
    for _ in range(400):
        if os.path.exists(sweeps.path() + "/trial_0/metrics.csv"):
            break
        time.sleep(0.02)
    sweep.send_signal(signal.SIGINT)
    out, _ = sweep.communicate(timeout=60)
    assert sweep.returncode == 130 and "go on with: host sweep --resume" in out, (sweep.returncode, out)
    report = sweeps.report()
    assert report["state"] == "stopped" and report["interrupted"] == 1 and report["complete"] == 0, report
    assert os.listdir(sweeps.path() + "/trial_0/checkpoints"), out
    os.rename(sweeps.path(), sweeps.root + "/moved")  # a sweep may be moved between its starts
    code, out, err = sweeps.run("--resume", "moved")
    assert code == 0, (out, err)
    code, out, _ = sweeps.run("report", "moved", "--json")
    report = json.loads(out)
    assert report["state"] == "done" and report["complete"] == 2, report
    with open(sweeps.root + "/moved/trial_0/log.txt") as file:
        assert "resumes from" in file.read()


def test_trials_at_a_time_see_different_gpus(host):
    sweeps = Sweeps(host)
    sweep = sweeps.start("--param", "model.lr=0.1,0.01", "--sampler", "grid", "--workers", "2", *SMALL, "--max_epochs", "1",
                         "--trainer.accelerator=cpu", "--callback", "shell_command", "--callback.shell_command.command",
                         f"echo $CUDA_VISIBLE_DEVICES >> {sweeps.root}/seen", env={**os.environ, "CUDA_VISIBLE_DEVICES": "4,5,6,7"})
    out, _ = sweep.communicate()
    assert sweep.returncode == 0, out
    with open(sweeps.root + "/seen") as file:
        assert sorted(file.read().split()) == ["4,5", "6,7"]


def test_secrets_are_in_no_file(host):
    sweeps, key = Sweeps(host), f"hunter{time.time_ns()}"  # a run records changes of the code, such as this file
    plugins = os.path.join(os.path.dirname(host), "../tests/plugins_for_tests")
    words = ["--param", "model.lr=0.1,0.01", "--sampler", "grid", "--scheduler", "asha", *SMALL, "--max_epochs", "2", "--plugins",
             plugins, "--logger", "near", "--logger", "csv"]
    code, out, err = sweeps.run(*words, "--logger.near.key", key)
    assert code == 0 and sweeps.report()["complete"] == 1, (out, err)
    for folder, _, names in os.walk(sweeps.path()):
        for name in names:
            with open(os.path.join(folder, name), "rb") as file:
                assert key.encode() not in file.read(), name
    for more, wanted in (([], "--logger.near.key is a secret, which sweep.json does not keep"),
                         (["fit", "--logger.near.key=x", "--model.lr=1"], "leave out --model.lr")):
        code, _, err = sweeps.run("--resume", sweeps.path(), *more)
        assert code == 2 and wanted in err, (code, err)
    code, out, err = sweeps.run("--resume", sweeps.path(), "fit", "--logger.near.key", key)
    assert code == 0, (out, err)
    with open(sweeps.root + "/options.json", "w") as file:
        json.dump({"logger": {"near": {"component": "near", "key": key}}}, file)
    for first, more, wanted in (([], ["--config", "options.json"], "sets a secret; give it as an option"),
                                (["--param", "logger.near.key=a,b"], [], "study.journal keeps its values")):
        code, _, err = sweeps.run(*first, *words, *more)
        assert code == 2 and wanted in err and key not in err, (code, err)


def test_a_changed_sweep_is_refused(host):
    sweeps = Sweeps(host)
    code, out, err = sweeps.run("--param", "model.lr=0.1,0.2", "--sampler", "grid", "--trials", "1", *SMALL, "--max_epochs", "1")
    assert code == 0, (out, err)
    with open(sweeps.path() + "/sweep.json") as file:
        whole = {**json.load(file), "sampler": "tpe"}
    for change, wanted in (({"trials": 0}, "how many trials"), ({"trials": 10**12}, "at most 1000000 trials"),
                           ({"workers": 0}, "--workers"), ({"workers": -1}, "a count"), ({"factor": 0, "scheduler": "asha"}, "--factor"),
                           ({"interval": 0, "scheduler": "pbt"}, "--interval"), ({"scheduler": "asha"}, "--max_epochs"),
                           ({"scheduler": "asha", "max_epochs": 10**15}, "too many"), ({"mode": "max"}, "mode is not that of"),
                           ({"params": {}}, "nothing varies"), ({"params": {"model.lr": "0.1"}, "trials": 1}, ""),
                           ({"params": {"model.hidden": "4,5"}}, "params do not fit"), ({"command": []}, "command of the trials"),
                           ({"params": {"model.lr": "uniform(5,6)"}}, "params do not fit"),
                           ({"where": "/nowhere"}, "cannot run in /nowhere"), ({"mdoe": "min"}, "did you mean 'mode'"),
                           ({"params": 7}, "params has to be an object"), ({"command": [1]}, "a list of words")):
        with open(sweeps.path() + "/sweep.json", "w") as file:
            json.dump({**whole, **change}, file)
        code, out, err = sweeps.run("--resume", sweeps.path())
        assert (code == 2 and wanted in err) if wanted else code == 0, (change, code, out, err)
    for text in ("", "{", "[]", "null"):
        with open(sweeps.path() + "/sweep.json", "w") as file:
            file.write(text)
        for words in (["--resume"], ["status"], ["best"], ["report"]):
            code, out, err = sweeps.run(*words, sweeps.path())
            assert code == 2 and "sweep.json" in err, (text, words, code, out, err)


def test_refusals(host):
    sweeps = Sweeps(host)
    lr = ["--param", "model.lr=0.1,0.2"]
    for words, wanted in (
            (["--param", "model.lrr=1,2", "--trials", "1", *SMALL], "did you mean 'lr'"),
            (["--param", "model.lr=lgo(1,2)", "--trials", "1", *SMALL], "did you mean 'log'"),
            (["--param", "model.lr=uniform(-3,1)", "--trials", "1", *SMALL], "model.lr"),
            ([*lr, "--trails", "1", *SMALL], "did you mean 'trials'"),
            ([*lr, *SMALL], "how many trials"),
            ([*lr, "--trials", "2"], "the command of the trials is missing"),
            ([*lr, "--trials", "2", "test", "--model", "mlp"], "a trial is a fit"),
            ([*lr, "--trials", "2", "--metric", "val_acc", *SMALL], "--mode max"),
            ([*lr, "--trials", "2", "--scheduler", "asha", *SMALL], "--max_epochs"),
            ([*lr, "--trials", "2", "--gpus", "1", *SMALL], "--gpus needs --server"),
            ([*lr, "--trials", "2", "--engine", "nats", *SMALL], "there is no option --engine"),
            (["--param", "log_version=1,2", "--trials", "2", *SMALL], "chooses that"),
            (["status", "nowhere"], "there is no folder"),
            (["--trials", "1", *SMALL], "nothing varies"),
            ([*lr, "--trials", "2", *SMALL, "--trainer.log_version=a"], "each trial has its own"),
            (["--file", "nowhere.json"], "nowhere.json"),
            (["status"], "name one folder"),
            (["status", "."], "it has no sweep.json"),
            (["best", "nowhere", "--jsn"], "there is no option --jsn"),
            (["--resume", "nowhere"], "there is no folder")):
        code, _, err = sweeps.run(*words)
        assert code == 2 and wanted in err, (words, code, err)
    assert not os.path.exists(sweeps.path()), "a refused sweep makes no folder"


def test_a_sweep_whose_trials_fail_ends(host):
    sweeps = Sweeps(host)
    code, out, err = sweeps.run("--param", "model.lr=0.1,0.2,0.3,0.4", "--sampler", "grid", "--metric", "nothing", "--mode", "min",
                                *SMALL, "--max_epochs", "1")
    assert code == 1 and "error[E0124]" in err and "the first 3 trials have failed" in err, (code, err)
    assert "the run has logged no 'nothing'" in sweeps.report()["list"][0]["error"]
    code, out, err = sweeps.run("--param", "model.lr=0.1,0.2", "--sampler", "grid", *SMALL, "--max_epochs", "1", "--logger", "false")
    assert code == 1 and "needs the logger csv, jsonl or tensorboard" in out, (code, out, err)


for name, test in list(globals().items()):
    if name.startswith("test_") and sys.argv[2:] in ([], [name]):
        begun = time.monotonic()
        test(sys.argv[1])
        print(f"{name}: {time.monotonic() - begun:.1f} s", flush=True)
