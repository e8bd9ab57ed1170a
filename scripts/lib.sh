# Functions for the other scripts, which source this file: messages, timed stages, packages, LibTorch, configuring and
# building.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

# ---- what is said
say() { printf '%s\n' "$*"; }
die() { printf '%s: %s\n' "$(basename "$0")" "$*" >&2; exit 1; }
usage() { sed -n '2,/^[^#]/{s/^# \{0,1\}//p}' "$0"; }  # the comment at the head of the script

# ---- stages: stage NAME COMMAND... runs the command and prints how long it took; need_stage also ends the script if it fails.
# A stage runs in a shell of its own that ends at the first command that fails. (So never call stage in a condition.)
stage_names=() stage_seconds=() stage_results=()
stage() {
  local name=$1 begin=$SECONDS
  shift
  printf '\n== %s\n' "$name"
  stage_result=ok
  set +e
  (set -e; "$@")
  [ $? -eq 0 ] || stage_result=FAILED
  set -e
  stage_names+=("$name") stage_seconds+=($((SECONDS - begin))) stage_results+=("$stage_result")
  printf '== %s: %s, %s s\n' "$name" "$stage_result" "$((SECONDS - begin))"
}
need_stage() {
  stage "$@"
  [ "$stage_result" = ok ] && return
  stage_table
  die "'$1' failed: see above"
}
# skip_stage NAME WHY: the stage is not run, which the table shows too
skip_stage() {
  printf '\n== %s: SKIPPED: %s\n' "$1" "$2"
  stage_names+=("$1: $2") stage_seconds+=(0) stage_results+=(SKIPPED)
}
any_stage_failed() { [[ " ${stage_results[*]-} " == *" FAILED "* ]]; }
stage_table() {
  local i
  printf '\nWhere the time went:\n'
  for i in "${!stage_names[@]}"; do
    printf '  %5s s  %-7s  %s\n' "${stage_seconds[$i]}" "${stage_results[$i]}" "${stage_names[$i]}"
  done
}

