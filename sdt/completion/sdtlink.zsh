#compdef sdtlink
# SPDX-License-Identifier: BSD-2-Clause
# Completion of sdtlink(1) for zsh; installed as _sdtlink.

_sdtlink_first() {
    _alternative 'commands:command:_command_names -e' 'files:file:_files'
}

_sdtlink() {
    local -a verbs help quiet
    verbs=(
        'list:list the probe sites of files'
        'verify:prove that sites, probes and stubs are as recorded'
        'finalize:remove notes about code that the linker dropped'
    )
    help=('(- *)'{-h,--help}'[print help and exit]')
    quiet=({-q,--quiet}'[say nothing but warnings and errors]')
    case $words[2] in
        list)
            _arguments $help '2: :' \
                '--json[as JSON]' '--summary[a line for each probe]' \
                '--demangle[functions as C++ writes them]' \
                '*--match=[only sites that match]:pattern: ' \
                '--describe=[what arguments of probes are]:file:_files' \
                '--check=-[findings about tracers]::level:(error warning note never)' \
                '--consumers=[findings about these tracers only]:list: ' \
                '--ignore=[leave out findings of these rules]:list: ' \
                '--sarif[findings as SARIF]' '--rules[print all rules]' '*:file:_files' ;;
        verify)
            _arguments $help $quiet \
                '--against[prove that nothing else was changed]:original:_files' '*:file:_files' ;;
        finalize)
            _arguments $help $quiet '--dry-run[write nothing]' '*:file:_files' ;;
        *)
            ((CURRENT == 2)) && _describe command verbs
            _arguments $help $quiet \
                {-o+,--output=}'[write]:file:_files' \
                '--companion[leave the input as it is]' '--dry-run[print the plan]' \
                '--json[the plan as JSON]' '--no-notes[leave out the notes for tracers]' \
                '--require-probes[exit with status 3 if there is no probe]' \
                '--ignore-stapsdt[leave the probes of sys/sdt.h to tracers]' \
                '--freestanding[make the set for a kernel]' \
                '--notes[with --freestanding\: have notes for tracers]' \
                {-v,--verbose}'[say more]' {-V,--version}'[print the version and exit]' \
                "--ld[the command is a linker's]" \
                '--at-compile[also process what a compiler writes]' \
                '--runtime=[what a link with probes gets]:kind:(auto static shared none)' \
                '--stapsdt=[make sites of notes]:whose:(project all none)' \
                '--functions=-[make probes of functions]::patterns:' \
                '--runtime-directory=[where libsdt is]:directory:_files -/' \
                '(-):command or object:_sdtlink_first' \
                '*::arguments:_normal' ;;
    esac
}

_sdtlink "$@"
