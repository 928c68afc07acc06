#!/usr/bin/env bash
# Checks package gpu on a machine with an NVIDIA GPU, and times it there. The machine needs no Go:
#
#	bench/gpu.sh build DIR      # with Go: programs for Linux on amd64, and this script, into DIR
#	DIR/gpu.sh run OUT          # on the machine: raw results into OUT, named by day and commit
#	DIR/gpu.sh sanitize OUT [TOOL…]
#	                            # small cases in compute-sanitizer, where the machine has NVIDIA's toolkit, by the tools
#	                            # named, else by all four; with ONLY=TestGF2 the patterns alone that have this
#	DIR/gpu.sh profile OUT      # what Nsight Compute says of each pass, where the machine has it
#	DIR/gpu.sh papers OUT       # what the theses' figures and tables on GPUs measure, in five minutes or so: lines of
#	                            # gpupapers and of galfft bench --machine, transforms in the thesis' structure, the contest
#	                            # with small primes, and, where the machine has Nsight Compute, what it says of operations
#	DIR/gpu.sh additive OUT     # transforms over affine domains: each pass, whole calls, long ones checked
#	DIR/gpu.sh gf2 OUT          # vectors over binary fields: their rates, one core of the processor beside them, and
#	                            # what Nsight Compute says of their kernels
#
# tests, times and lines are the parts of run.
#
# Checks are the tests of package gpu on the device. Times are those of its benchmarks, groups of calls between two
# events, and lines of galfft bench, with the processor's beside them.
set -euo pipefail

build() {
	cd "$(dirname "${BASH_SOURCE[0]}")/.."
	mkdir -p "$1"
	export CGO_ENABLED=0 GOOS=linux GOARCH=amd64 GOFLAGS='-buildvcs=false -trimpath'
	go build -ldflags '-s -w' -o "$1/galfft" ./cmd/galfft
	go build -C bench -ldflags '-s -w' -o "$(realpath "$1")/gpupapers" ./gpupapers
	go test -c -ldflags '-s -w' -o "$1/gpu.test" ./gpu
	go test -c -ldflags '-s -w' -o "$1/device.test" ./internal/device
	go test -c -ldflags '-s -w' -o "$1/driver.test" ./internal/device/driver
	git describe --always --dirty --abbrev=7 > "$1/commit"
	cp bench/gpu.sh "$1/"
}

# begin goes to OUT and sets what names results.
begin() {
	dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
	commit=$(< "$dir/commit")
	mkdir -p "$1"
	cd "$1"
	name=$(date +%F)-$commit-gpu
	export GALFFT_CUDA_DRIVER=libcuda.so.1
}

# machine says when, of what and on what a file is.
machine() {
	printf '%s, commit %s\n' "$(date +%F)" "$commit"
	nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader
	sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | sort -u
}

tests() {
	begin "$1"
	{
		machine &&
			"$dir/driver.test" -test.v -test.timeout 2m &&
			"$dir/device.test" -test.v -test.timeout 2m &&
			"$dir/gpu.test" -test.v -test.timeout 8m
	} > "$name-tests.txt" 2>&1 || { tail -n 30 "$name-tests.txt"; return 1; }
}

times() {
	begin "$1"
	{ machine && "$dir/gpu.test" -test.run '^$' -test.bench . -test.benchtime 1x; } > "$name-times.txt"
}

lines() {
	begin "$1"
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
}

run() {
	tests "$1"
	times "$1"
	lines "$1"
}

