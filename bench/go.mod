module github.com/galfft/fft/bench

go 1.26.8

require (
	github.com/consensys/gnark-crypto v0.22.0
	github.com/galfft/fft v0.0.0
	github.com/ncw/gmp v1.0.4
	github.com/remyoudompheng/bigfft v0.0.0-20230129092748-24d4a6f8daec
	github.com/stretchr/testify v1.12.1
	github.com/tuneinsight/lattigo/v6 v6.1.1
	golang.org/x/sys v0.49.0
)

require (
	github.com/ALTree/bigfloat v0.0.0-20220102081255-38c8b72a9924 // indirect
	github.com/bits-and-blooms/bitset v1.25.0 // indirect
	github.com/ebitengine/purego v0.11.3 // indirect
	github.com/google/go-cmp v0.5.8 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/crypto v0.57.0 // indirect
	golang.org/x/exp v0.0.0-20230321023759-10a507213a29 // indirect
)

replace github.com/galfft/fft => ../
