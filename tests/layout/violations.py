"""Usage: violations.py PROJECT. Checks that scripts/check_layout accepts a copy of the project, and reports each violation planted
in it and nothing else."""
import os
import shutil
import subprocess
import sys
import tempfile

# (file, text, expected report: the place in the file and a part of the message). A text that starts with + is appended.
VIOLATIONS = [
    ("core/base/climbs.cpp", '#include "../../host/cli/arguments.hpp"\n', ":1", "core/base may not use host/cli"),
    ("core/base/upwards.cpp", '\n#include "core/trainer/trainer.hpp"\n', ":2", "core/base may not use core/trainer"),
    ("core/cellar/new.cpp", "int cellar;\n", "", "core/cellar is in no line of ROOMS"),
    ("core/data/deep/new.cpp", "int deep;\n", "", "core/data/deep is in no line of ROOMS"),
    ("core/weights/tensors.cpp", "#include <torch/types.h>\n", ":1", "core/weights may not use torch"),
    ("core/checkpoint/container/tensors.cpp", "#include <ATen/ATen.h>\n", ":1", "core/checkpoint/container may not use torch"),
    ("core/data/source/up.cpp", '#include "core/data/loader.hpp"\n', ":1", "core/data does not come before core/data/source"),
    ("core/loops/beside.cpp", '#include "core/services/run.hpp"\n', ":1", "core/services does not come before core/loops"),
    ("core/strategies/dp/beside.cpp", '#include "core/strategies/zero1/zero1.hpp"\n', ":1", "is another folder of core/strategies/*"),
    ("core/abi/gone.cpp", '#include "core/abi/no_such_file.hpp"\n', ":1", "there is no such file"),
    ("core/abi/library.cpp", "#include <opencv2/core.hpp>\n", ":1", "does not know its library"),
    ("core/abi/sdk.cpp", "#include <levin/callback.hpp>\n", ":1", "may use levin/abi.h and the plain headers only"),
    ("host/cli/down.cpp", '#include "host/commands/command_line_run.hpp"\n', ":1", "host/commands does not come before host/cli"),
    ("launch/nodes/up.cpp", '#include "host/cli/arguments.hpp"\n', ":1", "launch/nodes may not use host/cli"),
    ("host/runs/torch.cpp", '#include "core/checkpoint/checkpoint_file.hpp"\n', ":1", "host/runs may not use core/checkpoint"),
    ("host/engine/crash/thin.cpp", '#include "host/cli/commands.hpp"\n', ":1", "host/engine/crash may not use host/cli"),
    ("core/loops/names_callback.cpp", 'const char* name = "early_stopping";\n', ":1", "names callbacks/early_stopping"),
    ("core/loops/names_model.cpp", "// As --model resnet does.\n", ":1", "names plugins/resnet"),
    ("core/data/names_data.cpp", 'const char* file = "libmnist.so";\n', ":1", "names plugins/mnist"),
    ("core/trainer/names_option.cpp", 'const char* option = "min_delta";\n', ":1", "names the option min_delta of callbacks/early_stopping"),
    ("callbacks/timer/core.cpp", '#include "core/base/text.hpp"\n', ":1", "a component may include its own folder and the SDK only"),
    ("callbacks/timer/torch.cpp", "#include <torch/types.h>\n", ":1", "callbacks/* may not use torch"),
    ("callbacks/timer/detail.cpp", '#include "levin/detail/object.hpp"\n', ":1", "levin/detail is the SDK's own"),
    ("loggers/csv/other.cpp", '#include "../jsonl/records.hpp"\n', ":1", "there is no such file"),
    ("examples/06-gan/core.cpp", '#include "core/base/text.hpp"\n', ":1", "a component may include its own folder and the SDK only"),
    ("sdk/include/levin/shown.hpp", "#pragma once\nnamespace levin {\n}  // namespace levin\n", ":2", "has to stand between"),
    ("sdk/include/levin/heavy.hpp", "#include <torch/types.h>\n", ":1", "a library that this tier of the SDK does not have"),
    ("host/CMakeLists.txt", "+target_link_libraries(host PRIVATE levin_core)\n", ":", "host must not link levin_core"),
    ("core/CMakeLists.txt", "+levin_rooms(levin_base loops)\n", ":", "core/loops is no room of levin_base"),
    ("callbacks/timer/CMakeLists.txt", "+target_link_libraries(timer PRIVATE levin_base)\n", ":", "a component must not link levin_base"),
]


def check(folder):
    return subprocess.run([os.path.join(folder, "scripts/check_layout"), folder], text=True, capture_output=True)


def main():
    project = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        files = subprocess.run(["git", "-C", project, "ls-files", "-co", "--exclude-standard"], check=True, text=True, capture_output=True).stdout
        for file in files.split("\n"):
            source = os.path.join(project, file)
            if file.startswith(("tests/", "docs/", "bench/")) or not os.path.isfile(source) or os.path.islink(source):
                continue
            os.makedirs(os.path.dirname(os.path.join(folder, file)), exist_ok=True)
            shutil.copy(source, os.path.join(folder, file))
        subprocess.run(["git", "init", "-q", folder], check=True)
        before = check(folder)
        if before.returncode != 0 or before.stdout != "the layout holds\n":
            sys.exit("the copy is refused before anything is planted:\n" + before.stdout + before.stderr)
        for file, text, _, _ in VIOLATIONS:
            os.makedirs(os.path.dirname(os.path.join(folder, file)), exist_ok=True)
            with open(os.path.join(folder, file), "a" if text[0] == "+" else "x") as out:
                out.write(text.lstrip("+"))
        after = check(folder)
        left, failed = after.stdout.rstrip("\n").split("\n"), []
        if after.returncode != 1:
            failed.append(f"it ends with {after.returncode}, not 1: {after.stderr}")
        for file, _, place, message in VIOLATIONS:
            found = [line for line in left if line.startswith(file + place) and message in line]
            if len(found) == 1:
                left.remove(found[0])
            else:
                failed.append(f"{file}: {len(found)} lines say '{message}'")
        failed += ["not planted: " + line for line in left]
        if failed:
            sys.exit("\n".join(failed))
        print(f"{len(VIOLATIONS)} violations, each reported")


main()
