#!/usr/bin/env bash
# The register cache's experiments on a machine with an NVIDIA GPU, which needs no Go:
#
#	bench/registercache/card.sh build DIR    # with Go: a program for Linux on amd64, and this script, into DIR
#	DIR/card.sh run OUT                      # on the machine: lines, and counts by Nsight Compute, into OUT
set -euo pipefail

build() {
	cd "$(dirname "${BASH_SOURCE[0]}")/.."
	mkdir -p "$1"
	CGO_ENABLED=0 GOOS=linux GOARCH=amd64 GOFLAGS='-buildvcs=false -trimpath' go build -ldflags '-s -w' \
		-o "$1/registercache" ./registercache
	git describe --always --dirty --abbrev=7 > "$1/commit"
	cp registercache/card.sh "$1/"
}

run() {
	local dir name
	dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
	mkdir -p "$1"
	name=$1/$(date +%F)-$(< "$dir/commit")
	export GALFFT_CUDA_DRIVER=libcuda.so.1
	"$dir/registercache" run -commit "$(< "$dir/commit")" all > "$name-registercache.jsonl"
	# Instructions of warps on shared memory, for the products of 64 rows, whose formulas count words of lanes.
	{
		nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
		if command -v ncu > /dev/null; then
			ncu --csv --page raw --print-units base --clock-control none --kernel-name 'regex:^ring_' --metrics "$(
				echo smsp__inst_executed_op_shared_ld.sum smsp__inst_executed_op_shared_st.sum \
					l1tex__data_pipe_lsu_wavefronts_mem_shared.sum smsp__inst_executed_op_local_ld.sum \
					smsp__inst_executed.sum launch__registers_per_thread gpu__time_duration.sum | tr ' ' ,)" \
				"$dir/registercache" run -time 0s -most 12 -bits 64 ring || echo 'ncu failed: counts by formula stand alone'
		else
			echo 'no ncu: counts by formula stand alone'
		fi
	} > "$name-registercache-ncu.txt" 2>&1
	sed -i 's#(/.*/registercache)#(registercache)#' "$name-registercache-ncu.txt" # no path of a machine
}

case "${1:-}" in
build | run) "$1" "$(realpath -m "$2")" ;;
*) sed -n '2,5s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" && exit 2 ;;
esac