# What compute-sanitizer looks at: small cases of every kind of kernel, as it takes a hundred times as long. Between the
# names of a test and of those in it a / divides patterns, outside of all parentheses.
sanitized='
^TestWhole$/^(goldilocks|p62)$
^TestWhole$/^(p64|p30)$
^TestWhole$/^(babybear|p32)$
^TestConformance$/^(goldilocks|p62|p64|p30|babybear|p32|P2|P3)$/^bulk$
^TestDigits$/^P[1-7]$
^TestLazyPasses$/^(8|16|32|64)$
^(TestDigitTable|TestDigitContext)$
^(TestRange|TestConvolution)$
^(TestIntegers|TestIntegerCarries)$
^TestIntegerProducts$
^TestIntegerVectors$
^(TestIntegerPrograms|TestIntegerProgramKinds|TestIntegerTensorPrograms)$
^TestIntegerModular(Shared|)$
^(TestLongIntegers|TestFirstPasses|TestLongCarries|TestLongPrograms)$
^TestQueues$/^words$
^TestQueues$/^digits$
^TestQueues$/^long$
^TestGF2$/^(gf2:(16|31|32|63|64|96|160|192|224|256|352)|ghash)$
^(TestGF2Moduli|TestGF2Bases|TestGF2Conversions)$
^TestAdditive$/^(lch|monomial)$/^(32|64|128|256|numbers)$
^(TestAdditive(Plans|Known|Queues|Copy|Context|Poly|Short|WideLayer)|TestResizeVec)$
^TestAdditiveLengths$/^(32|64|128|256)$
^(TestGF2Multipliers|TestGF2Vectors|TestGF2Sixteen|TestGF2Tables|TestGF2Queues)$
^(TestInverseMulVec|TestInverseMulVecErrors)$
^TestDigitsOfAny$/^(2|4|8|16|32|64|128)$
^TestVectors$/^(P1|P2|P3|P4|P5|P6|P7|goldilocks|p62|p32)$
^(TestThesis|TestContestImages)$
^TestContest$/^P[34]$
'
# All that has to pass then.
sanitized_names() {
	printf 'TestWhole/%s\n' goldilocks p62 p64 p30 babybear p32
	printf 'TestConformance/%s/bulk\n' goldilocks p62 p64 p30 babybear p32 P2 P3
	printf 'TestDigits/P%d\n' 1 2 3 4 5 6 7
	printf 'TestLazyPasses/%d\n' 8 16 32 64
	printf '%s\n' TestDigitTable TestDigitContext TestRange TestConvolution TestQueues/{words,digits,long} \
		TestIntegers TestIntegerCarries TestIntegerProducts TestIntegerVectors TestIntegerProgram{s,Kinds} \
		TestIntegerTensorPrograms TestIntegerModular TestIntegerModularShared \
		TestLong{Integers,Carries,Programs} TestFirstPasses \
		TestGF2{Moduli,Bases,Conversions,Multipliers,Vectors,Sixteen,Tables,Queues} \
		TestInverseMulVec TestInverseMulVecErrors TestThesis TestContestImages
	printf 'TestDigitsOfAny/%d\n' 2 4 8 16 32 64 128
	printf 'TestVectors/%s\n' P{1..7} goldilocks p62 p32
	printf 'TestContest/P%d\n' 3 4
	printf 'TestAdditive/%s\n' {lch,monomial}/{32,64,128,256,numbers}
	printf 'TestAdditive%s\n' Plans Known Queues Copy Context Poly Short WideLayer
	printf '%s\n' TestResizeVec TestAdditiveLengths/{32,64,128,256}
	printf 'TestGF2/%s\n' gf2:{16,31,32,63,64,96,160,192,224,256,352} ghash
}

# What racecheck leaves out. Of TestDigits and TestDigitsOfAny for k of 2 and 4, and of the bulk of a field, which pass,
# it says that it failed to track a launch of a kernel: an internal error of the tool's. It comes without graphs as well,
# with modules loaded at once, and where each launch waits for its end, then later. It came in TestQueues too, so each
# case of that has a process of its own. Vectors of P5 to P7 take it longer than five minutes.
unraced='TestDigits/P[12]$|TestDigitsOfAny/[24]$|TestVectors/P[567]$|TestConformance/'
raced() {
	sed -e 's/P\[1-7\]/P[3-7]/' -e '/OfAny/s/2|4|//' -e 's/|P5|P6|P7//' -e '/TestConformance/d' <<< "$sanitized"
}

# What kernels ran, each with how often, and those that did not of a module of which some ran. Those of binary fields and
# of integers all have to.
kernels() {
	sed -n 's/^kernel //p' "$@" | awk '
		{ n[$1 " " $2] += $3; ran[$1] += $3 }
		END { for (k in n) { split(k, of, " "); if (ran[of[1]]) print (n[k] ? "ran" : "did not run"), k, n[k] } }' |
		LC_ALL=C sort | awk '{ print } /^did not run (gf2|additive|mid)/ { missing = 1 } END { exit missing }'
}

