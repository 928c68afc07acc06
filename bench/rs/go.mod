module github.com/galfft/fft/bench/rs

go 1.26.0

require (
	github.com/galfft/fft v0.0.0
	github.com/klauspost/reedsolomon v1.14.2
)

require (
	github.com/klauspost/cpuid/v2 v2.3.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
)

replace github.com/galfft/fft => ../..
