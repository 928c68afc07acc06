#!/usr/bin/env bash
# The register cache's experiments on a machine with an NVIDIA GPU, which needs no Go:
#
#	bench/registercache/card.sh build DIR [NAME=PEER…]    # with Go: a program for Linux on amd64, this script, and other
#	                                                      # libraries' programs, which are static, into DIR
#	DIR/card.sh run OUT                                   # on the machine: lines, counts of Nsight Compute and plots into OUT
#
# Where there are eight processors or more, the columns of one thread are measured on some of the last ones, with one free
# beside each, while the card is: products there, other libraries', and transforms. What takes all threads runs alone
# behind that. All ends in ten minutes: programs have limits, and list what did not fit.
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

# Seconds that each program has at most: the card with one thread beside it, two columns of all threads, and Nsight
# Compute for each of two experiments.
card=390 cores=80 fftcores=40 ncu=25

# line prints one of the script's own: an experiment, what it is of, and a member with its value.
line() { printf '{"experiment":"%s","form":"%s","n":0,%s,"conflicts":0,"spilled":0}\n' "$@"; }

# counted runs an experiment under Nsight Compute, for kernels of a name.
counted() {
	timeout -k 3 $ncu ncu --csv --page raw --print-units base --clock-control none --kernel-name "regex:$1" --metrics "$(
		echo smsp__inst_executed_op_shared_ld.sum smsp__inst_executed_op_shared_st.sum \
			l1tex__data_pipe_lsu_wavefronts_mem_shared.sum smsp__inst_executed_op_local_ld.sum \
			l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum smsp__inst_executed.sum launch__registers_per_thread \
			launch__grid_size launch__shared_mem_per_block_dynamic gpu__time_duration.sum | tr ' ' ,)" \
		"${program[@]}" -time 0s "${@:2}"
}

# counts is Nsight Compute's: instructions of warps on shared memory, and what stencils read, whose formulas count words
# of lanes. What is missing goes to the file named.
counts() {
	nvidia-smi --query-gpu=name,driver_version --format=csv,noheader || true
	if ! command -v ncu > /dev/null; then
		line missing 'counts, all' '"why":"no Nsight Compute: formulas stand alone"' > "$1"
		return
	fi
	counted '^ring_' -most 12 -bits 128 -checked 67 ring ||
		line missing 'counts of products' "\"why\":\"Nsight Compute failed or took longer than $ncu s\"" >> "$1"
	counted '^stencil_(shared|cache)_(1|8|16)_(1|16)$' -values 262144 stencil ||
		line missing 'counts of stencils' "\"why\":\"Nsight Compute failed or took longer than $ncu s\"" >> "$1"
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
	local n=${#cpus[@]} most on=(env)
	most=$n
	if ((n >= 8)) && command -v taskset > /dev/null; then
		most=$((n >= 16 ? n - 6 : n - 4))
		on=(taskset -c "$(IFS=,; echo "${cpus[*]:0:most}")")
	fi
	# alone runs a program on a processor so far from the end. An experiment that fails leaves what it has, and says why;
	# the others go on.
	alone() {
		local at=$1 to=$2 one=(env)
		if ((most < n)); then one=(taskset -c "${cpus[n - at]}"); fi
		"${one[@]}" "${program[@]}" -limit ${card}s "${@:3}" > "$parts/$to" || true
	}
	side() {
		alone 1 4 fftcore &
		alone 3 2 core &
		if ((n - most >= 6)); then
			alone 5 3 "${peers[@]}" peers &
		fi
	}
	if ((n >= 8)); then side; fi
	"${on[@]}" "${program[@]}" -limit ${card}s exchange stencil ring convert natural fft field > "$parts/1" || true
	echo "$((SECONDS - begin)) s: the card"
	if ((n < 8)); then side; fi
	wait
	if ((n - most < 6)); then alone 3 3 "${peers[@]}" peers; fi
	echo "$((SECONDS - begin)) s: one thread"
	"${program[@]}" -limit ${cores}s cores > "$parts/5" || true
	"${program[@]}" -limit ${fftcores}s fftcores > "$parts/6" || true
	echo "$((SECONDS - begin)) s: all threads"
	: > "$parts/7"
	local counting=$SECONDS
	counts "$parts/7" > "$parts/ncu" 2>&1
	sed 's#(/.*/registercache)#(registercache)#' "$parts/ncu" > "$name-registercache-ncu.txt" # no path of a machine
	"$dir/registercache" counts "$name-registercache-ncu.txt" > "$parts/8" || true
	{
		line seconds counts "\"ms\":$((1000 * (SECONDS - counting)))"
		line seconds 'the script' "\"ms\":$((1000 * (SECONDS - begin)))"
	} > "$parts/9"
	cat "$parts"/[1-9] > "$name-registercache.jsonl"
	"$dir/registercache" plots "$1" "$name-registercache.jsonl"
	rm -r "$parts"
	sed -nE 's/.*"experiment":"missing","form":"([^"]*)".*"why":"([^"]*)".*/missing: \1: \2/p' "$name-registercache.jsonl"
	echo "$((SECONDS - begin)) s"
}

case "${1:-}" in
build) build "$(realpath -m "$2")" "${@:3}" ;;
run) run "$(realpath -m "$2")" ;;
*) sed -n '2,10s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" && exit 2 ;;
esac
