#!/usr/bin/env bash
# Sets one build of the command against another: bench/paired.sh OLD NEW [ROUNDS [PATTERN]]
#
# Both measure each case in turn, ROUNDS times (7 if not given), so that what the machine does meanwhile falls on both. A line has the
# least time of each in ns, and their ratio, new over old. Of the list below, the lines that match PATTERN, as grep -E has it, are measured.
set -euo pipefail
old=$1 new=$2 rounds=${3:-7} pattern=${4:-.}

least() { # of one run
	"$1" bench --field "$2" --op "$3" --n "$4" --time 200ms --seed 1 --json 2> /dev/null |
		sed -E 's/.*"ns_min":([0-9.e+]+).*/\1/'
}

printf '%s\nold: %s\nnew: %s\n%s, least of %d rounds\n\n' "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)" \
	"${OLD_COMMIT:-$("$old" --version 2> /dev/null || echo unknown)}" "${NEW_COMMIT:-$("$new" --version)}" "$(date -u +%F)" "$rounds"
printf '%-12s %-9s %9s %14s %14s %7s\n' field op n old new ratio
while read -r op n fields; do
	for field in $fields; do
		for ((i = 0; i < rounds; i++)); do
			printf '%s %s\n' "$(least "$old" "$field" "$op" "$n")" "$(least "$new" "$field" "$op" "$n")"
		done | awk -v f="$field" -v op="$op" -v n="$n" '
			NR == 1 || $1 < a { a = $1 } NR == 1 || $2 < b { b = $2 }
			END { printf "%-12s %-9s %9s %14.1f %14.1f %7.3f\n", f, op, n, a, b, b / a }'
	done
done < <(grep -E -e "$pattern" <<- 'CASES'
	forward 2^3 p30 p50 p62 goldilocks
	forward 2^4 p30 p50 p62 goldilocks
	forward 2^5 p30 p50 p62 goldilocks
	forward 2^6 p30 p50 p62 goldilocks
	forward 2^8 p30 p50 p62 goldilocks
	forward 2^10 p30 babybear p50 p62 p63 p64 goldilocks gfpf:k4 gfpf:k8 gfpf:k32
	inverse 2^10 p30 babybear p50 p62 p63 p64 goldilocks gfpf:k4 gfpf:k8 gfpf:k32
	forward 2^12 p30 p50 p62 goldilocks
	forward 2^13 p30 p50 p62 goldilocks
	forward 2^14 p30 p50 p62 goldilocks
	forward 2^15 p30 p50 p62 goldilocks
	forward 2^16 p30 babybear p50 p62 p63 p64 goldilocks gfpf:k4 gfpf:k8 gfpf:k32
	inverse 2^16 p30 babybear p50 p62 p63 p64 goldilocks gfpf:k4 gfpf:k8 gfpf:k32
	forward 2^20 p30 babybear p50 p62 p63 p64 goldilocks gfpf:k4 gfpf:k8 gfpf:k32
	inverse 2^20 p30 babybear p50 p62 p63 p64 goldilocks gfpf:k4 gfpf:k8
	forward 20000 P1
	forward 65537 goldilocks
	forward 5003 prime:10007
	polymul 2^10 p62
	polymul 2^16 p30 p50 p62 gfpf:k8
	polymul 2^18 p50 p62
	polymul 2^20 p50
CASES
)