# ---- packages
as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; return; fi
  command -v sudo >/dev/null || die "installing packages needs root or sudo: run as root: $*"
  sudo "$@"
}
suite() { (. /etc/os-release && printf '%s' "${VERSION_CODENAME:-unknown}"); }
# wanted_packages WORD...: the names in scripts/packages whose words are all among WORD and the suite
wanted_packages() {
  awk -v have=" $(suite) $* " '{ sub(/#.*/, "") } NF {
    for (i = 2; i <= NF; i++) if (!index(have, " " $i " ")) next
    print $1 }' scripts/packages
}
missing_packages() {
  local name
  for name in "$@"; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$name" 2>/dev/null || true)" = installed ] || printf '%s\n' "$name"
  done
}
apt_get() { as_root env DEBIAN_FRONTEND=noninteractive apt-get -y -q "$@"; }
apt_knows() { [ "$(apt-cache policy "$@" 2>/dev/null | grep -c 'Candidate: [^(]')" -eq $# ]; }
need_packages() {
  local missing names
  command -v apt-get >/dev/null || { say "no apt here: install what scripts/packages lists yourself"; return; }
  names=$(wanted_packages "$@")
  mapfile -t missing < <(missing_packages $names)
  if [ ${#missing[@]} -eq 0 ]; then say "all packages are there"; return; fi
  say "installing: ${missing[*]}"
  apt_knows "${missing[@]}" || apt_get update >/dev/null
  apt_get install --no-install-recommends "${missing[@]}" >"$log_dir/apt.log" 2>&1 && return
  apt_get update >/dev/null  # lists that are out of date name packages that are gone
  apt_get install --no-install-recommends "${missing[@]}" >"$log_dir/apt.log" 2>&1 && return
  tail -n 20 "$log_dir/apt.log" >&2
  die "apt could not install them"
}

# ---- LibTorch: apt (the system's), pip (the current release, below .cache) or a folder
torch_dir='' torch_suffix=''
pip_torch=$root/.cache/torch-pip
choose_torch() {
  case $1 in
    apt) ;;
    pip) torch_dir=$pip_torch torch_suffix=-pip ;;
    *)
      [ -d "$1/include/ATen" ] || [ -d "$1/torch/include/ATen" ] ||
        die "--torch $1: not a LibTorch: it has no include/ATen (give apt, pip, or the folder of a wheel or zip)"
      torch_dir=$(cd "$1" && pwd)
      torch_suffix=-$(printf '%s' "$torch_dir" | cksum | cut -d' ' -f1)
      ;;
  esac
}
torch_packages() { case $1 in apt | pip) printf '%s' "$1" ;; esac; }
# The requirements of the wheel in $pip_torch that match a pattern, without their conditions.
torch_requires() {
  sed -n 's/^Requires-Dist: //p' "$pip_torch"/torch-*.dist-info/METADATA | grep -v 'extra ==' | cut -d';' -f1 | grep -E "$1" || true
}
pip_install() { python3 -m pip install -q --no-compile --disable-pip-version-check --root-user-action ignore --target "$pip_torch" "$@"; }
# Gets the current release of LibTorch. On a machine without a GPU its libtorch_cpu needs two small CUDA libraries, and with
# one it needs all that it names.
get_pip_torch() {
  local kind=cpu wanted
  if nvidia-smi -L >/dev/null 2>&1; then kind=cuda; fi
  if [ "$(cat "$pip_torch/.complete" 2>/dev/null)" = "$kind" ]; then say "there: $pip_torch ($kind)"; return; fi
  python3 -m pip --version >/dev/null 2>&1 || die "--torch pip needs python3 with pip (Debian: python3-pip)"
  rm -rf "$pip_torch"
  mkdir -p "$pip_torch"
  pip_install --no-deps torch
  if [ $kind = cuda ]; then
    mapfile -t wanted < <(torch_requires '^(cuda-toolkit|nvidia-)')
  else
    mapfile -t wanted < <(torch_requires '^(cuda-toolkit|nvidia-cuda-(runtime|cupti))' | sed 's/^cuda-toolkit\[[^]]*\]/cuda-toolkit[cudart,cupti]/')
  fi
  [ ${#wanted[@]} -eq 0 ] || pip_install "${wanted[@]}"
  printf '%s' $kind >"$pip_torch/.complete"
  say "$(cd "$pip_torch" && ls -d torch-*.dist-info | sed 's/\.dist-info//') ($kind) in $pip_torch, $(du -sh "$pip_torch" | cut -f1); remove that folder to get a newer one"
}

# ---- configure and build
log_dir=$root/build/log
mkdir -p "$log_dir"
build_dir() { printf 'build/%s%s' "$1" "$torch_suffix"; }
use_ccache() {
  command -v ccache >/dev/null || return 0
  # CCACHE_DEPEND keeps ccache from preprocessing a file again that is not in the cache.
  export LEVIN_LAUNCHER=ccache CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_DEPEND=1
}
configure() {
  local preset=$1
  shift
  use_ccache
  cmake --preset "$preset" -B "$(build_dir "$preset")" ${torch_dir:+-DLEVIN_TORCH="$torch_dir"} "$@" >"$log_dir/configure.log" 2>&1 || {
    cat "$log_dir/configure.log" >&2
    return 1
  }
  grep -E 'LibTorch|Warning' "$log_dir/configure.log" || true
}
# The plugins that a build may leave out.
more_plugins() { awk '/^[a-z]/ { print $1 }' plugins/more_plugins | xargs; }
# chosen_plugins NAME...: the plugins to build beyond those of every build: the named ones, and those of the last release build
chosen_plugins() {
  local cache before=usual
  cache=$(build_dir release)/CMakeCache.txt
  [ ! -f "$cache" ] || before=$(sed -nE 's/^LEVIN_BUILD_PLUGINS:[A-Z]+=//p' "$cache")
  printf '%s\n' ${before//;/ } "$@" | sort -u | xargs
}
# A LibTorch source takes up to 1.7 GB of memory to compile.
jobs() {
  local cores memory
  cores=$(nproc)
  memory=$(awk '/MemAvailable/ { print int($2 / 1700000) }' /proc/meminfo)
  [ "$memory" -ge 1 ] || memory=1
  printf '%s' $((memory < cores ? memory : cores))
}
build() {
  local preset=$1
  shift
  use_ccache
  cmake --build "$(build_dir "$preset")" -j "$(jobs)" ${1:+--target "$@"}
}

# ---- attacks on real runs: attack NAME OPTION... builds what they need and starts tests/reliability/NAME.py
attack() {
  case " $* " in *' -h '* | *' --help '*) usage; return ;; esac
  configure dev
  build dev reliability >"$log_dir/reliability-build.log" || { cat "$log_dir/reliability-build.log" >&2; return 1; }
  exec python3 "tests/reliability/$1.py" "$(build_dir dev)" "${@:2}"
}
