#!/usr/bin/env bash
# Checks package gpu on a machine with an NVIDIA GPU, and times it there. The machine needs no Go:
#
#	bench/gpu.sh build DIR      # with Go: programs for Linux on amd64, and this script, into DIR
#	DIR/gpu.sh run OUT          # on the machine: raw results into OUT, named by day and commit
#	DIR/gpu.sh sanitize OUT     # the same for compute-sanitizer, where the machine has NVIDIA's toolkit
#
# Checks are the tests of package gpu on the device. Times are those of its benchmarks, groups of calls between two
# events, and lines of galfft bench, with the processor's beside them.
set -euo pipefail

build() {
	cd "$(dirname "${BASH_SOURCE[0]}")/.."
	mkdir -p "$1"
	export CGO_ENABLED=0 GOOS=linux GOARCH=amd64 GOFLAGS='-buildvcs=false -trimpath'
	go build -ldflags '-s -w' -o "$1/galfft" ./cmd/galfft
	go test -c -ldflags '-s -w' -o "$1/gpu.test" ./gpu
	git describe --always --dirty --abbrev=7 > "$1/commit"
	cp bench/gpu.sh "$1/"
}

run() {
	local dir commit name
	dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
	commit=$(< "$dir/commit")
	mkdir -p "$1"
	cd "$1"
	name=$(date +%F)-$commit-gpu
	export GALFFT_CUDA_DRIVER=libcuda.so.1
	head() {
		printf '%s, commit %s\n' "$(date +%F)" "$commit"
		nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader
		sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | sort -u
	}
	{ head && "$dir/gpu.test" -test.v -test.timeout 5m; } > "$name-tests.txt" 2>&1 || { tail -n 30 "$name-tests.txt"; return 1; }
	{ head && "$dir/gpu.test" -test.run '^$' -test.bench . -test.benchtime 1x; } > "$name-times.txt"
	local field sizes n backend
	for backend in gpu cpu; do
		while read -r field sizes; do
			for n in $sizes; do
				"$dir/galfft" bench --json --commit "$commit" --backend $backend --time 200ms --field "$field" \
					--op forward --n "$n" < /dev/null
			done
		done <<- END
			goldilocks 2^12..2^24
			p62 2^12..2^24
			babybear 2^12..2^24
			gfpf:P3 2^8..2^20
			gfpf:P4 2^10 2^15 2^20
			gfpf:P5 2^12 2^16
		END
	done > "$name.jsonl"
	ls -l
}

# sanitize runs small cases of every kernel under compute-sanitizer of the toolkit, which takes a hundred times as long.
sanitize() {
	local dir tool
	dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
	mkdir -p "$1"
	export GALFFT_CUDA_DRIVER=libcuda.so.1
	for tool in memcheck initcheck racecheck; do
		printf '== %s\n' $tool
		compute-sanitizer --tool $tool "$dir/gpu.test" -test.short -test.run "$SANITIZED" -test.v
	done > "$1/$(date +%F)-$(< "$dir/commit")-gpu-sanitizer.txt" 2>&1
}
SANITIZED='^(TestWhole/(goldilocks|p62|p30|babybear)|TestDigitTable|TestDigitSums)$'

case "${1:-}" in
build | run | sanitize) "$@" ;;
*) sed -n '2,10s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" && exit 2 ;;
esac
