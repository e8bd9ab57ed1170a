#!/usr/bin/env bash
# The projects written by `host new`: they build against an installed SDK, pass their own tests, and are found after their
# installation. The tutorials build models, data modules, callbacks and loggers in C++; all others are here.
# new_projects.sh BUILD SOURCE WORK [CMAKE_ARGS...]
set -euo pipefail
build=$1 source=$2 work=$3
shift 3
rm -rf "$work"
mkdir -p "$work/home"
cmake --install "$build" --prefix "$work/levin" >"$work/install.log"
host=$work/levin/bin/host
export RUSTUP_HOME=${RUSTUP_HOME:-${HOME:-/}/.rustup} CARGO_HOME=${CARGO_HOME:-${HOME:-/}/.cargo}  # if rustc is from rustup
export HOME=$work/home XDG_CACHE_HOME=$work/cache OMP_NUM_THREADS=1 OMP_WAIT_POLICY=passive
unset XDG_DATA_HOME LEVIN_PLUGIN_PATH
cd "$work"

languages=(cpp c rust)
if ! rustc --version >/dev/null 2>&1 || ! bindgen --version >/dev/null 2>&1; then
  echo "SKIPPED: the templates in Rust: rustc and bindgen are not there (apt install rustc bindgen)"
  languages=(cpp c)
fi
for language in "${languages[@]}"; do
  case $language in
    cpp) kinds=(optimizer metric tasks) ;;
    c) kinds=(model data callback logger optimizer tasks) ;;
    rust) kinds=(model data callback logger optimizer) ;;
  esac
  for kind in "${kinds[@]}"; do
    name=My-$kind-$language id=my_${kind}_$language
    "$host" new "$kind" "$name" "--$language" >"$name.log"
    {
      cmake -S "$name" -B "$name/build" -DCMAKE_PREFIX_PATH="$work/levin" -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE=-O0 "$@" && cmake --build "$name/build" &&
        ctest --test-dir "$name/build" --output-on-failure && cmake --install "$name/build" --prefix "$HOME/.local"
    } >>"$name.log" 2>&1 || { cat "$name.log"; echo "$name does not build or pass its tests"; exit 1; }
    echo "$name: $(grep 'tests passed' "$name.log")"
    "$host" help "$id" >/dev/null
  done
done

# The help lists the plugin's optimizer and its options.
"$host" help optimizers | grep -A2 '^Optimizers of plugins' | grep my_optimizer_
"$host" help my_optimizer_c | grep -A2 '^  momentum' | grep 'momentum factor'

# The commands printed by `host new` of a build work unchanged.
"$build/bin/host" new callback From-Build --c >from_build.log
grep '^  ' from_build.log >from_build.sh
(HOME=$work/other-home bash -e from_build.sh) >>from_build.log 2>&1 || { cat from_build.log; echo "a printed command fails"; exit 1; }
ls "$work/other-home/.local/share/levin/plugins/libfrom_build.so"

# A plugin with two libraries, one of its build and one from elsewhere, runs from the build and from the prefix.
mkdir libraries
cp My-callback-c/my_callback_c.c libraries/with_libraries.c
sed -i 's/my_callback_c/with_libraries/; s/self->slowest = 0;/self->slowest = elsewhere() + beside();/; s/^static double now/double elsewhere(void);\ndouble beside(void);\n&/' libraries/with_libraries.c
echo 'double elsewhere(void); double elsewhere(void) { return 0; }' >libraries/elsewhere.c
echo 'double beside(void); double beside(void) { return 0; }' >libraries/beside.c
cat >libraries/CMakeLists.txt <<'CMAKE'
cmake_minimum_required(VERSION 3.20)
project(with_libraries C)
find_package(Levin REQUIRED)
add_library(beside SHARED beside.c)
levin_add_plugin(with_libraries SOURCES with_libraries.c LIBRARIES beside ${CMAKE_SOURCE_DIR}/libelsewhere.so)
CMAKE
cc -shared -fPIC -o libraries/libelsewhere.so libraries/elsewhere.c
{
  cmake -S libraries -B libraries/build -DCMAKE_PREFIX_PATH="$work/levin" "$@" && cmake --build libraries/build &&
    cmake --install libraries/build --prefix "$HOME/.local"
} >libraries.log 2>&1 || { cat libraries.log; exit 1; }
for plugin in libraries/build/libwith_libraries.so "$HOME/.local/lib/levin/plugins/libwith_libraries.so"; do
  "$host" check "$plugin" >check.log 2>&1 || { cat check.log; exit 1; }
done

# Install from a build into the user's folder, and uninstall.
"$host" install My-data-c/build/libmy_data_c.so
"$host" plugins | grep -A1 "$HOME/.local/share/levin/plugins" | grep libmy_data_c.so
"$host" uninstall my_data_c

# Without CMake: the Makefile in the guide.
if pkg-config --version >/dev/null 2>&1 && make --version >/dev/null 2>&1; then
  mkdir make
  awk '/^```make/ { inside = 1; next } /^```/ { inside = 0 } inside' "$source/docs/plugin-guide.md" >make/Makefile
  "$host" new callback by_hand >/dev/null
  cp by_hand/by_hand.cpp make/
  export PKG_CONFIG_PATH=$work/levin/lib/pkgconfig
  make -s -C make libby_hand.so
  "$host" check make/libby_hand.so >check.log 2>&1 || { cat check.log; exit 1; }
  [ "$(pkg-config --modversion levin)" = "$("$host" --version | cut -d' ' -f2)" ]
  [ "$(realpath "$(pkg-config --variable=host levin)")" = "$(realpath "$host")" ]
else
  echo "SKIPPED: the build by make: pkg-config or make is not there (apt install pkgconf make)"
fi
ls "$work/levin/share/levin/examples/11-callback-in-rust/README.md" >/dev/null
