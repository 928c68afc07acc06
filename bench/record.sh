#!/usr/bin/env bash
# Records measurements of this tree, clean and committed, on a quiet machine, in bench/results/, and draws the plots:
#
#	bench/record.sh             # everything that this machine can: about an hour
#	bench/record.sh PART…       # some of it; bench/record.sh list tells the parts
#
# Each file has the machine, the date and the commit, and the latter two in its name. Where a part needs what is not
# there (libraries of peers, libgmp, valgrind, a GPU), it says so and the others go on. PEERS names more programs to
# compare with. Tables of README.md and docs/papers.md, and all plots, follow the newest files.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Parts, and the ends of the names of their files; gpu and plots write several.
declare -A ends=(
	[lines]=.jsonl [times]=-times.jsonl [peers]=-peers.jsonl [programs]=-programs.jsonl [integers]=-integers.jsonl [big]=-big.txt
	[bigPlain]=-big-noifma.txt [gfpf]=-gfpf.txt [contest]=-contest.txt [ratios]=-ratios.txt [columns]=-columns.txt [cores]=-cores.jsonl [tuned]=-tuned.jsonl
	[simulated]=-simulated.txt [schemes]=-schemes.txt [kernels]=-kernels.txt [digits]=-digits.txt [tiers]=-tiers.txt
	[convolution]=-convolution.txt [through]=-through.txt [lengths]=-lengths.txt [gmp]=-gmp.txt
	[papers]=-papers.jsonl [compile]=-compile.txt [roof]=-roof.jsonl [bases]=-bases.jsonl [binary]=-gf2-times.jsonl [programsPlain]= [gpu]= [plots]=
)
order=(lines times peers programs programsPlain integers big bigPlain gfpf contest ratios columns cores tuned simulated schemes kernels
	digits tiers convolution through lengths gmp papers compile roof bases binary gpu plots)

heading() { # of a file that does not say it by itself
	printf 'commit: %s\ndate: %s\n' "$commit" "$day"
	sed -nE 's/^(model name|cpu family|model|stepping)[[:space:]]*: /\1: /p' /proc/cpuinfo | sort -u
	go version
}
galfft() { "$tmp/galfft" bench --json --time 1s --commit "$commit" "$@" 2> /dev/null; }
forward() { galfft --op forward "$@"; }
peer() { go run -C bench "${tags[@]}" . "$1" -commit "$commit" "${@:2}"; }

lines() {
	local field n op scheme base workers case
	for field in babybear p30 p50 p62 p63 p64 goldilocks; do
		for n in 2^10 2^12 2^16 2^20; do
			forward --field $field --n $n
			forward --field $field --n $n --order bitrev
		done
	done
	for n in 8 16 64 256; do forward --field p50 --n $n --order bitrev; done
	for field in babybear p50 p62; do
		forward --field $field --n 8 --order bitrev
		forward --field $field --n 16 --batch 4096 --order bitrev
		for n in 2^10 2^16 2^20 2^22; do
			for op in forward inverse coset; do galfft --field $field --op $op --n $n --order bitrev; done
			forward --field $field --n $n
		done
		galfft --field $field --op polymul --n 2^20
	done
	for field in p50 goldilocks; do
		for n in 2^20 2^22; do
			for workers in 1 2; do forward --field $field --n $n --order bitrev --workers $workers; done
		done
	done
	forward --tier generic --field p62 --n 2^16 --order bitrev
	for n in 2^10 2^16 2^20; do # directions and domains, schemes, base cases, workers
		for op in inverse coset negacyclic; do galfft --field p62 --op $op --n $n --order bitrev; done
		for scheme in sixstep sixstep-merged fourstep; do
			for base in 64 1024; do
				forward --field p62 --n $n --scheme $scheme --base $base
				forward --field p62 --n $n --scheme $scheme --base $base --order bitrev
			done
		done
	done
	for n in 2^18 2^20 2^22; do
		for workers in 1 2; do forward --field p62 --n $n --workers $workers; done
	done
	for n in 2^10 2^16 2^20; do galfft --field p62 --op polymul --n $n; done
	for case in k4:512 k8:4096 k8:2^20 k16:32768 k32:2^18 P3:2^16 P4:2^15; do
		forward --field "gfpf:${case%:*}" --n "${case#*:}"
	done
	for op in add sub mul; do galfft --field p62 --op $op --n 1024; done
	galfft --machine
}

