#!/usr/bin/env bash
# Tries and measures transforms on several NVIDIA GPUs of one machine: values, faults, times, exchanges. It takes some
# three minutes. The machine needs libnccl.so.2, and no Go:
#
#	bench/cards.sh build DIR    # with Go: programs for Linux on amd64, and this script, into DIR
#	DIR/cards.sh run OUT        # on the machine: raw lines into OUT, named by day and commit
set -euo pipefail

build() {
	cd "$(dirname "${BASH_SOURCE[0]}")/.."
	mkdir -p "$1"
	CGO_ENABLED=0 GOOS=linux GOARCH=amd64 GOFLAGS='-buildvcs=false -trimpath' go test -c -ldflags '-s -w' \
		-o "$1/nccl.test" ./dist/nccl
	CGO_ENABLED=0 GOOS=linux GOARCH=amd64 GOFLAGS='-buildvcs=false -trimpath' go build -ldflags '-s -w' \
		-o "$1/galfft" ./cmd/galfft
	git describe --always --dirty --abbrev=7 > "$1/commit"
	cp bench/cards.sh "$1/"
}

# files has galfft transform a file on all devices, on one processor, and back, and measure.
files() {
	local galfft=$1 list
	list=nccl:$(seq -s , 0 $(($2 - 1)))
	seq 1 65536 > a.txt
	{
		"$galfft" verify --field goldilocks --n 2^20 --group "$list"
		"$galfft" run --field goldilocks --op forward -o one.txt a.txt
		"$galfft" run --field goldilocks --op forward --group "$list" -o b.txt a.txt
		"$galfft" run --field goldilocks --op inverse --group "$list" -o c.txt b.txt
		cmp one.txt b.txt && cmp a.txt c.txt && echo "galfft run --group $list: the files of one plan"
		"$galfft" bench --field goldilocks --op forward --n 2^24 --group "$list"
	} 2>&1 || true
	rm -f a.txt b.txt c.txt one.txt
}

run() {
	local dir commit cards
	dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
	commit=$(< "$dir/commit")
	mkdir -p "$1"
	cd "$1"
	export GALFFT_CUDA_DRIVER=libcuda.so.1
	cards=$(nvidia-smi --query-gpu=index --format=csv,noheader | wc -l)
	tests() { timeout "$2" "$dir/nccl.test" -test.run "$1" -test.v 2>&1 | grep -v '^=== ' | cut -c1-200 || true; }
	bench() {
		timeout "$2" "$dir/nccl.test" -test.run '^$' -test.bench "$1" -test.benchtime "$3" 2>&1 |
			grep -vE '^(goos|goarch|pkg|cpu):' | cut -c1-1500 || true
	}
	{
		printf '%s, commit %s\n' "$(date '+%F %T')" "$commit"
		nvidia-smi --query-gpu=index,name,driver_version,memory.total --format=csv,noheader
		tests "^(TestLocal|TestPeers|TestProcesses|TestSteps)\$/^$cards\$" 60 # bit for bit; the first line names NCCL
		tests "^TestFields\$/^$cards\$" 40
		bench "Cards/devices=(1|2|$cards)\$" 60 1x
		bench "Additive/(plan|nccl)/devices=(1|$cards)\$" 60 12x
		bench "Batch/devices=(1|$cards)\$" 30 12x
		for ((n = 2; n <= cards; n *= 2)); do
			for ((r = n - 1; r >= 0; r--)); do # a process for each card
				GALFFT_NCCL_TEST=measure RANK=$r WORLD_SIZE=$n MASTER_ADDR=127.0.0.1 MASTER_PORT=$((29533 + n)) \
					timeout 40 "$dir/nccl.test" &
			done
			wait
		done
		bench "Timeline/devices=(2|$cards)\$" 40 1x
		tests '^(TestFaults|TestStepFails|TestLost|TestHoard)$' 60 # a context ended in an exchange, ranks killed
		tests "^TestProcesses\$/^$cards\$" 20                      # and the cards serve on
		nvidia-smi --query-gpu=index,memory.used --format=csv,noheader
		tests '^TestLongest$' 60 # 2^32 by hashes
		bench "Exchange/(group|bare)/devices=(2|$cards)\$" 40 12x
		if [[ -x $dir/galfft ]]; then files "$dir/galfft" "$cards"; fi
	} | tee "$(date +%F)-$commit-cards.txt"
}

case ${1:-} in
build | run) "$1" "$2" ;;
*) sed -n '2,6p' "${BASH_SOURCE[0]}" && exit 2 ;;
esac