sanitize() {
	begin "$1"
	shift
	local tool pattern patterns name_of names n tools=("$@")
	[[ $# -gt 0 ]] || tools=(memcheck initcheck racecheck synccheck)
	{
		machine
		for tool in "${tools[@]}"; do
			printf '== %s\n' $tool
			patterns=$sanitized names=$(sanitized_names)
			if [[ $tool == racecheck ]]; then
				grep -E "$unraced" <<< "$names" | sed 's/^/left out: /'
				patterns=$(raced) names=$(grep -vE "$unraced" <<< "$names")
			fi
			patterns=$(grep "${ONLY:-}" <<< "$patterns") names=$(grep "${ONLY:-}" <<< "$names")
			mkdir "$tool.logs"
			# Four at a time. A file of each says how it ended.
			printf '%s\n' $patterns | cat -n | xargs -P 4 -L 1 bash -c '
				GALFFT_LIST_KERNELS=1 compute-sanitizer --tool "$1" --error-exitcode 9 "$2/gpu.test" -test.short -test.v \
					-test.run "$4" > "$1.logs/$3.log" 2>&1
				echo $? > "$1.logs/$3.code"' - "$tool" "$dir"
			n=0
			for pattern in $patterns; do
				n=$((n + 1))
				printf '%s\n' "$pattern"
				[[ $(< "$tool.logs/$n.code") == 0 ]] || { cat "$tool.logs/$n.log"; return 1; }
				grep -E '^ *--- |^=====' "$tool.logs/$n.log"
			done
			for name_of in $names; do
				grep -q -- "--- PASS: $name_of " "$tool.logs/"*.log || { printf '%s did not run\n' "$name_of"; return 1; }
			done
			kernels "$tool.logs/"*.log || return 1
			rm -r "$tool.logs"
			if [[ -z ${ONLY:-} || $ONLY == *gpupapers* ]]; then
				printf 'gpupapers\n'
				compute-sanitizer --tool $tool --error-exitcode 9 "$dir/gpupapers" run -time 0s -max 10 \
					ops threads permute shares rates rivals > "$tool.log" 2>&1 || { cat "$tool.log"; return 1; }
				grep -c '"experiment":' "$tool.log" || true
				grep '^=====' "$tool.log" || true
				rm "$tool.log"
			fi
		done
	} > "$name-${ONLY:+$(tr -cd a-z0-9 <<< "${ONLY,,}")-}$(IFS=-; echo "$*")${1:+-}sanitizer.txt" 2>&1
}

# One call of each transform of BenchmarkResident, a line for each pass.
profile() {
	begin "$1"
	{
		machine
		echo 'kernel, grid, block: memory % | issue % | occupancy % | registers | duration'
		GALFFT_PROFILE=1 ncu --csv --page details --clock-control none --section SpeedOfLight --section Occupancy \
			--section LaunchStats --section ComputeWorkloadAnalysis --kernel-name 'regex:_(pass|pair|lazy|forward)' \
			"$dir/gpu.test" -test.run '^$' -test.bench Resident -test.benchtime 1x |
			awk -F '","' '
				function line() {
					if (id != "")
						print name ": " v["DRAM Throughput"] " | " v["Issue Slots Busy"] " | " v["Achieved Occupancy"] \
							" | " v["Registers Per Thread"] " | " v["Duration"]
				}
				$1 ~ /^"[0-9]+$/ {
					if ($1 != id) line()
					id = $1; name = $5 ", " $9 ", " $8; value = $15
					sub(/".*/, "", value)
					v[$13] = value " " $14
				}
				END { line() }'
	} > "$name-profile.txt"
}

papers() {
	begin "$1"
	"$dir/gpupapers" run -commit "$commit" all > "${name}papers.jsonl"
	"$dir/galfft" bench --machine --backend gpu --json --commit "$commit" < /dev/null > "$name-machine.jsonl"
	{
		machine
		"$dir/gpu.test" -test.run '^$' -test.bench '^Benchmark(Thesis|Contest|Digits|Threads)$' -test.benchtime 1x
	} > "$name-theses.txt"
	local field tuned
	tuned=$(mktemp -u)
	{
		machine
		for field in goldilocks p62 babybear gfpf:P3 gfpf:P4 gfpf:P5; do
			"$dir/galfft" tune --field $field --n 2^14..2^18 --backend gpu --effort estimate --time-limit 20s \
				--output "$tuned" < /dev/null 2> /dev/null
		done
		rm -f "$tuned"
	} > "$name-tune.txt"
	command -v ncu > /dev/null || return 0
	{
		machine
		echo 'kernel, grid, block: instructions a cycle | warps % | bytes of sectors that are read % | written % | read GB/s | written GB/s | ns; of the last launch'
		ncu --csv --page raw --print-units base --clock-control none \
			--kernel-name 'regex:^(sum|difference|shift|product|permute|move)(8|16)' --metrics "$(
			echo sm__inst_executed.avg.per_cycle_active sm__warps_active.avg.pct_of_peak_sustained_active \
				smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct \
				smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct \
				dram__bytes_read.sum.per_second dram__bytes_write.sum.per_second gpu__time_duration.sum | tr ' ' ,)" \
			"$dir/gpupapers" run -time 0s ops permute | awk -F '","' '
				function rate(x) { gsub(/,/, "", x); return x / 1e9 }
				/^"ID"/ { for (i = 1; i <= NF; i++) { name = $i; gsub(/"/, "", name); at[name] = i } }
				/^"[0-9]/ {
					sub(/"$/, "")
					key = $at["Kernel Name"] ", " $at["Grid Size"] ", " $at["Block Size"]
					if (!(key in line)) keys[++n] = key
					line[key] = $at["sm__inst_executed.avg.per_cycle_active"] " | " \
						$at["sm__warps_active.avg.pct_of_peak_sustained_active"] " | " \
						$at["smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct"] " | " \
						$at["smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct"] " | " \
						rate($at["dram__bytes_read.sum.per_second"]) " | " \
						rate($at["dram__bytes_write.sum.per_second"]) " | " $at["gpu__time_duration.sum"]
				}
				END { for (i = 1; i <= n; i++) print keys[i] ": " line[keys[i]] }'
	} > "$name-theses-profile.txt"
}

gf2() {
	begin "$1"
	local bits backend
	{
		machine
		"$dir/gpu.test" -test.run '^$' -test.bench '^BenchmarkGF2' -test.benchtime 1x | grep -E 'G/s'
		for bits in 32 64 128 256 512 1024 2048; do
			for backend in gpu cpu; do
				taskset -c 0 "$dir/galfft" bench --json --commit "$commit" --backend $backend --time 200ms --workers 1 \
					--field gf2:$bits --op product --n $([[ $backend == gpu ]] && echo 2^22 || echo 2^10) < /dev/null
			done
		done
		echo 'kernel, grid, block: units of logic % | of products % | shared memory % | memory % | warps % | registers | duration; shares of the most there is, by ncu'
		GALFFT_PROFILE=1 ncu --csv --page raw --print-units base --clock-control none --kernel-name 'regex:^gf2_' --metrics "$(
			echo sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active \
				sm__inst_executed_pipe_fmaheavy.avg.pct_of_peak_sustained_active \
				l1tex__data_pipe_lsu_wavefronts_mem_shared.avg.pct_of_peak_sustained_elapsed \
				dram__throughput.avg.pct_of_peak_sustained_elapsed \
				sm__warps_active.avg.pct_of_peak_sustained_active launch__registers_per_thread gpu__time_duration.sum |
				tr ' ' ,)" "$dir/gpu.test" -test.run '^$' -test.bench '^BenchmarkGF2' -test.benchtime 1x |
			awk -F '","' '
				/^"ID"/ { for (i = 1; i <= NF; i++) { name = $i; gsub(/"/, "", name); at[name] = i } }
				/^"[0-9]/ {
					sub(/"$/, "")
					print $at["Kernel Name"] ", " $at["Grid Size"] ", " $at["Block Size"] ": " \
						$at["sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active"] " | " \
						$at["sm__inst_executed_pipe_fmaheavy.avg.pct_of_peak_sustained_active"] " | " \
						$at["l1tex__data_pipe_lsu_wavefronts_mem_shared.avg.pct_of_peak_sustained_elapsed"] " | " \
						$at["dram__throughput.avg.pct_of_peak_sustained_elapsed"] " | " \
						$at["sm__warps_active.avg.pct_of_peak_sustained_active"] " | " \
						$at["launch__registers_per_thread"] " | " $at["gpu__time_duration.sum"]
				}'
	} > "$name-gf2.txt"
}

# The longest transforms are compared with the polynomial's values at points, and go back.
additive() {
	begin "$1"
	local n
	{
		machine
		"$dir/gpu.test" -test.run '^$' -test.bench '^BenchmarkAdditive' -test.benchtime 1x
		for n in 2^20 2^24; do
			"$dir/galfft" bench --json --commit "$commit" --backend gpu --time 200ms --field gf2:32 --op forward \
				--coefficients lch --n $n < /dev/null
		done
		for n in forward inverse; do
			"$dir/galfft" bench --json --commit "$commit" --backend gpu --time 200ms --field gf2:64 --op $n --n 2^24 \
				< /dev/null
		done
		FFT_TEST_SCALE=2 "$dir/gpu.test" -test.run '^TestAdditive(Known|Large)$' -test.v
	} > "$name-additive.txt" 2>&1
}

case "${1:-}" in
build | run | additive | gf2 | papers | profile | tests | times | lines | sanitize) "$1" "$(realpath -m "$2")" "${@:3}" ;;
*) sed -n '2,21s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" && exit 2 ;;
esac
