#!/usr/bin/env python3
"""meet_errors.py HOST ROOT_OF_SOURCES BAD_PLUGINS

Meets errors: runs the HOST once for each row of ROWS, and looks at the number that it shows. Every number of
tests/errors/codes.txt has to be in ROWS, in ELSEWHERE (the test that expects it), or in NOT_MET_YET.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

DATA = "printf 'a,b,y\\n1,2,0\\n2,3,1\\n3,4,0\\n4,5,1\\n5,6,0\\n6,7,1\\n' > x.csv; "
TRAIN = "--model mlp --data csv --data.file x.csv --data.target y --trainer.accelerator cpu --trainer.max_epochs 1"
FIT = f"{DATA}$HOST fit {TRAIN}"
TRAINED = f"{FIT} > /dev/null 2>&1; CKPT=$(find levin_logs -name '*.ckpt' | head -n 1); "
# number: a command of the shell in an empty folder. $HOST is the program, $LIB the folder of its plugins, $BAD that of bad plugins.
ROWS = {
    "E0111": f"{FIT} --trainer.default_root_dir /proc/nowhere",
    "E0112": "$HOST help > /dev/full",
    "E0120": f"ulimit -v 300000; {FIT}",
    "E0122": f"{DATA}mkdir bin; printf '#!/bin/sh\\necho no such partition >&2; exit 1\\n' > bin/sbatch; chmod +x bin/sbatch; "
             f"PATH=$PWD/bin:$PATH $HOST submit fit {TRAIN}",
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
    "E0224": f"{DATA}WORLD_SIZE=two RANK=0 LOCAL_RANK=0 $HOST fit {TRAIN}",
    "E0227": f"{DATA}CUDA_VISIBLE_DEVICES= $HOST fit {TRAIN.replace('accelerator cpu', 'accelerator gpu')}",
    "E0236": f"{DATA}PATH=/nowhere $HOST submit fit {TRAIN}",
    "E0237": f"{DATA}$HOST submit --grid.model.lr 'log(1e-4,1)' fit {TRAIN}",
    "E0240": f"{FIT} --hosts a:x",
    "E0241": f"{TRAINED} $HOST export $CKPT --format safetensors --names '[]'",
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
    "E0314": "$HOST fit --model $LIB/libcsv_data.so",
    "E0317": "$HOST uninstall nowhere",
    "E0401": "$HOST fit --model mlp --data csv --data.file nowhere.csv --data.target y",
    "E0501": f"{FIT} --ckpt_path nowhere.ckpt",
    "E0502": "head -c 100 /dev/zero > x.ckpt; $HOST ckpt verify x.ckpt",
    "E0503": f"{TRAINED} $HOST validate {TRAIN} --ckpt_path $CKPT --model.hidden 5",
    "E0505": r"printf '\002\000\000\000\000\000\000\000{}' > x.safetensors; $HOST export x.safetensors --format torchscript",
    "E0702": f"{DATA}RANK=0 WORLD_SIZE=2 LOCAL_RANK=0 LOCAL_WORLD_SIZE=2 MASTER_ADDR=127.0.0.1 MASTER_PORT=29763 $HOST fit {TRAIN} "
             "--trainer.process_group_timeout 1",
    "E7003": f"{DATA}mkdir bin; cp $HOST bin; bin/host fit {TRAIN} --plugins $LIB --trust",
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
# A new number needs a row above. This list only shrinks.
NOT_MET_YET = {
    "E0105", "E0106", "E0110", "E0113", "E0117", "E0126", "E0128", "E0129", "E0130", "E0222", "E0223", "E0226", "E0228", "E0232", "E0234",
    "E0235", "E0238", "E0239", "E0242", "E0311", "E0315", "E0404", "E0407", "E0507", "E0602", "E0604", "E0703", "E0704", "E0705", "E0706",
    "E7001", "E7004", "E7005",
}


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    host, root, bad = (pathlib.Path(word).resolve() for word in sys.argv[1:])
    codes = {line.split()[0] for line in (root / "tests/errors/codes.txt").read_text().splitlines()}
    problems = [f"{code} is not a number of an error" for code in {*ROWS, *ELSEWHERE, *NOT_MET_YET} - codes]
    problems += [f"{code} is met by no test: give it a row" for code in sorted(codes - {*ROWS, *ELSEWHERE, *NOT_MET_YET})]
    problems += [f"{code} is met: take it from NOT_MET_YET" for code in sorted(NOT_MET_YET & {*ROWS, *ELSEWHERE})]
    problems += [f"{file} does not expect {code}" for code, file in ELSEWHERE.items() if code not in (root / file).read_text()]
    env = {k: v for k, v in os.environ.items() if not k.startswith(("LEVIN_", "PL_"))}
    env.update(HOST=str(host), LIB=str(host.parent.parent / "lib/levin/plugins"), BAD=str(bad))
    for code, command in ROWS.items():
        folder = tempfile.mkdtemp()
        try:
            env.update(HOME=folder, XDG_CACHE_HOME=folder, XDG_DATA_HOME=folder)
            done = subprocess.run(["/bin/sh", "-c", command], cwd=folder, env=env, capture_output=True, text=True, errors="replace", timeout=120)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        said = re.findall(r"^host: error(.*)$", done.stderr, re.M)
        if not said or not said[-1].startswith(f"[{code}]: "):
            problems.append(f"{code}: {command}\n    says: {said[-1] if said else done.stderr[-300:] or 'nothing'}")
        elif done.returncode != int(code[1:3]) and int(code[1:3]) < 10:
            problems.append(f"{code}: {command}\n    exits with {done.returncode}")
    if problems:
        sys.exit("\n".join(problems))
    print(f"{len(ROWS)} numbers are met here, {len(ELSEWHERE)} by other tests")
    if NOT_MET_YET:
        print(f"{len(NOT_MET_YET)} NUMBERS ARE MET BY NO TEST YET: {', '.join(sorted(NOT_MET_YET))}")


main()
