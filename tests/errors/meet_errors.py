#!/usr/bin/env python3
"""meet_errors.py HOST ROOT_OF_SOURCES BAD_PLUGINS

Meets errors: runs the HOST once for each row of ROWS, and looks at the number that it shows. Every number of
tests/errors/codes.txt that is not retired has to be in ROWS, or in ELSEWHERE (the test that expects it).
"""
import concurrent.futures
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile

DATA = "printf 'a,b,y\\n1,2,0\\n2,3,1\\n3,4,0\\n4,5,1\\n5,6,0\\n6,7,1\\n' > x.csv; "
TRAIN = "--model mlp --data csv --data.file x.csv --data.target y --trainer.accelerator cpu --trainer.max_epochs 1"
FIT = f"{DATA}$HOST fit {TRAIN}"
TRAINED = f"{FIT} > /dev/null 2>&1; CKPT=$(find levin_logs -name '*.ckpt' | head -n 1); "
TESTED = "$HOST fit --plugins $TESTS --data rows --trainer.accelerator cpu --trainer.max_epochs 1 --model"
NAN = f"{TESTED} plain --data.train 1 --callback misuser --callback.misuser.what nan_parameter"
SQUARES = "--library $SQUARES --file x"
SERVER = "--server nats://127.0.0.1:$PORT"
SERVE = "$HOST tasks serve --folder s --allow any --listen 127.0.0.1:$PORT > serve.txt & while ! grep -q worker_token serve.txt; do sleep 0.1; done; "


def program(name, lines):
    """Makes a program of this name that is found before others."""
    return f"mkdir bin; printf '#!/bin/sh\\n{lines}\\n' > bin/{name}; chmod +x bin/{name}; PATH=$PWD/bin:$PATH; "


def ranks(command):
    """Two ranks that meet at $PORT; the output is that of rank 0."""
    world = "WORLD_SIZE=2 LOCAL_WORLD_SIZE=2 MASTER_ADDR=127.0.0.1 MASTER_PORT=$PORT"
    return f"{world} RANK=1 LOCAL_RANK=1 sh -c '{command}' 2> /dev/null & {world} RANK=0 LOCAL_RANK=0 sh -c '{command}'"


