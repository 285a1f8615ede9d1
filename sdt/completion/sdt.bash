# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Completion of sdt(1) for bash. It needs nothing of the package bash-completion. What is not
# completed here is completed as the name of a file (complete -o default).

# Offer the words of $1 that begin with what is typed.
_sdt_offer() {
    mapfile -t COMPREPLY < <(compgen -W "$1" -- "$2")
}

_sdt() {
    local typed=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local i options word
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        _sdt_offer 'record report export recover --help --version' "$typed"
        return
    fi
    case ${COMP_WORDS[1]} in
        record) options='--output= --event= --describe= --flight --ring= --text= --help' ;;
        report) options='--filter= --describe= --json --csv --summary --relative --delta --limit= --help' ;;
        export) options='--chrome= --perfetto= --pair= --filter= --describe= --cpus --help' ;;
        recover) options='--help' ;;
        *) return ;;
    esac
    # An argument of an option: `=` is a word of its own.
    [[ $before == = || $typed == = ]] && return
    case $before in
        -o | -e | -f | -n | -p | --output | --event) return ;;
        --ring | --text | --filter | --limit | --pair) return ;;
        --chrome | --perfetto | --describe) return ;;
    esac
    if [[ ${COMP_WORDS[1]} == record ]]; then
        # Behind the program, everything is the program's.
        for ((i = 2; i < COMP_CWORD; i++)); do
            word=${COMP_WORDS[i]}
            [[ $word == -- ]] && break
            case ${COMP_WORDS[i - 1]} in
                -o | -e | --output | --event | --describe | --ring | --text | =) continue ;;
            esac
            [[ $word == -* || $word == = ]] || return
        done
        if [[ $typed != -* ]] || ((i < COMP_CWORD)); then
            ((COMP_CWORD - i > 1)) || mapfile -t COMPREPLY < <(compgen -c -- "$typed")
            return
        fi
    fi
    if [[ $typed == -* ]]; then
        _sdt_offer "$options" "$typed"
        [[ ${COMPREPLY[0]} != *= ]] || compopt -o nospace 2>/dev/null
    else
        mapfile -t COMPREPLY < <(compgen -d -- "$typed")
    fi
}

complete -o default -F _sdt sdt
