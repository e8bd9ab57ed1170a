#!/usr/bin/env bash
# Writes the programs in a document to a folder: code blocks whose first line is "// FILE: what it is" become FILE.
# code_blocks.sh DOCUMENT FOLDER
set -euo pipefail
mkdir -p "$2"
awk -v folder="$2" '
  /^```/ { inside = !inside; first = inside; file = ""; next }
  inside && first { first = 0; if (match($0, /^\/\/ [a-z_0-9]+\.(c|cpp|rs): /)) { file = $2; sub(/:$/, "", file); file = folder "/" file } }
  inside && file { print >file }
' "$1"