# number: a command of the shell in an empty folder. $HOST is the program, $LIB the folder of its plugins, $BAD and $TESTS those of
# bad plugins and of plugins for tests, $PORT a free port.
ROWS = {
    "E0105": f"{TESTED} twin --model.optimizer throws",
    "E0106": f"head -c 2000000 /dev/zero | tr '\\0' 1 > x; $HOST tasks {SQUARES} --max_size 1",
    "E0110": f"{DATA}unshare -rm sh -c 'mkdir t; mount -t tmpfs -o size=32k none t; $HOST fit {TRAIN} --trainer.default_root_dir t'",
    "E0111": f"{FIT} --trainer.default_root_dir /proc/nowhere",
    "E0112": "$HOST help > /dev/full",
    "E0113": f"{TESTED} mistaken --model.mistake sparse --trainer.gradient_clip_val 1 --trainer.gradient_clip_algorithm value",
    "E0117": "$HOST fit --model cnn --data synthetic --data.size 16 --data.rows 32 --data.val_rows 0 --model.scheduler reduce_on_plateau "
             "--trainer.accelerator cpu --trainer.max_epochs 1",
    "E0120": f"ulimit -v 300000; {FIT}",
    "E0122": DATA + program("sbatch", "echo no such partition >&2; exit 1") + f"$HOST submit fit {TRAIN}",
    "E0126": "$HOST tasks status --server nats://127.0.0.1:$PORT",
    "E0128": program("nats-server", "echo out of ports >&2; exit 1") + "$HOST tasks serve --folder s --allow any",
    "E0129": f"{DATA}mkdir -p bin libexec/levin; cp $HOST bin; cp /bin/false libexec/levin/host-engine; "
             f"bin/host fit --plugins $LIB --trust {TRAIN.replace('cpu', 'gpu --trainer.devices -1')}",
    "E0130": f"unshare -r $HOST tasks worker {SERVER} --allow any --user nobody --folder w",
    "E0201": "$HOST fitt",
    "E0202": "$HOST runs one two",
    "E0203": f"{FIT} --log_name",
    "E0204": "$HOST fit --max_epoch 3",
    "E0205": f"{FIT} --model.hidden many",
    "E0206": "$HOST fit --model mlp --data csv",
    "E0207": "$HOST fit --verbose --quiet",
    "E0209": "$HOST fit --model mlp --data csv --trainer.ipus 1",
    "E0210": "$HOST fit --config nowhere.json",
    "E0211": "echo '{' > x.json; $HOST fit --config x.json",
    "E0212": "echo '{\"model\": 3}' > x.json; $HOST fit --config x.json",
    "E0213": "$HOST runs nowhere",
    "E0214": f"{TRAINED} flock levin_logs/version_0/.lock $HOST resume levin_logs/version_0 --trainer.max_epochs 2",
    "E0215": "mkdir taken; $HOST new model taken; $HOST new model taken",
    "E0216": "$HOST help nothing_is_called_so",
    "E0217": "$HOST fit --model mlp --data csv --callback early_stopping --callback early_stopping",
    "E0218": "$HOST fit --data csv --data.file x.csv",
    "E0219": "$HOST fit --model mlp",
    "E0220": "$HOST fit --model \"$(printf '\\351')\"",
    "E0221": f"{DATA}$HOST fit --model mlp --data csv --data.file x.csv --data.target nowhere",
    "E0222": f"{TRAINED} $HOST validate {TRAIN} --ckpt_path $CKPT > /dev/null 2>&1; $HOST resume levin_logs/version_1",
    "E0223": f"{DATA}WORLD_SIZE=2 RANK=0 LOCAL_RANK=0 $HOST fit {TRAIN} --trainer.init_method file://$PWD",
    "E0224": f"{DATA}WORLD_SIZE=two RANK=0 LOCAL_RANK=0 $HOST fit {TRAIN}",
    "E0226": DATA + ranks(f"$HOST fit {TRAIN} --model.lr 0.0$((RANK + 1))"),
    "E0227": f"{DATA}CUDA_VISIBLE_DEVICES= $HOST fit {TRAIN.replace('accelerator cpu', 'accelerator gpu')}",
    "E0228": f"{FIT} --trainer.devices 2 --trainer.process_group_backend nccl",
    "E0232": f"{TESTED} shared --model.spare unused --trainer.devices 2 --data.batch_size 2",
    "E0234": f"{DATA}ulimit -s 1000000; ulimit -v 9000000; OMP_NUM_THREADS=1 $HOST fit {TRAIN} --data.num_workers 64",
    "E0235": f"{TRAINED} $HOST fit {TRAIN} --trainer.max_steps 0 --ckpt_path $CKPT",
    "E0236": f"{DATA}PATH=/nowhere $HOST submit fit {TRAIN}",
    "E0237": f"{DATA}$HOST submit --grid.model.lr 'log(1e-4,1)' fit {TRAIN}",
    "E0239": f"{SERVE} $HOST tasks results nothing {SERVER} --token_file s/nats/user_token",
    "E0240": f"{FIT} --hosts a:x",
    "E0241": f"{TRAINED} $HOST export $CKPT --format safetensors --names '[]'",
    "E0242": f"{FIT} --trainer.capture on",
    "E0243": f"{TRAINED} $HOST test {TRAIN} --ckpt_path $CKPT",
    "E0244": "$HOST resume .",
    "E0245": "$HOST new model 'a b'",
    "E0301": "$HOST fit --model nowhere --data csv",
    "E0302": "cp $LIB/libmlp.so .; chmod o+w libmlp.so; $HOST fit --model ./libmlp.so",
    "E0303": "cp $HOST x.so; $HOST inspect ./x.so",
    "E0304": "$HOST inspect $BAD/libwrong_major.so",
    "E0305": "$HOST inspect $BAD/libother_torch.so",
    "E0306": "$HOST inspect $BAD/libneeds_second_torch.so",
    "E0307": "$HOST inspect $BAD/libmissing_symbol.so",
    "E0308": "$HOST inspect $BAD/libsmall_table.so",
    "E0309": "$HOST inspect $BAD/libinvalid_default.so",
    "E0310": "$HOST inspect $BAD/libwrong_id.so",
    "E0311": f"{FIT} --callback $BAD/liblacks_on.so",
    "E0314": "$HOST fit --model $LIB/libcsv_data.so",
    "E0315": "$HOST fit --model $TESTS/libtest_models.so",
    "E0317": "$HOST uninstall nowhere",
    "E0401": "$HOST fit --model mlp --data csv --data.file nowhere.csv --data.target y",
    "E0404": f"{TESTED} mistaken --model.mistake viewed",
    "E0501": f"{FIT} --ckpt_path nowhere.ckpt",
    "E0502": "head -c 100 /dev/zero > x.ckpt; $HOST ckpt verify x.ckpt",
    "E0503": f"{TRAINED} $HOST validate {TRAIN} --ckpt_path $CKPT --model.hidden 5",
    "E0505": r"printf '\002\000\000\000\000\000\000\000{}' > x.safetensors; $HOST export x.safetensors --format torchscript",
    "E0507": f"{TESTED} mistaken --model.mistake complex",
    "E0602": f"{NAN} --callback model_checkpoint=false",
    "E0604": f"{NAN} --callback.model_checkpoint.every_n_train_steps 1",
    "E0702": f"{DATA}RANK=0 WORLD_SIZE=2 LOCAL_RANK=0 LOCAL_WORLD_SIZE=2 MASTER_ADDR=127.0.0.1 MASTER_PORT=$PORT $HOST fit {TRAIN} "
             "--trainer.process_group_timeout 1",
    "E0703": f"{TESTED} shared --model.do linger --data.train 12 --data.batch_size 2 --trainer.devices 2 --trainer.process_group_timeout 10",
    "E0704": f"{TESTED} shared --model.do barrier --data.train 12 --data.batch_size 2 --trainer.devices 2",
    "E0706": f"{DATA}WORLD_SIZE=2 RANK=0 LOCAL_RANK=0 MASTER_ADDR=nowhere.invalid MASTER_PORT=$PORT $HOST fit {TRAIN}",
    "E7001": DATA + program("ssh", "echo levin node $($HOST --version | cut -d\" \" -f2); yes nonsense | head -n 100") + f"$HOST fit {TRAIN} --hosts a,b",
    "E7003": f"{DATA}mkdir bin; cp $HOST bin; bin/host fit {TRAIN} --plugins $LIB --trust",
    "E7004": "ulimit -n 4; $HOST inspect $BAD/libgood.so",
    "E7005": DATA + program("ssh", "echo levin node 0.0.1; sleep 5") + f"$HOST fit {TRAIN} --hosts a,b",
}
# number: the test that expects it, by its file, which has to contain the number.
ELSEWHERE = {
    "E0101": "tests/engine/faults_test.cpp",
    "E0102": "tests/engine/faults_test.cpp",
    "E0103": "tests/engine/fits_faults_test.cpp",
    "E0104": "tests/engine/loggers_test.cpp",
    "E0107": "tests/engine/faults_test.cpp",
    "E0108": "tests/engine/data_modules_test.cpp",
    "E0109": "tests/engine/faults_test.cpp",
    "E0114": "tests/loops/optimization_test.cpp",
    "E0115": "tests/engine/faults_test.cpp",
    "E0116": "tests/engine/replicas_test.cpp",
    "E0118": "tests/engine/faults_test.cpp",
    "E0119": "tests/inference/torchscript_test.cpp",
    "E0121": "tests/launcher/nodes_test.cpp",
    "E0123": "tests/tasks/jobs.py",
    "E0124": "tests/sweep/sweeps.py",
    "E0125": "tests/tasks/jobs.py",
    "E0127": "tests/tasks/cluster.py",
    "E0208": "tests/engine/data_test.cpp",
    "E0225": "tests/board/board_test.cpp",
    "E0229": "tests/engine/answers_test.cpp",
    "E0230": "tests/engine/turns_test.cpp",
    "E0231": "tests/optim/scheduler_test.cpp",
    "E0233": "tests/engine/data_test.cpp",
    "E0238": "tests/runs/run_state_test.cpp",
    "E0246": "tests/trainer_library/several_test.cpp",
    "E0312": "tests/engine/faults_test.cpp",
    "E0313": "tests/engine/debug_plugins_test.cpp",
    "E0316": "tests/host/plugin_versions_test.cpp",
    "E0318": "tests/tasks/signatures.py",
    "E0402": "tests/engine/faults_test.cpp",
    "E0403": "tests/launcher/deaths_test.cpp",
    "E0405": "tests/engine/data_test.cpp",
    "E0406": "tests/sweep/journal_test.cpp",
    "E0504": "tests/engine/lightning_misfits_test.cpp",
    "E0506": "tests/engine/plugin_versions_test.cpp",
    "E0508": "tests/engine/resume_test.cpp",
    "E0509": "tests/engine/init_from_test.cpp",
    "E0510": "tests/engine/lightning_misfits_test.cpp",
    "E0601": "tests/trainer_library/several_test.cpp",
    "E0603": "tests/engine/non_finite_test.cpp",
    "E0701": "tests/launcher/signals_test.cpp",
    "E0707": "tests/launcher/deaths_test.cpp",
    "E7002": "tests/runs/run_state_test.cpp",
    "E7501": "tests/engine/screen_test.cpp",
}
# number: a command without which its row is skipped.
NEEDS = {
    "E0106": "test -x $HOST_TASKS",
    "E0110": "unshare -rm true",
    "E0126": "ldd $HOST_TASKS | grep -q libnats",
    "E0128": "ldd $HOST_TASKS | grep -q libnats",
    "E0130": "unshare -r true && ldd $HOST_TASKS | grep -q libnats",
    "E0239": "ldd $HOST_TASKS | grep -q libnats && PATH=$PATH:/usr/sbin command -v nats-server",
}
SECONDS = 120  # of a row, also on a machine that is busy


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return str(one.getsockname()[1])