# times are the lines of the picture of forward transforms.
times() {
	local field
	for field in babybear p62 goldilocks gfpf:P3; do forward --time 300ms --field $field --n 2^3..2^22; done
}

# binary are those of transforms over fields of characteristic 2.
binary() {
	local field
	forward --time 200ms --field gf2:16 --n 2^7..2^16
	for field in gf2:32 gf2:64 ghash tower:128; do forward --time 200ms --field $field --n 2^7..2^22; done
}

peers() { peer peers -min 10 -max 20; }

# programs builds the peers in C++ and Rust by the commands that stand in their files.
programs() {
	local source name build all=()
	for source in bench/peers/*.cc; do
		name=$(basename "$source" .cc)
		build=$(sed -nE 's/^\/\/\t((g|clang)\+\+ )/\1/p' "$source")
		if (cd bench/peers && ${build/-o $name/-o $tmp/$name}) 2> "$tmp/$name.log"; then
			all+=("$tmp/$name")
		else
			without "$name" "$(sed -n 1p "$tmp/$name.log")"
		fi
	done
	if cargo build --release --target-dir "$tmp/rust" --manifest-path bench/peers/tfhe-ntt/Cargo.toml 2> "$tmp/rust.log"; then
		all+=("$tmp/rust/release/tfhe-ntt")
	else
		without tfhe-ntt "$(sed -n 1p "$tmp/rust.log")"
	fi
	all+=(${PEERS:-})
	if ((${#all[@]} > 0)); then peer programs -min 10 -max 20 "${all[@]}"; fi
}

# programsPlain has neither side with IFMA; HEXL reads its variable.
programsPlain() {
	local tier
	for tier in avx512 avx2; do
		HEXL_DISABLE_AVX512IFMA=1 GALFFT_CPU=$tier programs > "bench/results/$day-$commit-programs-$tier.jsonl"
	done
}

integers() { peer integers -min 6 -max 20 -time 2s; }

big() { peer big; }

# bigPlain has both libraries without IFMA.
bigPlain() {
	local tier
	for tier in avx512 avx2; do
		GALFFT_CPU=$tier go run -C bench -tags noavx . big -commit "$commit" -max 16
		printf '\n'
	done
}

gfpf() { peer gfpf -time 2s; }

contest() { peer contest -time 2s; }

ratios() { peer ratios -time 2s; }

columns() { peer columns -min 8 -max 18; }

cores() { peer cores -max 24; }

tuned() { peer tuned -time 3s; }

simulated() {
	heading
	go run -C bench . simulate -time 150ms
}

schemes() { # kernels alone, and the shipped schemes by base case
	heading
	go test -run '^$' -bench Passes -benchtime 50x ./kernels/word
	go test -run '^$' -bench 'Schemes/n=2.(12|16|20)/' -benchtime 5x ./schemes
}

kernels() { # passes beside hand-written loops, and the fallback over element methods beside them
	heading
	go test -run '^$' -bench 'Radix|Tail|Scale|VecMul' -benchtime 100ms ./field/smallprime
	go test -run '^$' -bench Fallback -benchtime 200ms ./internal/testfields
}

digits() { # products of digits, ways to make them, and conversions of residue systems
	heading
	go test -run '^$' -bench 'Kernels|Products' ./kernels/digits
	go test -run '^$' -bench 'Vectors|Products|Ways' ./field/gfpf
	go test -run '^$' -bench 'Residues|Garner' ./crt
}

tiers() { # primes of several words on each tier
	heading
	go test -run '^$' -bench Tiers -benchtime 30ms ./field/bigprime
	local tier
	for tier in ifma avx512 avx2; do
		printf 'GALFFT_CPU=%s\n' $tier
		GALFFT_CPU=$tier go test -run '^$' -bench Kernels -benchtime 30ms ./kernels/digits
	done
}

convolution() {
	heading
	go test -run '^$' -bench Convolution ./field/bigprime
}

through() { # products over primes with roots of unity, and without
	heading
	go test -run '^$' -bench 'Through|Crossover' ./poly
}

lengths() { # that are no powers of two: products, prime lengths, transforms
	heading
	go test -run '^$' -bench Truncated -benchtime 2x ./poly
	go test -run '^$' -bench PrimeLengths -benchtime 50ms ./field/smallprime
	local case
	for case in P1:512 P1:625 P1:16384 P1:20480 P1:640000 goldilocks:3072 goldilocks:4096 goldilocks:196608 \
		goldilocks:278528 covanov:29696 koalabear:130048 koalabear:2^17; do
		forward --field "${case%:*}" --n "${case#*:}"
	done
}

gmp() {
	if ((${#tags[@]} == 0)); then return; fi
	heading
	go test -C bench -tags gmp -run '^$' -bench . ./mpz
	go test -tags gmp -run '^$' -bench . ./field/bigprime/gmp
}

papers() {
	if command -v valgrind > /dev/null; then
		go run -C bench "${tags[@]}" ./papers run -commit "$commit" all
	else
		without 'b10 of papers' 'no valgrind'
		local some=(b1 b2 b3 b4 b6 b8 b9 b11)
		if ((${#tags[@]} > 0)); then some+=(b5 b7); fi
		go run -C bench "${tags[@]}" ./papers run -commit "$commit" "${some[@]}"
	fi
	GALFFT_CPU=generic go run -C bench ./papers run -commit "$commit" b6
}

# roof and bases are the lines of two pictures of docs/plots.md.
roof() {
	local field
	galfft --machine
	for field in babybear p50 p62 goldilocks gfpf:k8 bn254; do forward --time 200ms --field $field --n 2^8..2^20; done
}

bases() { forward --time 100ms --field p62 --scheme sixstep-merged --base 2^2..2^12 --n 2^8..2^20; }

compile() { bench/compile.sh; }

gpu() {
	if ! nvidia-smi > /dev/null 2>&1; then
		without gpu 'nvidia-smi finds no GPU; bench/gpu.sh takes programs to a machine that has one'
		return
	fi
	bench/gpu.sh build "$tmp/gpu"
	"$tmp/gpu/gpu.sh" run bench/results
	if command -v compute-sanitizer > /dev/null; then "$tmp/gpu/gpu.sh" sanitize bench/results; fi
	if command -v ncu > /dev/null; then "$tmp/gpu/gpu.sh" profile bench/results; fi
}

# plots draws anew, and writes the tables that come from results. Pages that quote figures in their text name the file
# which they are from: the name and the text change together, by hand.
plots() {
	local file=results/$day-$commit-contest
	if [[ -e bench/$file.txt ]]; then go run -C bench . draw "$file.txt" "$file.svg"; fi
	go run -C bench . draw "$(named docs/gfpf.md contest)" ../docs/gfpf-contest.svg
	go run -C bench . draw "$(named docs/gpu.md gpu-times)" ../docs/gpu-thesis.svg
	go run -C bench . draw -contest "$(named docs/gpu.md gpu-times)" ../docs/gpu-contest.svg
	local command
	while read -r command; do (PATH=$tmp:$PATH && $command); done < <(grep '^galfft plot .*-o docs/' docs/plots.md)
	go test -C bench ./papers -run Document -update >&2
	go test ./internal/readme -run README -update >&2
}

# named is the file of results that a page names.
named() { grep -oE "results/[0-9a-f-]*-$2\.txt" "$1" | sed -n 1p; }

without() { printf 'bench/record.sh: without %s: %s\n' "$1" "$2" >&2; }

if (($# == 0)); then set -- "${order[@]}"; fi
for part in "$@"; do
	if [[ -z ${ends[$part]+is} ]]; then
		printf 'the parts are: %s\n' "${order[*]}" >&2
		exit 2
	fi
done
if [[ "$*" != plots && -n $(git status --porcelain) ]]; then
	echo 'bench/record.sh: the tree has changes, want a commit that can be named' >&2
	exit 1
fi
export GALFFT_TUNE=off # the choices of plans themselves are measured
commit=$(git rev-parse --short HEAD)
day=$(date -u +%F)
tags=()
if echo '#include <gmp.h>' | gcc -E - > /dev/null 2>&1; then tags=(-tags gmp); else without GMP 'gcc finds no gmp.h'; fi
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
go build -o "$tmp/galfft" ./cmd/galfft
mkdir -p bench/results
for part in "$@"; do
	printf '%s %s\n' "$(date -u +%T)" "$part" >&2
	"$part" > "$tmp/out"
	if [[ -s $tmp/out ]]; then cp "$tmp/out" "bench/results/$day-$commit${ends[$part]}"; fi
done
