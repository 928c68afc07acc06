#!/usr/bin/env bash
# Measures whole calls on an NVIDIA GPU, as programs make them: with copies, waits, queues and the first use. It takes
# less than five minutes. The machine needs no Go:
#
#	bench/gpucalls.sh build DIR [BEFORE]    # with Go: programs for Linux on amd64, and this script, into DIR; also of
#	                                        # the commit BEFORE, whose resident transforms are compared
#	DIR/gpucalls.sh run OUT                 # on the machine: raw lines into OUT, named by day and commit
set -euo pipefail

build() {
	cd "$(dirname "${BASH_SOURCE[0]}")/.."
	mkdir -p "$1"
	export CGO_ENABLED=0 GOOS=linux GOARCH=amd64 GOFLAGS='-buildvcs=false -trimpath'
	go test -c -ldflags '-s -w' -o "$1/gpu.test" ./gpu
	git describe --always --dirty --abbrev=7 > "$1/commit"
	rm -f "$1/before" "$1/before.test"
	if [[ -n ${2:-} ]]; then
		local tree
		tree=$(mktemp -d)
		git worktree add --quiet --detach "$tree" "$2"
		go test -C "$tree" -c -ldflags '-s -w' -o "$1/before.test" ./gpu
		git -C "$tree" describe --always --abbrev=7 > "$1/before"
		git worktree remove --force "$tree"
	fi
	cp bench/gpucalls.sh "$1/"
}

run() {
	local dir commit name caches
	dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
	commit=$(< "$dir/commit")
	mkdir -p "$1"
	cd "$1"
	name=$(date +%F)-$commit-gpu-calls.txt
	export GALFFT_CUDA_DRIVER=libcuda.so.1
	caches=$(mktemp -d)
	bench() { "$dir/$1.test" -test.run '^$' -test.bench "^Benchmark$2\$" -test.benchtime 1x | grep -vE '^(goos|goarch|pkg|cpu|PASS)'; }
	{
		printf '%s, commit %s\n' "$(date +%F)" "$commit"
		nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader
		sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | sort -u
		nproc
		echo '== first use: no cache; an empty one, and what that has then, of the driver and of ours'
		CUDA_CACHE_DISABLE=1 GALFFT_CUDA_CACHE=off bench gpu FirstUse
		CUDA_CACHE_PATH=$caches bench gpu FirstUse
		CUDA_CACHE_PATH=$caches bench gpu FirstUse
		CUDA_CACHE_DISABLE=1 GALFFT_CUDA_CACHE=$caches/ours bench gpu FirstUse
		CUDA_CACHE_DISABLE=1 GALFFT_CUDA_CACHE=$caches/ours bench gpu FirstUse
		echo '== calls'
		bench gpu Calls
		bench gpu Overlap
		echo '== queues'
		bench gpu Queues
		echo '== products'
		bench gpu Products
		if [[ -e $dir/before.test ]]; then
			for _ in 1 2 3; do
				printf '== resident, commit %s\n' "$(< "$dir/before")"
				bench before Resident
				printf '== resident, commit %s\n' "$commit"
				bench gpu Resident
			done
		fi
	} > "$name" 2>&1 || { tail -n 30 "$name"; return 1; }
	rm -r "$caches"
	if [[ -e $dir/before.test ]]; then # the least of three, over the least before
		awk -v before="$(< "$dir/before")" '
			/^== / { old = /^== resident/ && $NF == before; new = /^== resident/ && !old; next }
			(old || new) && / ms, / {
				what = $1 " " $2 " " $3 " " $4
				t = $5
				if (old && (!(what in least_old) || t < least_old[what])) least_old[what] = t
				if (new && (!(what in least_new) || t < least_new[what])) least_new[what] = t
			}
			END { for (what in least_new) if (what in least_old) printf "%s over before: %.3f\n", what, least_new[what] / least_old[what] }
		' "$name" | sort >> "$name"
	fi
}

case "${1:-}" in
build) build "$(realpath -m "$2")" "${3:-}" ;;
run) run "$(realpath -m "$2")" ;;
*) sed -n '2,8s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" && exit 2 ;;
esac
