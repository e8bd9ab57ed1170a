#!/usr/bin/env bash
# Writes the complete plugins in README.md and docs/plugin-guide.md as one project: the README's CMakeLists.txt, with a line added
# for each plugin of the guide. Blocks that are not a complete plugin are ignored.
# snippets.sh SOURCE FOLDER
set -euo pipefail
source=$1 folder=$2
mkdir -p "$folder"
awk -v folder="$folder" '
  # A block without includes gets those that the guide prescribes.
  function save(name, torch, includes) {
    torch = text ~ /torch::|at::/
    includes = "#include <levin/" (torch ? "torch" : "levin") ".hpp>\n" (text ~ /torch::nn/ ? "#include <torch/nn.h>\n" : "")
    printf "%s", (text ~ /#include <levin\// ? "" : includes) text >(folder "/" name ".cpp")
    if (FILENAME !~ /README/) print "levin_add_plugin(" name " SOURCES " name ".cpp" (torch ? " TORCH)" : ")") >(folder "/CMakeLists.txt")
  }
  /^```/ && kind {
    if (kind == "cmake" && text ~ /levin_add_plugin/) printf "%s", text >(folder "/CMakeLists.txt")
    if (kind == "cpp" && match(text, /LEVIN_PLUGIN\("org\.example\.[a-z_]+"/)) {
      split(substr(text, RSTART, RLENGTH), words, /[."]/)
      save(words[4])
    }
    kind = ""
    next
  }
  /^```/ { kind = substr($0, 4); text = ""; next }
  kind { text = text $0 "\n" }
' "$source/README.md" "$source/docs/plugin-guide.md"

for file in "$folder"/*.cpp; do
  grep -q "SOURCES $(basename "$file")" "$folder/CMakeLists.txt" || { echo "README.md shows $(basename "$file"), and its CMakeLists.txt does not build it"; exit 1; }
done
