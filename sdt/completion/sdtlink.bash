# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Completion of sdtlink(1) for bash. It needs nothing of the package bash-completion. What is not
# completed here is completed as the name of a file (complete -o default).

_sdtlink() {
    local typed=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local options='--output= --companion --dry-run --json --no-notes --require-probes'
    COMPREPLY=()
    options+=' --ignore-stapsdt --freestanding --notes --verbose --quiet --help --version --ld --at-compile --runtime='
    options+=' --stapsdt= --runtime-directory= --functions'
    if [[ $typed == = || $before == = ]]; then
        [[ $before == = ]] && before=${COMP_WORDS[COMP_CWORD - 2]}
        case $before in
            --runtime) options='auto static shared none' ;;
            --stapsdt) options='project all none' ;;
            --check) options='error warning note never' ;;
            *) return ;;
        esac
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "${typed#=}")
        return
    fi
    case ${COMP_WORDS[1]} in
        list)
            options='--json --summary --demangle --match= --describe= --check --consumers='
            options+=' --ignore= --sarif --rules --help' ;;
        verify) options='--against --quiet --help' ;;
        finalize) options='--dry-run --quiet --help' ;;
        -*) ;;
        *) # the command that is launched
            if ((COMP_CWORD == 1)); then
                mapfile -t COMPREPLY < <(compgen -W 'list verify finalize' -- "$typed"
                    [[ -z $typed ]] || compgen -c -- "$typed")
            fi
            return ;;
    esac
    if [[ $typed == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$typed")
        [[ ${COMPREPLY[0]} != *= ]] || compopt -o nospace 2>/dev/null
    fi
}

complete -o default -F _sdtlink sdtlink
