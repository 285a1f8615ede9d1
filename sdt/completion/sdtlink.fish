# SPDX-License-Identifier: BSD-2-Clause
# Completion of sdtlink(1) for fish.

set -l commands list verify finalize
set -l none "not __fish_seen_subcommand_from $commands"
set -l list "__fish_seen_subcommand_from list"

complete -c sdtlink -n $none -a list -d 'List the probe sites of files'
complete -c sdtlink -n $none -a verify -d 'Prove that sites, probes and stubs are as recorded'
complete -c sdtlink -n $none -a finalize -d 'Remove notes about code that the linker dropped'
complete -c sdtlink -n $none -a '(__fish_complete_command)'
complete -c sdtlink -s h -l help -d 'Print help'

complete -c sdtlink -n $none -s o -l output -r -F -d 'Write this file'
complete -c sdtlink -n $none -l companion -d 'Leave the input as it is'
complete -c sdtlink -n $none -l no-notes -d 'Leave out the notes for tracers'
complete -c sdtlink -n $none -l require-probes -d 'Exit with status 3 if there is no probe'
complete -c sdtlink -n $none -l ignore-stapsdt -d 'Leave the probes of sys/sdt.h to tracers'
complete -c sdtlink -n $none -l freestanding -d 'Make the set for a kernel'
complete -c sdtlink -n $none -l notes -d 'With --freestanding: have notes for tracers'
complete -c sdtlink -n $none -s v -l verbose -d 'Say more'
complete -c sdtlink -n $none -s V -l version -d 'Print the version'
complete -c sdtlink -n $none -l ld -d 'The command is a linker\'s'
complete -c sdtlink -n $none -l at-compile -d 'Also process what a compiler writes'
complete -c sdtlink -n $none -l runtime -x -a 'auto static shared none' -d 'What a link gets'
complete -c sdtlink -n $none -l stapsdt -x -a 'project all none' -d 'Make sites of notes'
complete -c sdtlink -n $none -l functions -d 'Make probes of functions'
complete -c sdtlink -n $none -l runtime-directory -r -F -d 'Where libsdt is'

complete -c sdtlink -n $list -l summary -d 'A line for each probe'
complete -c sdtlink -n $list -l demangle -d 'Functions as C++ writes them'
complete -c sdtlink -n $list -l match -x -d 'Only sites that match'
complete -c sdtlink -n $list -l describe -r -F -d 'What arguments of probes are'
complete -c sdtlink -n $list -l check -a 'error warning note never' -d 'Findings about tracers'
complete -c sdtlink -n $list -l consumers -x -d 'Findings about these tracers only'
complete -c sdtlink -n $list -l ignore -x -d 'Leave out findings of these rules'
complete -c sdtlink -n $list -l sarif -d 'Findings as SARIF'
complete -c sdtlink -n $list -l rules -d 'Print all rules'

complete -c sdtlink -n '__fish_seen_subcommand_from verify' -l against -r -F \
    -d 'Prove that nothing else was changed'
complete -c sdtlink -n 'not __fish_seen_subcommand_from verify finalize' -l json -d 'As JSON'
complete -c sdtlink -n 'not __fish_seen_subcommand_from list verify' -l dry-run -d 'Write nothing'
complete -c sdtlink -n 'not __fish_seen_subcommand_from list' -s q -l quiet -d 'Only errors'
