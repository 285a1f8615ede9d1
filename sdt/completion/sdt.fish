# SPDX-License-Identifier: BSD-2-Clause
# Completion of sdt(1) for fish.

set -l commands record report export recover
set -l none "not __fish_seen_subcommand_from $commands"
set -l record "__fish_seen_subcommand_from record"
set -l report "__fish_seen_subcommand_from report"
set -l export "__fish_seen_subcommand_from export"

complete -c sdt -n $none -f
complete -c sdt -n $none -a record -d 'Run a program and record its probes'
complete -c sdt -n $none -a report -d 'Print the events of a recording'
complete -c sdt -n $none -a export -d 'Write them for a trace viewer'
complete -c sdt -n $none -a recover -d 'Complete a recording after a crash'
complete -c sdt -n $none -s V -l version -d 'Print the version'
complete -c sdt -s h -l help -d 'Print help'

complete -c sdt -n $record -s o -l output -r -F -d 'The recording'
complete -c sdt -n $record -s e -l event -x -d 'Record the probes that match'
complete -c sdt -n $record -l describe -r -F -d 'What fields of probes are'
complete -c sdt -n $record -l flight -d 'Overwrite the oldest events when memory is full'
complete -c sdt -n $record -l ring -x -d 'Memory for each CPU'
complete -c sdt -n $record -l text -x -d 'Bytes of a string that are kept'
complete -c sdt -n $record -a '(__fish_complete_command)'

complete -c sdt -n $report -s j -l json -d 'One object a line'
complete -c sdt -n $report -l csv -d 'Comma-separated values'
complete -c sdt -n $report -s s -l summary -d 'Number of events of each probe, and losses'
complete -c sdt -n $report -s r -l relative -d 'Time since the first event'
complete -c sdt -n $report -s d -l delta -d 'Time since the event before'
complete -c sdt -n $report -s n -l limit -x -d 'Stop after that many events'

complete -c sdt -n $export -l chrome -r -F -d 'Write JSON trace events'
complete -c sdt -n $export -l perfetto -r -F -d 'Write the format of Perfetto'
complete -c sdt -n $export -s p -l pair -x -d 'From probe A to probe B is a slice'
complete -c sdt -n $export -s c -l cpus -d 'Show all events again, by CPU'

complete -c sdt -n '__fish_seen_subcommand_from report export' -s f -l filter -x \
    -d 'Only events for which the expression holds'
complete -c sdt -n '__fish_seen_subcommand_from report export' -l describe -r -F \
    -d 'What fields of probes are'
