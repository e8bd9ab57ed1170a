# bash completion of host: the candidates come from `host __complete`.

# Sets `plain` to a word of the command line without its quotes. Nothing in it is expanded.
_host_unquote() {
  local word=$1 quote='' char i
  plain=$word
  [[ $word == *[\\\'\"]* ]] || return 0
  plain=''
  for ((i = 0; i < ${#word}; ++i)); do
    char=${word:i:1}
    if [[ $quote == "'" ]]; then
      if [[ $char == "'" ]]; then quote=''; else plain+=$char; fi
    elif [[ $char == "\\" ]]; then
      ((++i))
      if [[ $quote && ${word:i:1} != [\\\"\$\`] ]]; then plain+="\\"; fi
      plain+=${word:i:1}
    elif [[ $char == '"' ]]; then
      if [[ $quote ]]; then quote=''; else quote='"'; fi
    elif [[ $char == "'" && ! $quote ]]; then
      quote="'"
    else
      plain+=$char
    fi
  done
}

_host() {
  local rest=${COMP_LINE:0:COMP_POINT} part='' stripped plain candidate about i
  local -a words=()
  # Bash breaks words at = and : too. Parts without a space between them are one word.
  for ((i = 0; i <= COMP_CWORD; ++i)); do
    stripped=${rest#"${rest%%[![:space:]]*}"}
    part=${COMP_WORDS[i]}
    if ((i == COMP_CWORD)); then part=$stripped; fi
    if ((i > 0)) && [[ $rest == "$stripped" && $rest ]]; then words[-1]+=$part; else words+=("$part"); fi
    rest=${stripped#"$part"}
  done
  if [[ $part && $part != *[!=:]* ]]; then part=''; fi # the cursor is behind a = or :
  _host_unquote "$part"
  part=$plain
  for ((i = 0; i < ${#words[@]}; ++i)); do
    _host_unquote "${words[i]}"
    words[i]=$plain
  done
  # Bash replaces only the last part of the word, so the candidates lose the parts before it.
  local -i cut=$((${#plain} - ${#part}))
  COMPREPLY=()
  compopt -o nosort 2>/dev/null
  while IFS=$'\t' read -r candidate about; do
    case $candidate in
    :files | :folders)
      local kind=-f
      if [[ $candidate == :folders ]]; then kind=-d; fi
      compopt -o filenames 2>/dev/null
      while IFS= read -r candidate; do COMPREPLY+=("$candidate"); done < <(compgen "$kind" -- "$part")
      ;;
    *)
      if [[ $candidate == */* ]]; then compopt -o filenames 2>/dev/null; fi
      COMPREPLY+=("${candidate:cut}")
      ;;
    esac
  done < <(command "${words[0]/#~\//$HOME/}" __complete "${words[@]:1}" 2>/dev/null)
  if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *. ]]; then compopt -o nospace 2>/dev/null; fi
}
complete -F _host host
