#!/usr/bin/env bash
# Builds third-party projects, including the plugins of the documentation, against an installed SDK that was moved after the
# installation.
# out_of_tree.sh BUILD SOURCE WORK [CMAKE_ARGS...]
set -euo pipefail
build=$1 source=$2 work=$3
shift 3
rm -rf "$work"
mkdir -p "$work"

cmake --install "$build" --prefix "$work/first" >"$work/install.log"
mv "$work/first" "$work/moved"
# LibTorch itself may be anywhere, including below the source.
if grep -rE "$work/first|$source/" "$work/moved/lib/cmake" "$work/moved/include" | grep -v LEVIN_TORCH; then
  echo "the files above name a folder of the build machine"
  exit 1
fi

for file in man/man1/host-fit.1 man/man7/host-options.7 bash-completion/completions/host zsh/site-functions/_host fish/vendor_completions.d/host.fish; do
  [ -s "$work/moved/share/$file" ] || { echo "share/$file is missing"; exit 1; }
done

host=$work/moved/bin/host
"$(dirname "$0")/snippets.sh" "$source" "$work/documentation-src"
# What the tutorials build (a network, programs with Levin::inference and Levin::trainer) is not built again.
for project in examples/04-out-of-tree examples/05-model-in-c examples/15-own-program documentation; do
  out=$work/$(basename "$project") targets=()
  [ -d "$out-src" ] || cp -r "$source/$project" "$out-src"
  cmake -S "$out-src" -B "$out" -DCMAKE_PREFIX_PATH="$work/moved" -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE=-O0 "$@" >"$out.log" 2>&1 || { cat "$out.log"; exit 1; }
  [ "$project" != examples/15-own-program ] || targets=(--target plain_module)
  cmake --build "$out" "${targets[@]}" >>"$out.log" 2>&1 || { cat "$out.log"; exit 1; }
done

cd "$work"
"$host" plugins --plugins "$work/04-out-of-tree"
run() {
  echo "host $*"
  "$host" "$@" --trainer.default_root_dir "$work/runs" --trainer.enable_progress_bar false
}
run fit --plugins "$work/04-out-of-tree" --model two_layers --data moons --callback target_reached --callback.target_reached.target 0.01 --max_epochs 2
run fit --plugins "$work/04-out-of-tree" --plugins "$work/05-model-in-c" --model c_mlp --data moons --max_epochs 2
run fit --plugins "$work/documentation" --plugins "$work/04-out-of-tree" --model org.example.perceptron:perceptron --data moons --callback hello --max_epochs 1
run fit --plugins "$work/documentation" --model "$work/documentation/libmlp.so" --data squares --max_epochs 1
run fit --plugins "$work/documentation" --model "$work/documentation/libmlp.so" --data ticks --callback smoothed --max_epochs 1
run predict --plugins "$work/documentation" --model org.example.perceptron:perceptron --data squares --callback means
"$host" check "$work/documentation/libsignum.so"
# A program that uses a trained model, built with pkg-config.
checkpoint=$(ls "$work"/runs/levin_logs/version_0/checkpoints/*.ckpt | head -1)
if command -v pkg-config >/dev/null; then
  # shellcheck disable=SC2046
  c++ -std=c++17 "$source/examples/12-inference/predict.cpp" -o "$work/predict" \
    $(PKG_CONFIG_PATH=$work/moved/lib/pkgconfig pkg-config --cflags --libs levin_inference)
  "$work/predict" "$checkpoint" 0.5 -0.25
fi
# A program with its own model and the Trainer.
own_program() { (mkdir -p "$work/own" && cd "$work/own" && rm -f ./*.ckpt && "$1" && test -s "${2:-net}.ckpt"); }
own_program "$work/15-own-program/plain_module" plain
if command -v pkg-config >/dev/null; then
  # shellcheck disable=SC2046
  c++ -std=c++17 "$source/examples/15-own-program/own_program.cpp" -o "$work/own_program" \
    $(PKG_CONFIG_PATH=$work/moved/lib/pkgconfig pkg-config --cflags --libs levin_trainer)
  own_program "$work/own_program"
fi
test -s "$work/runs/levin_logs/version_0/metrics.csv"
ls "$work"/runs/levin_logs/version_0/checkpoints/*.ckpt
