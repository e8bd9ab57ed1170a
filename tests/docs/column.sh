#!/usr/bin/env bash
# Prints the values of the first column whose name starts with NAME, separated by spaces.
# column.sh NAME FILE.csv
awk -F, -v name="$1" '
  NR == 1 { for (i = NF; i > 0; --i) if (index($i, name) == 1) column = i; next }
  column && $column != "" { printf "%s%s", between, $column + 0; between = " " }
' "$2"
