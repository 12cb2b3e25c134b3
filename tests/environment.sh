#!/usr/bin/env bash
# Makes sure of what the tests and the notebooks need beside Rust:
#
#     tests/environment.sh [compiler] [python] [browser] [valgrind] [slurm]
#
# `compiler`: a linker for Rust; `python`: the exact versions of
# requirements.txt in target/venv; `browser`: Chromium and a font for it;
# `valgrind`: itself, on Linux on x86-64, elsewhere nothing; `slurm`: its two
# daemons, its commands and munge, on Linux, elsewhere nothing. What is there
# already is left alone. What is missing comes from Debian's packages
# by apt-get and from Python's index by pip, as both are set up on the machine;
# where there is no apt-get, it says what to install, and fails.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
target=${CARGO_TARGET_DIR:-target}

say() { printf '%s\n' "$*" >&2; }

has() { command -v "$1" >/dev/null 2>&1; }

# What Python must have: the version the pins are for, and what makes a venv
# (Debian has that in a package of its own).
fits() {
    "$1" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

python() {
    local candidate
    for candidate in "${PYTHON:-python3}" /usr/bin/python3; do
        if fits "$candidate"; then
            command -v "$candidate"
            return
        fi
    done
    return 1
}

browser() {
    local candidate
    for candidate in chromium chromium-browser google-chrome google-chrome-stable \
        '/Applications/Chromium.app/Contents/MacOS/Chromium' \
        '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'; do
        if command -v "$candidate"; then
            return
        fi
    done
    return 1
}

font() {
    [[ $(uname) != Linux ]] ||
        find -L /usr/share/fonts /usr/local/share/fonts "$HOME/.local/share/fonts" \
            -name '*.[ot]tf' -print -quit 2>/dev/null | grep -q .
}

counts_instructions() {
    [[ $(uname -sm) == 'Linux x86_64' ]]
}

# Daemons are no commands of every user.
slurm() {
    local PATH=$PATH:/usr/sbin program
    for program in munged slurmctld slurmd sbatch; do
        has "$program" || return 1
    done
}

missing() {
    local need
    for need in "$@"; do
        case $need in
        compiler) has cc || echo 'gcc libc6-dev' ;;
        python) python >/dev/null || echo 'python3 python3-venv' ;;
        browser)
            browser >/dev/null || echo chromium
            font || echo fonts-dejavu-core
            ;;
        valgrind) ! counts_instructions || has valgrind || echo valgrind ;;
        slurm) [[ $(uname) != Linux ]] || slurm || echo slurmctld slurmd slurm-client munge ;;
        *)
            say "$0: no '$need' here, only compiler, python, browser, valgrind and slurm"
            return 2
            ;;
        esac
    done
}

# Says what to install by hand, for machines without apt-get, or with other
# packages than are needed.
by_hand() {
    say "Missing here, by the names of Debian's packages: $*"
    say 'apt-get cannot get them on this machine. Install by hand:'
    case " $* " in *' gcc '*) say '  a C compiler, for the linker that Rust calls (cc)' ;; esac
    case " $* " in *' python3 '*) say '  Python 3.11 or newer with venv and ensurepip (PYTHON=... names another than python3)' ;; esac
    case " $* " in *' chromium '*) say '  Chromium or Google Chrome, found as chromium or google-chrome' ;; esac
    case " $* " in *' fonts-dejavu-core '*) say '  any TrueType font, such as DejaVu' ;; esac
    case " $* " in *' valgrind '*) say '  Valgrind' ;; esac
    case " $* " in *' slurmd '*) say '  Slurm (slurmctld, slurmd, sbatch) and munge' ;; esac
    [[ $(uname) != Darwin ]] || say 'On macOS, Homebrew has them: brew install python chromium'
    return 1
}

packages() {
    local wanted as_root=()
    read -ra wanted <<<"$(missing "$@" | tr '\n' ' ')"
    [[ ${#wanted[@]} -gt 0 ]] || return 0
    has apt-get || by_hand "${wanted[@]}"
    if [[ $(id -u) -ne 0 ]]; then
        has sudo || by_hand "${wanted[@]}"
        as_root=(sudo)
    fi
    say "Installing ${wanted[*]}"
    local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300)
    # To stderr: stdout is for what a caller reads.
    "${apt[@]}" update >&2
    "${apt[@]}" install -y --no-install-recommends "${wanted[@]}" >&2
    read -ra wanted <<<"$(missing "$@" | tr '\n' ' ')"
    [[ ${#wanted[@]} -eq 0 ]] || by_hand "${wanted[@]}"
}

environment() {
    local from stamp venv="$target/venv"
    from=$(python)
    # A venv knows the path it lies at: one that was copied is made anew.
    stamp=$(
        pwd
        "$from" -VV
        cat notebooks/requirements.txt scale/dask/requirements.txt tests/requirements.txt
    )
    if [[ -f $venv/made-for && $(<"$venv/made-for") == "$stamp" ]]; then
        return
    fi
    say "Installing the Python packages of notebooks/ and tests/ in $venv"
    rm -rf "$venv"
    "$from" -m venv "$venv"
    "$venv/bin/python" -m pip install --quiet --no-input --require-hashes --only-binary :all: \
        -r tests/requirements.txt >&2
    printf '%s\n' "$stamp" >"$venv/made-for"
}

missing "$@" >/dev/null
packages "$@"
case " $* " in *' python '*) environment ;; esac