def run(command, env, folder):
    """Exit code and stderr of a command of the shell; None and what it has said if it does not end. Whatever it has started ends."""
    with open(folder + "/.stderr", "w+", errors="replace") as err:
        process = subprocess.Popen(["/bin/sh", "-c", command], cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=err, start_new_session=True)
        try:
            code = process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            code = None
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()
        err.seek(0)
        return code, err.read()


def meet(code, env):
    """Runs a row. Returns a problem, or "skipped", or "" if the number is met."""
    command, folder = ROWS[code], tempfile.mkdtemp()
    env = {**env, "HOME": folder, "XDG_CACHE_HOME": folder, "XDG_DATA_HOME": folder, "PORT": free_port()}
    try:
        if code in NEEDS and run(NEEDS[code], env, folder)[0] != 0:
            return "skipped"
        exit_code, err = run(command, env, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    said = re.findall(r"^host: error(.*)$", err, re.M)
    if exit_code is None:
        return f"{code}: {command}\n    does not end within {SECONDS} s; it has said: {err[-300:] or 'nothing'}"
    if not said or not said[-1].startswith(f"[{code}]: "):
        return f"{code}: {command}\n    says: {said[-1] if said else err[-300:] or 'nothing'}"
    kind = int(code[1:3])
    return f"{code}: {command}\n    exits with {exit_code}" if exit_code != kind and kind < 10 else ""


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    host, root, bad = (pathlib.Path(word).resolve() for word in sys.argv[1:])
    lines = [line.split() for line in (root / "tests/errors/codes.txt").read_text().splitlines()]
    codes = {code for code, _, *word in lines if word != ["retired"]}
    problems = [f"{code} is not a number of an error" for code in {*ROWS, *ELSEWHERE} - codes]
    problems += [f"{code} is met by no test: give it a row" for code in sorted(codes - {*ROWS, *ELSEWHERE})]
    problems += [f"{file} does not expect {code}" for code, file in ELSEWHERE.items() if code not in (root / file).read_text()]
    env = {k: v for k, v in os.environ.items() if not k.startswith(("LEVIN_", "PL_"))}
    env.update(HOST=str(host), LIB=str(host.parent.parent / "lib/levin/plugins"), BAD=str(bad), TESTS=str(bad.parent / "plugins_for_tests"),
               HOST_TASKS=str(host.parent.parent / "libexec/levin/host-tasks"), SQUARES=str(bad.parent / "docs/tasks/libsquares.so"))
    with concurrent.futures.ThreadPoolExecutor(4) as pool:  # most rows wait most of the time
        answers = dict(zip(ROWS, pool.map(lambda code: meet(code, env), ROWS)))
    for code in [code for code, answer in answers.items() if answer not in ("", "skipped")]:
        print(f"tried again, alone: {answers[code]}")  # some rows have time limits, and others ran beside it
        answers[code] = meet(code, env)
    skipped = [code for code, answer in answers.items() if answer == "skipped"]
    problems += [answer for answer in answers.values() if answer not in ("", "skipped")]
    if problems:
        sys.exit("\n".join(problems))
    print(f"{len(ROWS) - len(skipped)} numbers are met here, {len(ELSEWHERE)} by other tests")
    if skipped:
        print("SKIPPED, as this machine lacks what they need: " + ", ".join(f"{code} ({NEEDS[code]})" for code in skipped))


main()
