#!/usr/bin/env bash
# Plays a run as an array job of Slurm and merges its shards:
#
#     scale/slurm/submit.sh RUN.toml SHARDS [OUT [OPTION OF SBATCH …]]
#
# OUT is the result folder, default results/NAME of the file's name; shards and
# logs go to OUT-shards, which every node must see. Given again, it submits only
# the shards that are missing. Environment: BRANDUB, the program (default
# brandub); AT_ONCE, how many shards run at once (default 100); TRIES, how often
# a shard that failed is tried again (default 3).
set -euo pipefail
if [[ $# -lt 2 ]]; then
    sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
run=$(realpath -- "$1")
count=$2
name=$(basename "$run" .toml)
out=$(realpath -m -- "${3:-results/$name}")
parts=$out-shards
options=("${@:4}")

fail() {
    printf 'error: %s\n' "$1" >&2
    exit 2
}
program=$(command -v "${BRANDUB:-brandub}") ||
    fail "no program ${BRANDUB:-brandub} here: install it where every node finds it, or name it in BRANDUB"
program=$(realpath -- "$program")
version=$("$program" --version)
[[ $count =~ ^[1-9][0-9]*$ ]] || fail "\`$count\` is no number of shards; \`brandub plan\` suggests one"
# A mistake in the experiment is found before anything waits in a queue.
"$program" plan "$run" --shards "$count" --seconds 0 >&2

mkdir -p "$parts/logs"
shopt -s nullglob
found=("$parts"/*-shard-*-of-"$count"/manifest.json)
wanted=1-$count
if [[ ${#found[@]} -gt 0 ]]; then
    wanted=$("$program" merge "${found[@]%/manifest.json}" --experiment "$run" --missing)
fi

after=()
if [[ -n $wanted ]]; then
    array=$(sbatch --parsable --array="$wanted%${AT_ONCE:-100}" --output="$parts/logs/shard-%a.log" \
        "${options[@]}" "$here/shard.sbatch" "$program" "$version" "$run" "$count" "$parts" "${TRIES:-3}")
    array=${array%%;*}
    # Whatever becomes of them: merging says which are missing.
    after=(--dependency="afterany:$array")
    echo "shards $wanted of $count: job $array, logs in $parts/logs"
else
    echo "all $count shards are there"
fi
merge=$(sbatch --parsable "${after[@]}" --output="$parts/logs/merge.log" \
    "${options[@]}" "$here/merge.sbatch" "$program" "$run" "$count" "$parts" "$out")
echo "merge into $out: job ${merge%%;*}, log in $parts/logs/merge.log"
