# Completions of garden-gate for fish, which the program computes.

function __garden_gate_complete
    set -l words (commandline --current-process --tokenize --cut-at-cursor)
    set -l current (commandline --current-token --cut-at-cursor)
    set -l found (command garden-gate completions fish -- $words "$current" 2>/dev/null)
    if set -q found[1]
        printf '%s\n' $found
    else
        __fish_complete_path "$current"
    end
end

complete --command garden-gate --no-files --arguments '(__garden_gate_complete)'
