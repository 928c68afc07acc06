#!/usr/bin/env bash
# Prints what compiling costs, and what there is to compile: bench/compile.sh. Seconds of a package are the compiler's user time
# with its dependencies compiled before, the least of three. Those of README's main command are of the clock, once, from an empty
# cache, with the modules at hand. A shape is a kind of element for which Go compiles generic code anew.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
tmp=$(mktemp -d)
trap 'chmod -R u+w "$tmp" && rm -rf "$tmp"' EXIT

# seconds PACKAGE ARGUMENTS is the least user time that go list -export takes to compile the package, in three runs, less that
# of a run which finds it compiled. Nothing is linked.
seconds() {
	local TIMEFORMAT=%U key
	for key in 1 2 3; do
		# A flag that changes nothing but the key of the cache has the package compiled anew.
		local build=(go list -export -gcflags "$1=-trimpath=$tmp/$key" "${@:2}")
		local first again
		first=$({ time "${build[@]}" > /dev/null; } 2>&1)
		again=$({ time "${build[@]}" > /dev/null; } 2>&1)
		awk -v a="$first" -v b="$again" 'BEGIN { printf "%.2f\n", a - b }'
	done | sort -n | head -n 1
}

mkdir "$tmp/program"
cat > "$tmp/program/main.go" <<- 'GO'
	package main

	import (
		"fmt"
		"log"

		"github.com/galfft/fft"
		"github.com/galfft/fft/field/smallprime"
	)

	// Values of a polynomial, and the polynomial back from them.
	func main() {
		f := smallprime.Goldilocks()
		p, err := fft.NewPlan(f, 8)
		if err != nil {
			log.Fatal(err)
		}
		x := []uint64{3, 1, 4, 1, 5, 9, 2, 6}
		y := make([]uint64, len(x))
		if err := p.Forward(y, x); err != nil {
			log.Fatal(err)
		}
		fmt.Println(y)
		if err := p.Inverse(y, y); err != nil {
			log.Fatal(err)
		}
		fmt.Println(y)
	}
GO
cat > "$tmp/program/go.mod" <<- MOD
	module program

	go 1.26

	require github.com/galfft/fft v0.0.0

	replace github.com/galfft/fft => $PWD
MOD
(cd "$tmp/program" && go mod tidy > /dev/null 2>&1)

printf '%s\n%s\ncommit %s, %s\n\n' "$(go version)" "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)" "$(git rev-parse --short HEAD)" "$(date -u +%F)"
printf '%-34s %6s s\n' internal/names "$(seconds ./internal/names ./internal/names)"
printf '%-34s %6s s\n' 'a program with one plan of words' "$(cd "$tmp/program" && seconds program .)"
printf '%-34s %6s s\n' 'schemes and its tests' "$(seconds ./schemes -test ./schemes)"
build() { CGO_ENABLED=0 go build -trimpath -o "$tmp/galfft" "$@" ./cmd/galfft; }
build -ldflags '-s -w'
printf '%-34s %6s MB\n' 'the command, stripped' "$(du -b "$tmp/galfft" | awk '{printf "%.1f", $1 / 1e6}')"
build
go tool nm "$tmp/galfft" | grep -oE 'go\.shape\.(u?int[0-9]+|\[[0-9]+\]u?int[0-9]+)' | sort | uniq -c | sort -rn > "$tmp/shapes"
printf '%-34s %6s of %s\n' 'its symbols, most for one shape' $(head -n 1 "$tmp/shapes")
go tool nm -size "$tmp/galfft" | awk '
	$3 ~ /^[tT]$/ && match($4, /^github\.com\/galfft\/fft\/((field|internal)\/)?[a-z0-9]+/) { text[substr($4, 23, RLENGTH - 22)] += $2 }
	END { for (room in text) printf "%-34s %6.2f MB\n", "text of " room, text[room] / 1e6 }' | sort
printf '%-34s %6.2f MB\n' 'kernels for devices, compressed' "$(cat kernels/cuda/*.ptx.gz | wc -c | awk '{ print $1 / 1e6 }')"

start=$(date +%s.%N)
GOCACHE=$tmp/cache go build -o "$tmp/galfft" ./cmd/galfft
printf '%-34s %6s s, %d processors\n' 'the command from an empty cache' "$(awk -v a="$start" -v b="$(date +%s.%N)" 'BEGIN { printf "%.1f", b - a }')" "$(nproc)"

lines() { find "$@" -name '*.go' -not -name '*_test.go' -exec grep -L '^// Code generated' {} + | xargs cat | wc -l; }
for package in schemes poly crt gpu field internal/engine internal/device; do
	printf '%-34s %6s\n' "lines of Go in $package" "$(lines "$package")"
done
