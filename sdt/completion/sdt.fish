# SPDX-License-Identifier: BSD-2-Clause
# Completion of sdt(1) for fish.

set -l commands record report export diff recover run ps list count hist lat \
    tree trace top serve enable disable reset snapshot
set -l none "not __fish_seen_subcommand_from $commands"
set -l record "__fish_seen_subcommand_from record"
set -l report "__fish_seen_subcommand_from report"
set -l export "__fish_seen_subcommand_from export"

complete -c sdt -n $none -f
complete -c sdt -n $none -a record -d 'Run a program and record its probes'
complete -c sdt -n $none -a report -d 'Print the events of a recording'
complete -c sdt -n $none -a export -d 'Write them for a trace viewer'
complete -c sdt -n $none -a diff -d 'Compare two recordings'
complete -c sdt -n $none -a recover -d 'Complete a recording after a crash'
complete -c sdt -n $none -a run -d 'Start a program so that sdt can attach to it'
complete -c sdt -n $none -a ps -d 'List the attachable processes'
complete -c sdt -n $none -a list -d 'List the probes of a process, or of a file'
complete -c sdt -n $none -a count -d 'Count how often probes are hit'
complete -c sdt -n $none -a hist -d 'Show how values of probes are distributed'
complete -c sdt -n $none -a lat -d 'Show how long it takes from one probe to another'
complete -c sdt -n $none -a tree -d 'Show the calls below a function, with counts and times'
complete -c sdt -n $none -a trace -d 'Print events of probes as they happen'
complete -c sdt -n $none -a top -d 'A live screen of the probes of a process'
complete -c sdt -n $none -a serve -d 'Measure all processes that a file names, for a collector'
complete -c sdt -n $none -a enable -d 'Count in the background'
complete -c sdt -n $none -a disable -d 'End counting in the background'
complete -c sdt -n $none -a reset -d 'End all requests of tools to a process'
complete -c sdt -n $none -a snapshot -d 'Make a recording process flush its rings'
complete -c sdt -n $none -s V -l version -d 'Print the version'
complete -c sdt -s h -l help -d 'Print help'

complete -c sdt -n $record -s o -l output -r -F -d 'The recording'
complete -c sdt -n $record -s d -l duration -x -d 'Record a process that long'
complete -c sdt -n $record -s e -l event -x -d 'Record the probes that match'
complete -c sdt -n $record -l describe -r -F -d 'What fields of probes are'
complete -c sdt -n $record -l flight -d 'Overwrite the oldest events when memory is full'
complete -c sdt -n $record -l ring -x -d 'Memory for each CPU'
complete -c sdt -n $record -l text -x -d 'Bytes of a string that are kept'
complete -c sdt -n $record -l stack -d 'Record the callers'
complete -c sdt -n $record -l context -d 'Record the ids of trace and span'
complete -c sdt -n $record -l when -x -d 'Take a snapshot whenever that holds'
complete -c sdt -n $record -a '(__fish_complete_command)'

complete -c sdt -n $report -s j -l json -d 'One object a line'
complete -c sdt -n $report -l csv -d 'Comma-separated values'
complete -c sdt -n $report -l html -r -F -d 'Write a page for a browser'
complete -c sdt -n $report -s m -l match -x -d 'KEY of requests, or SEND RECEIVE by KEY'
complete -c sdt -n $report -s p -l pair -x -d 'With --html: BEGIN END [match EXPR] is a slice'
complete -c sdt -n $report -s s -l summary -d 'Number of events of each probe, and losses'
complete -c sdt -n $report -l stack -d 'Show the callers'
complete -c sdt -n $report -s r -l relative -d 'Time since the first event'
complete -c sdt -n $report -s d -l delta -d 'Time since the event before'
complete -c sdt -n $report -l snapshot -x -d 'Only the events of that snapshot'
complete -c sdt -n $report -l tree -d 'Slices below what they were in'
complete -c sdt -n $report -l depth -x -d 'With --tree: so many below each other'
complete -c sdt -n $report -l threads -d 'With --tree: a tree for each thread'
complete -c sdt -n $report -l min -x -d 'With --tree: what took so much of the time'
complete -c sdt -n $report -l folded -d 'With --tree: stacks for viewers of flame graphs'
complete -c sdt -n $report -s n -l limit -x -d 'Stop after that many events'

complete -c sdt -n $export -l chrome -r -F -d 'Write JSON trace events'
complete -c sdt -n $export -l otlp -r -F -d 'Write or send spans for OpenTelemetry'
complete -c sdt -n $export -l perfetto -r -F -d 'Write the format of Perfetto'
complete -c sdt -n $export -l sqlite -r -F -d 'Write a database of SQLite'
complete -c sdt -n $export -l parquet -r -F -d 'Write a directory of Parquet files'
complete -c sdt -n $export -s m -l match -x -d 'KEY of requests, or SEND RECEIVE by KEY'
complete -c sdt -n $export -s p -l pair -x -d 'BEGIN END [match EXPR] is a slice'
complete -c sdt -n $export -s c -l cpus -d 'Show all events again, by CPU'

set -l diff "__fish_seen_subcommand_from diff"
complete -c sdt -n $diff -s b -l by -x -d 'By the values of an expression'
complete -c sdt -n $diff -s p -l pair -x -d 'Also the time: BEGIN END [match EXPR]'
complete -c sdt -n $diff -l at-least -x -d 'Smaller differences are no findings'
complete -c sdt -n $diff -l fail-if -x -d 'Exit with 1 if that holds'
complete -c sdt -n $diff -s k -l keys -x -d 'With --by: not more than that many'
complete -c sdt -n $diff -s t -l top -x -d 'Print that many rows'
complete -c sdt -n $diff -s j -l json -d 'One object a line'
complete -c sdt -n $diff -l html -r -F -d 'Write a page for a browser'

