#compdef sdt
# SPDX-License-Identifier: BSD-2-Clause
# Completion of sdt(1) for zsh; installed as _sdt.

_sdt() {
    local -a verbs help filter describe
    verbs=(
        'record:run a program and record its probes'
        'report:print the events of a recording'
        'export:write them for a trace viewer'
        'recover:complete a recording after a crash'
    )
    help=('(- *)'{-h,--help}'[print help and exit]')
    filter=('*'{-f+,--filter=}'[only events for which the expression holds]:expression: ')
    describe='--describe=[what fields of probes are]:file:_files'
    if ((CURRENT == 2)); then
        _describe command verbs
        _arguments $help '(- *)'{-V,--version}'[print the version and exit]'
        return
    fi
    local command=$words[2]
    shift words
    ((CURRENT--))
    case $command in
        record)
            _arguments -S $help $describe \
                {-o+,--output=}'[the recording]:directory:_files -/' \
                '*'{-e+,--event=}'[record the probes that match]:pattern: ' \
                '--flight[overwrite the oldest events when memory is full]' \
                '--ring=[memory for each CPU]:size: ' \
                '--text=[bytes of a string that are kept]:size: ' \
                '(-):program:_command_names -e' '*::arguments:_normal' ;;
        report)
            _arguments $help $filter $describe \
                {-j,--json}'[one object a line]' '--csv[comma-separated values]' \
                {-s,--summary}'[number of events of each probe, and losses]' \
                {-r,--relative}'[time since the first event]' \
                {-d,--delta}'[time since the event before]' \
                {-n+,--limit=}'[stop after that many events]:number: ' \
                ':recording:_files -/' ;;
        export)
            _arguments $help $filter $describe \
                '--chrome=[write JSON trace events]:file:_files' \
                '--perfetto=[write the format of Perfetto]:file:_files' \
                '*'{-p+,--pair=}'[from probe A to probe B is a slice]:A=B\:by ARG: ' \
                {-c,--cpus}'[show all events again, by CPU]' \
                ':recording:_files -/' ;;
        recover)
            _arguments $help ':recording:_files -/' ;;
    esac
}

_sdt "$@"
