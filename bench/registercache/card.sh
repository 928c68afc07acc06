#!/usr/bin/env bash
# The register cache's experiments on a machine with an NVIDIA GPU, which needs no Go:
#
#	bench/registercache/card.sh build DIR [NAME=PEER…]    # with Go: a program for Linux on amd64, this script, and other
#	                                                      # libraries' programs, which are static, into DIR
#	DIR/card.sh run OUT                                   # on the machine: lines, counts of Nsight Compute and plots into OUT
#
# Where there are eight processors or more, the two columns of one thread are measured on the last ones, with one free
# beside each, while the card is: products there, and transforms. What takes all threads runs alone behind that.
set -euo pipefail

build() {
	local peer to=$1
	mkdir -p "$to/peers"
	for peer in "${@:2}"; do cp "${peer#*=}" "$to/peers/${peer%%=*}"; done
	cd "$(dirname "${BASH_SOURCE[0]}")/.."
	CGO_ENABLED=0 GOOS=linux GOARCH=amd64 GOFLAGS='-buildvcs=false -trimpath' go build -ldflags '-s -w' \
		-o "$to/registercache" ./registercache
	git describe --always --dirty --abbrev=7 > "$to/commit"
	cp registercache/card.sh "$to/"
}

# processors lists those of this process.
processors() {
	sed -nE 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status | tr , '\n' |
		awk -F- '{ for (i = $1; i <= $NF; i++) print i }'
}

# counted runs experiments under Nsight Compute, for kernels of a name.
counted() {
	ncu --csv --page raw --print-units base --clock-control none --kernel-name "regex:$1" --metrics "$(
		echo smsp__inst_executed_op_shared_ld.sum smsp__inst_executed_op_shared_st.sum \
			l1tex__data_pipe_lsu_wavefronts_mem_shared.sum smsp__inst_executed_op_local_ld.sum \
			l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum smsp__inst_executed.sum launch__registers_per_thread \
			launch__grid_size launch__shared_mem_per_block_dynamic gpu__time_duration.sum | tr ' ' ,)" \
		"${program[@]}" -time 0s "${@:2}" || echo 'ncu failed: counts by formula stand alone'
}

run() {
	local dir name parts cpus peers=() peer begin=$SECONDS
	dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
	mkdir -p "$1"
	parts=$1/parts # what a run that was stopped leaves
	mkdir -p "$parts"
	name=$1/$(date +%F)-$(< "$dir/commit")
	export GALFFT_CUDA_DRIVER=libcuda.so.1
	program=("$dir/registercache" run -commit "$(< "$dir/commit")")
	for peer in "$dir"/peers/*; do
		if [ -x "$peer" ]; then peers+=(-peer "$(basename "$peer")=$peer"); fi
	done
	mapfile -t cpus < <(processors)
	local on=(env) one=(env) two=(env) n=${#cpus[@]}
	if ((n >= 8)) && command -v taskset > /dev/null; then
		one=(taskset -c "${cpus[n - 1]}") two=(taskset -c "${cpus[n - 3]}")
		on=(taskset -c "$(IFS=,; echo "${cpus[*]:0:n-4}")")
	fi
	# An experiment that fails leaves what it has, and says why; the others go on.
	side() { "${one[@]}" "${program[@]}" fftcore > "$parts/4" & "${two[@]}" "${program[@]}" "${peers[@]}" core > "$parts/2" & }
	if ((n >= 8)); then side; fi
	"${on[@]}" "${program[@]}" exchange stencil ring field convert natural fft > "$parts/1" || true
	if ((n < 8)); then side; fi
	wait
	echo "$((SECONDS - begin)) s: the card and one thread"
	"${program[@]}" cores > "$parts/3" || true
	"${program[@]}" fftcores > "$parts/5" || true
	# Instructions of warps on shared memory, and what stencils read, whose formulas count words of lanes.
	{
		nvidia-smi --query-gpu=name,driver_version --format=csv,noheader || true
		if command -v ncu > /dev/null; then
			counted '^ring_' -most 12 -bits 128 -checked 67 ring
			counted '^stencil_(shared|cache)_(1|8|16)_(1|16)$' -values 262144 stencil
		else
			echo 'no ncu: counts by formula stand alone'
		fi
	} > "$parts/ncu" 2>&1
	sed 's#(/.*/registercache)#(registercache)#' "$parts/ncu" > "$name-registercache-ncu.txt" # no path of a machine
	"$dir/registercache" counts "$name-registercache-ncu.txt" > "$parts/6" || true
	printf '{"experiment":"script","form":"all","n":0,"ms":%d,"conflicts":0,"spilled":0}\n' "$((1000 * (SECONDS - begin)))" > "$parts/7"
	cat "$parts"/[1-7] > "$name-registercache.jsonl"
	"$dir/registercache" plots "$1" "$name-registercache.jsonl"
	rm -r "$parts"
	echo "$((SECONDS - begin)) s"
}

case "${1:-}" in
build) build "$(realpath -m "$2")" "${@:3}" ;;
run) run "$(realpath -m "$2")" ;;
*) sed -n '2,9s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" && exit 2 ;;
esac