complete -c sdt -n '__fish_seen_subcommand_from report export diff' -s f -l filter -x \
    -d 'Only events for which the expression holds'
complete -c sdt -l describe -r -F \
    -n '__fish_seen_subcommand_from report export diff list count hist lat trace serve' \
    -d 'What fields of probes are'

set -l live record list count hist lat tree trace top enable disable reset snapshot
complete -c sdt -n "__fish_seen_subcommand_from $live" -s p -l process -x \
    -a '(__fish_complete_pids)' -d 'A process that runs'
complete -c sdt -n '__fish_seen_subcommand_from ps list count hist lat tree trace' -l json -d 'One object a line'
complete -c sdt -n '__fish_seen_subcommand_from list' -l summary -d 'A line for each probe'
complete -c sdt -n '__fish_seen_subcommand_from count hist lat trace' -s d -l duration -x \
    -d 'Stop after that time'
complete -c sdt -n '__fish_seen_subcommand_from count hist lat tree top' -s i -l interval -x \
    -d 'Print each time'
complete -c sdt -n '__fish_seen_subcommand_from count hist lat tree' -s k -l keys -x \
    -d 'Room for that many keys'
complete -c sdt -n '__fish_seen_subcommand_from count hist lat' -s t -l top -x \
    -d 'Print that many keys'
complete -c sdt -n '__fish_seen_subcommand_from count' -l sum -d 'One count of all functions'
complete -c sdt -n '__fish_seen_subcommand_from count hist lat' -l openmetrics \
    -d 'For a collector'
complete -c sdt -n '__fish_seen_subcommand_from count hist lat' -l otlp -x \
    -d 'URL of a receiver of OpenTelemetry'
complete -c sdt -n '__fish_seen_subcommand_from count hist lat' -l exemplars \
    -d 'With these two: hits with their trace_id'
complete -c sdt -n '__fish_seen_subcommand_from count hist lat' -l output -r -F \
    -d 'With --openmetrics: into a file'
complete -c sdt -n '__fish_seen_subcommand_from count hist lat' -l listen -x \
    -d 'With --openmetrics: serve it at HOST:PORT'
set -l serve '__fish_seen_subcommand_from serve'
complete -c sdt -n $serve -s c -l config -r -F -d 'A command on each line'
complete -c sdt -n $serve -l check -d 'Only check it'
complete -c sdt -n $serve -l listen -x -d 'Serve the metrics at HOST:PORT'
complete -c sdt -n $serve -l output -r -F -d 'Into a file'
complete -c sdt -n $serve -l otlp -x -d 'URL of a receiver of OpenTelemetry'
complete -c sdt -n $serve -s i -l interval -x -d 'How often'
complete -c sdt -n $serve -l series -x -d 'Expose at most so many'
complete -c sdt -n $serve -l processes -x -d 'Measure at most so many'
complete -c sdt -s f -l follow -d 'Also children' \
    -n '__fish_seen_subcommand_from record count hist lat tree trace top enable'
complete -c sdt -l restarts -d 'Also processes of that name that start later' \
    -n '__fish_seen_subcommand_from record count hist lat tree trace'
complete -c sdt -n '__fish_seen_subcommand_from hist' -s l -l linear -x -d 'Buckets: LOW:STEP'
complete -c sdt -n '__fish_seen_subcommand_from lat' -l histograms \
    -d 'With by: histograms instead of a table'
complete -c sdt -n '__fish_seen_subcommand_from lat' -s n -l outliers -x \
    -d 'Show so many of the slowest, with their arguments'
complete -c sdt -n '__fish_seen_subcommand_from tree' -s d -l depth -x \
    -d 'See so many functions below each other'
complete -c sdt -n '__fish_seen_subcommand_from tree' -l duration -x -d 'Stop after that time'
complete -c sdt -n '__fish_seen_subcommand_from tree' -s m -l min -x \
    -d 'Print what took so much percent of the time'
complete -c sdt -n '__fish_seen_subcommand_from tree' -l html -r -F \
    -d 'Write a page with a flame graph'
complete -c sdt -n '__fish_seen_subcommand_from tree' -l folded \
    -d 'Stacks for viewers of flame graphs'
complete -c sdt -n '__fish_seen_subcommand_from trace' -s n -l limit -x \
    -d 'End after that many events'
complete -c sdt -n '__fish_seen_subcommand_from trace' -s r -l rate -x -d 'Events a second'
complete -c sdt -n '__fish_seen_subcommand_from trace' -l stack -d 'Show the callers'
complete -c sdt -n '__fish_seen_subcommand_from trace' -l context \
    -d 'Show the ids of trace and span'
complete -c sdt -n '__fish_seen_subcommand_from trace' -l events -d 'A line for each entry and return'
complete -c sdt -n '__fish_seen_subcommand_from trace' -l relative -d 'Time since the first event'
complete -c sdt -n '__fish_seen_subcommand_from trace' -l delta -d 'Time since the event before'
complete -c sdt -n '__fish_seen_subcommand_from top' -l pair -x \
    -d 'Also the time from probe BEGIN to probe END'
complete -c sdt -n '__fish_seen_subcommand_from top' -l functions \
    -d 'Functions instead of probes'
complete -c sdt -n '__fish_seen_subcommand_from top' -s o -l off -d 'Count nothing at first'
complete -c sdt -n '__fish_seen_subcommand_from run' -a '(__fish_complete_command)'
