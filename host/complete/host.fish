# fish completion of host: the candidates come from `host __complete`.
function __host_complete
    set -l words (commandline -opc)
    set -l program (string replace -r '^~/' ~/ -- $words[1])
    set -e words[1]
    set -l typed (commandline -ct)
    # A word may have an open quote.
    set -l plain (string unescape -- $typed; or string unescape -- $typed'"'; or string unescape -- $typed"'")
    set -q plain[1]; or set plain "$typed"
    set -l before (string match -r -- '^--[^=]*=' $plain)
    for line in (command $program __complete $words "$plain" 2>/dev/null)
        switch $line
            case ':files'
                __fish_complete_path (string replace -- "$before" '' $plain) | string replace -r -- '^' "$before"
            case ':folders'
                __fish_complete_directories (string replace -- "$before" '' $plain) '' | string replace -r -- '^' "$before"
            case '*'
                echo $line
        end
    end
end
complete -c host -f -k -a '(__host_complete)'
