#compdef garden-gate
# Completions of garden-gate for zsh, which the program computes.

_garden-gate() {
    local -a found
    found=("${(@f)$(command garden-gate completions zsh -- "${(@Q)words[1,CURRENT-1]}" "$PREFIX" 2>/dev/null)}")
    if [[ -n "${found[*]}" ]]; then
        _describe 'values' found
    else
        compset -P '*='
        _files
    fi
}

if [[ "${funcstack[1]}" == "_garden-gate" ]]; then
    _garden-gate "$@"
else
    compdef _garden-gate garden-gate
fi
