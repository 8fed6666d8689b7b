# Completions of garden-gate for bash, which the program computes.

_garden_gate() {
    local IFS=$'\n'
    COMPREPLY=($(command garden-gate completions bash -- "${COMP_WORDS[@]:0:COMP_CWORD+1}" 2>/dev/null))
    if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]]; then
        compopt -o nospace 2>/dev/null
    fi
}

# Without candidates, bash completes names of files, and quotes them.
complete -o bashdefault -o default -F _garden_gate garden-gate
