#compdef sdt
# SPDX-License-Identifier: BSD-2-Clause
# Completion of sdt(1) for zsh; installed as _sdt.

_sdt() {
    local -a verbs help filter describe process duration keyed
    verbs=(
        'record:run a program and record its probes'
        'report:print the events of a recording'
        'export:write them for a trace viewer'
        'diff:compare two recordings'
        'recover:complete a recording after a crash'
        'run:start a program so that sdt can attach to it'
        'ps:list the attachable processes'
        'list:list the probes of a process, or of a file'
        'count:count how often probes are hit'
        'hist:show how values of probes are distributed'
        'lat:show how long it takes from one probe to another'
        'tree:show the calls below a function, with counts and times'
        'trace:print events of probes as they happen'
        'top:a live screen of the probes of a process'
        'serve:measure all processes that a file names, for a collector'
        'enable:count in the background'
        'disable:end counting in the background'
        'reset:end all requests of tools to a process'
        'snapshot:make a recording process flush its rings'
    )
    help=('(- *)'{-h,--help}'[print help and exit]')
    filter=('*'{-f+,--filter=}'[only events for which the expression holds]:expression: ')
    process=({-p+,--process=}'[a process that runs]:process:_pids')
    describe='--describe=[what fields of probes are]:file:_files'
    duration=({-d+,--duration=}'[stop after that time]:seconds: ')
    keyed=($process $duration $describe {-i+,--interval=}'[print each time]:seconds: '
        {-k+,--keys=}'[room for that many keys]:number: '
        {-t+,--top=}'[print that many keys]:number: ' {-f,--follow}'[also children]'
        '--restarts[also processes of that name that start later]'
        '--json[one object a line]'
        '--openmetrics[for a collector]' '--output=[with --openmetrics\: into a file]:file:_files'
        '--listen=[with --openmetrics\: serve it]:host\:port: '
        '--otlp=[to a receiver of OpenTelemetry]:URL: '
        '--exemplars[with these two\: hits with their trace_id]')
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
            _arguments -S $help $describe $process $duration {-f,--follow}'[also children]' \
                '--restarts[also processes of that name that start later]' \
                {-o+,--output=}'[the recording]:directory:_files -/' \
                '*'{-e+,--event=}'[record the probes that match]:pattern: ' \
                '--flight[overwrite the oldest events when memory is full]' \
                '--ring=[memory for each CPU]:size: ' \
                '--text=[bytes of a string that are kept]:size: ' \
                '--when=[take a snapshot whenever that holds]:condition: ' \
                '--stack=-[record the callers]::number: ' \
                '--context[record the ids of trace and span]' \
                '(-):program:_command_names -e' '*::arguments:_normal' ;;
        report)
            _arguments $help $filter $describe \
                {-j,--json}'[one object a line]' '--csv[comma-separated values]' \
                '--html=[write a page for a browser]:file:_files' \
                '*'{-m+,--match=}'[requests, or messages between hosts]:KEY or SEND RECEIVE by KEY: ' \
                '*'{-p+,--pair=}'[with --html\: time between probes]:BEGIN END [match EXPR]: ' \
                {-s,--summary}'[number of events of each probe, and losses]' \
                '--stack[show the callers]' \
                {-r,--relative}'[time since the first event]' \
                {-d,--delta}'[time since the event before]' \
                {-n+,--limit=}'[stop after that many events]:number: ' \
                '--snapshot=[only the events of that snapshot]:number: ' \
                '--tree=-[slices below what they were in]::name: ' \
                '--depth=[with --tree\: so many below each other]:number: ' \
                '--threads[with --tree\: a tree for each thread]' \
                '--min=[with --tree\: what took so much of the time]:percent: ' \
                '--folded[with --tree\: stacks for viewers of flame graphs]' \
                ':recording:_files -/' ;;
        export)
            _arguments $help $filter $describe \
                '--chrome=[write JSON trace events]:file:_files' \
                '--otlp=[write or send spans for OpenTelemetry]:file or URL:_files' \
                '--perfetto=[write the format of Perfetto]:file:_files' \
                '--sqlite=[write a database of SQLite]:file:_files' \
                '--parquet=[write files of Parquet]:directory:_files -/' \
                '*'{-m+,--match=}'[requests, or messages between hosts]:KEY or SEND RECEIVE by KEY: ' \
                '*'{-p+,--pair=}'[the time between two probes]:BEGIN END [match EXPR]: ' \
                {-c,--cpus}'[show all events again, by CPU]' \
                '*:recording:_files -/' ;;
        diff)
            _arguments $help $filter $describe \
                '*'{-b+,--by=}'[by the values of an expression]:expression: ' \
                '*'{-p+,--pair=}'[also the time between two probes]:BEGIN END [match EXPR]: ' \
                '--at-least=[smaller differences are no findings]:percent: ' \
                '*--fail-if=[exit with 1 if that holds]:condition: ' \
                {-k+,--keys=}'[with --by\: not more than that many]:number: ' \
                {-t+,--top=}'[print that many rows]:number: ' \
                {-j,--json}'[one object a line]' \
                '--html=[write a page for a browser]:file:_files' \
                ':recording:_files -/' ':recording:_files -/' ;;
        recover)
            _arguments $help ':recording:_files -/' ;;
        run)
            _arguments -S $help '(-):program:_command_names -e' '*::arguments:_normal' ;;
        ps)
            _arguments $help '--json[one object a line]' ;;
        list)
            _arguments $help $process $describe '--summary[a line for each probe]' \
                '--json[one object a line]' '*:file or pattern:_files' ;;
        count)
            _arguments $help $keyed '--sum[one count of all functions]' '*:pattern: ' ;;
        hist)
            _arguments $help $keyed {-l+,--linear=}'[buckets of equal width]:LOW\:STEP: ' \
                '*:pattern or expression: ' ;;
        lat)
            _arguments $help $keyed \
                '--histograms[with by\: instead of a table]' \
                {-n+,--outliers=}'[show so many of the slowest]:number: ' \
                '*:pattern: ' ;;
        tree)
            _arguments $help $process \
                {-d+,--depth=}'[see so many functions below each other]:number: ' \
                {-i+,--interval=}'[print each time]:seconds: ' \
                '--duration=[stop after that time]:seconds: ' \
                {-k+,--keys=}'[room for that many paths]:number: ' \
                {-m+,--min=}'[print what took so much of the time]:percent: ' \
                '--json[one object a line]' '--folded[stacks for viewers of flame graphs]' \
                '--html=[write a page with a flame graph]:file:_files' \
                {-f,--follow}'[also children]' \
                '--restarts[also processes of that name that start later]' \
                '*:function: ' ;;
        serve)
            _arguments $help $describe {-c+,--config=}'[a command on each line]:file:_files' \
                '--check[only check it]' '--listen=[serve the metrics]:host\:port: ' \
                '--output=[into a file]:file:_files' \
                '--otlp=[to a receiver of OpenTelemetry]:URL: ' \
                {-i+,--interval=}'[how often]:seconds: ' \
                '--series=[expose at most so many]:number: ' \
                '--processes=[measure at most so many]:number: ' ;;
        trace)
            _arguments $help $process $duration $describe '--json[one object a line]' \
                {-f,--follow}'[also children]' \
                '--restarts[also processes of that name that start later]' \
                {-n+,--limit=}'[end after that many events]:number: ' \
                {-r+,--rate=}'[events a second]:number: ' \
                '--stack=-[show the callers]::number: ' \
                '--context[show the ids of trace and span]' \
                '--events[a line for each entry and return of a function]' \
                '--relative[time since the first event]' '--delta[time since the event before]' \
                '*:pattern: ' ;;
        top)
            _arguments $help $process {-i+,--interval=}'[seconds between updates]:seconds: ' \
                {-f,--follow}'[also children]' \
                '*--pair=[also the time between two probes]:BEGIN END [match EXPR]: ' \
                '--functions[functions instead of probes]' \
                {-o,--off}'[count nothing at first]' '*:pattern: ' ;;
        enable)
            _arguments $help $process {-f,--follow}'[also in children]' '*:pattern: ' ;;
        disable | reset | snapshot)
            _arguments $help $process '*:pattern: ' ;;
    esac
}

_sdt "$@"
