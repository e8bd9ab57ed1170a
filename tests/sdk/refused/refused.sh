#!/usr/bin/env bash
# Classes that must not compile: each causes exactly the error messages above it, after "// refused: ", and no other
# error.
# refused.sh FILE COMPILER [OPTION...]
set -euo pipefail
file=$1
shift
said=$("$@" -fsyntax-only "$file" 2>&1 | grep -E '(^|: )(fatal )?error: ' || true)
sentences=$(sed -n 's,^ *// refused: ,,p' "$file")
failed=0
complain() { printf '%s\n' "$1" && failed=1; }
while read -r sentence; do
  wanted=$(grep -cxF -- "$sentence" <<<"$sentences")
  got=$(awk -v sentence="$sentence" '{ sub(/"$/, "") } substr($0, length($0) - length(sentence) + 1) == sentence' <<<"$said" | wc -l)
  [ "$got" = "$wanted" ] || complain "told $got times instead of $wanted: $sentence"
done < <(sort -u <<<"$sentences")
[ "$(grep -c . <<<"$said")" = "$(grep -c . <<<"$sentences")" ] || complain "other errors too:"$'\n'"$said"
exit $failed
