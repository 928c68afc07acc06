#!/usr/bin/env bash
# Records measurements of this tree, clean and committed, on a quiet machine, in bench/results/: lines of galfft
# bench, comparisons with peers, also with the programs that PEERS names, Go's benchmarks of the passes, and the
# experiments of papers. It takes about half an hour.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
if [[ -n $(git status --porcelain) ]]; then
	echo 'bench/record.sh: the tree has changes, want a commit that can be named' >&2
	exit 1
fi
export GALFFT_TUNE=off # the choices of plans themselves are measured
commit=$(git rev-parse --short HEAD)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
go build -o "$tmp/galfft" ./cmd/galfft
bench() { "$tmp/galfft" bench --json --time 1s --commit "$commit" "$@" 2>/dev/null; }
{
	for field in babybear p30 p50 p62 p63 p64 goldilocks; do
		for n in 2^10 2^12 2^16 2^20; do
			bench --field $field --op forward --n $n
			bench --field $field --op forward --n $n --order bitrev
		done
	done
	for n in 8 16 64 256; do bench --field p50 --op forward --n $n --order bitrev; done
	for field in babybear p50 p62; do
		bench --field $field --op forward --n 8 --order bitrev
		bench --field $field --op forward --n 16 --batch 4096 --order bitrev
		for n in 2^10 2^16 2^20 2^22; do
			for op in forward inverse coset; do bench --field $field --op $op --n $n --order bitrev; done
			bench --field $field --op forward --n $n
		done
		bench --field $field --op polymul --n 2^20
	done
	for field in p50 goldilocks; do
		for n in 2^20 2^22; do
			for workers in 1 2; do bench --field $field --op forward --n $n --order bitrev --workers $workers; done
		done
	done
	bench --tier generic --field p62 --op forward --n 2^16 --order bitrev
	for n in 2^10 2^16 2^20; do # directions and domains, schemes, base cases, workers
		for op in inverse coset negacyclic; do bench --field p62 --op $op --n $n --order bitrev; done
		for scheme in sixstep sixstep-merged fourstep; do
			for base in 64 1024; do
				bench --field p62 --op forward --n $n --scheme $scheme --base $base
				bench --field p62 --op forward --n $n --scheme $scheme --base $base --order bitrev
			done
		done
	done
	for n in 2^18 2^20 2^22; do
		for workers in 1 2; do bench --field p62 --op forward --n $n --workers $workers; done
	done
	for n in 2^10 2^16 2^20; do bench --field p62 --op polymul --n $n; done
	for case in k4:512 k8:4096 k8:2^20 k16:32768 k32:2^18 P3:2^16 P4:2^15; do bench --field "gfpf:${case%:*}" --op forward --n "${case#*:}"; done
	for op in add sub mul; do bench --field p62 --op $op --n 1024; done
} > "$tmp/galfft.jsonl"
go run -C bench . -min 10 -max 20 -commit "$commit" > "$tmp/peers.jsonl"
for peer in ${PEERS:-}; do go run -C bench . -with "$peer" -min 10 -max 20 -commit "$commit"; done > "$tmp/programs.jsonl"
go run -C bench . -gfpf -time 2s -commit "$commit" > "$tmp/gfpf.txt"
go run -C bench . -contest -time 2s -commit "$commit" > "$tmp/contest.txt"
go run -C bench . -ratios -time 2s -commit "$commit" > "$tmp/ratios.txt"
{ # kernels alone, and the shipped schemes by base case
	printf 'commit: %s\ndate: %s\n' "$commit" "$(date -u +%F)"
	go test -run '^$' -bench Passes -benchtime 50x ./kernels/word
	go test -run '^$' -bench 'Schemes/n=2.(12|16|20)/' -benchtime 5x ./schemes
} > "$tmp/schemes.txt"
{ # passes beside hand-written loops, and the fallback over element methods beside them
	printf 'commit: %s\ndate: %s\n' "$commit" "$(date -u +%F)"
	go test -run '^$' -bench 'Radix|Tail|Scale|VecMul' -benchtime 100ms ./field/smallprime
	go test -run '^$' -bench Fallback -benchtime 200ms ./schemes
} > "$tmp/kernels.txt"
{ # products of digits, ways to make them, and conversions of residue systems
	printf 'commit: %s\ndate: %s\n' "$commit" "$(date -u +%F)"
	go test -run '^$' -bench 'Kernels|Products' ./kernels/digits
	go test -run '^$' -bench 'Vectors|Products|Ways' ./field/gfpf
	go test -run '^$' -bench 'Residues|Garner' ./crt
} > "$tmp/digits.txt"
go run -C bench -tags gmp ./papers run -commit "$commit" all > "$tmp/papers.jsonl"
GALFFT_CPU=generic go run -C bench ./papers run -commit "$commit" b6 >> "$tmp/papers.jsonl"
{ # lengths that are no powers of two: products, prime lengths, transforms
	printf 'commit: %s\ndate: %s\n' "$commit" "$(date -u +%F)"
	go test -run '^$' -bench Truncated -benchtime 2x ./poly
	go test -run '^$' -bench PrimeLengths -benchtime 50ms ./field/smallprime
	for case in P1:512 P1:625 P1:16384 P1:20480 P1:640000 goldilocks:3072 goldilocks:4096 goldilocks:196608 goldilocks:278528 covanov:29696 koalabear:130048 koalabear:2^17; do
		bench --field "${case%:*}" --n "${case#*:}" --op forward
	done
} > "$tmp/lengths.txt"
mkdir -p bench/results
day=$(date -u +%F)
cp "$tmp/galfft.jsonl" "bench/results/$day-$commit.jsonl"
cp "$tmp/lengths.txt" "bench/results/$day-$commit-lengths.txt"
cp "$tmp/papers.jsonl" "bench/results/$day-$commit-papers.jsonl"
cp "$tmp/peers.jsonl" "bench/results/$day-$commit-peers.jsonl"
if [[ -s $tmp/programs.jsonl ]]; then cp "$tmp/programs.jsonl" "bench/results/$day-$commit-programs.jsonl"; fi
cp "$tmp/kernels.txt" "bench/results/$day-$commit-kernels.txt"
cp "$tmp/schemes.txt" "bench/results/$day-$commit-schemes.txt"
cp "$tmp/ratios.txt" "bench/results/$day-$commit-ratios.txt"
cp "$tmp/gfpf.txt" "bench/results/$day-$commit-gfpf.txt"
cp "$tmp/contest.txt" "bench/results/$day-$commit-contest.txt"
cp "$tmp/digits.txt" "bench/results/$day-$commit-digits.txt"
go run -C bench . -draw "results/$day-$commit-contest.txt" -plot "results/$day-$commit-contest.svg"
