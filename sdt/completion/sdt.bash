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
        _sdt_offer 'record report export diff recover run ps list count hist lat tree trace top serve \
            enable disable reset snapshot --help --version' "$typed"
        return
    fi
    case ${COMP_WORDS[1]} in
        record)
            options='--process= --output= --event= --describe= --flight --ring= --text= --when='
            options+=' --duration= --follow --restarts --stack --context --help' ;;
        report)
            options='--filter= --describe= --json --csv --html= --match= --pair= --summary'
            options+=' --stack --relative --delta --limit= --snapshot= --tree --depth= --threads --min='
            options+=' --folded --help' ;;
        export)
            options='--chrome= --otlp= --perfetto= --sqlite= --parquet= --match= --pair= --filter= --describe='
            options+=' --cpus --help' ;;
        diff)
            options='--by= --filter= --pair= --describe= --at-least= --fail-if= --keys= --top='
            options+=' --json --html= --help' ;;
        recover | run) options='--help' ;;
        ps) options='--json --help' ;;
        list) options='--process= --describe= --summary --json --help' ;;
        count | hist | lat)
            options='--process= --duration= --interval= --keys= --top= --follow --restarts --json'
            options+=' --describe= --openmetrics --output= --listen= --otlp= --exemplars --help'
            [[ ${COMP_WORDS[1]} != count ]] || options+=' --sum'
            [[ ${COMP_WORDS[1]} != hist ]] || options+=' --linear='
            [[ ${COMP_WORDS[1]} != lat ]] || options+=' --outliers= --histograms' ;;
        tree)
            options='--process= --depth= --interval= --duration= --keys= --min= --json --folded'
            options+=' --html= --follow --restarts --help' ;;
        trace)
            options='--process= --duration= --limit= --rate= --follow --stack --relative --delta'
            options+=' --describe= --restarts --json --context --events --help' ;;
        top) options='--process= --interval= --follow --off --pair= --functions --help' ;;
        serve)
            options='--config= --check --listen= --output= --otlp= --interval= --series= --processes='
            options+=' --describe= --help' ;;
        enable) options='--process= --follow --help' ;;
        disable | reset | snapshot) options='--process= --help' ;;
        *) return ;;
    esac
    # An argument of an option: `=` is a word of its own.
    [[ $before == = || $typed == = ]] && return
    case $before in
        -o | -e | -f | -n | -p | --output | --event) return ;;
        -d | -i | --process | --duration | --interval) return ;;
        -k | -t | -l | -m | --keys | --top | --linear | --outliers | --rate) return ;;
        --min | --depth) return ;;
        --ring | --text | --when | --filter | --limit | --match | --pair | --snapshot) return ;;
        --chrome | --perfetto | --sqlite | --parquet | --html | --describe) return ;;
        -b | --by | --at-least | --fail-if | --listen) return ;;
    esac
    if [[ ${COMP_WORDS[1]} == record || ${COMP_WORDS[1]} == run ]]; then
        # After the program, everything is the program's.
        for ((i = 2; i < COMP_CWORD; i++)); do
            word=${COMP_WORDS[i]}
            [[ $word == -- ]] && break
            case ${COMP_WORDS[i - 1]} in
                -o | -e | -p | --output | --event | --describe | --ring | --text | --process | =)
                    continue ;;
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
    elif [[ ${COMP_WORDS[1]} == re* && ${COMP_WORDS[1]} != reset ||
        ${COMP_WORDS[1]} == export || ${COMP_WORDS[1]} == diff ]]; then
        mapfile -t COMPREPLY < <(compgen -d -- "$typed")
    fi
}

complete -o default -F _sdt sdt
