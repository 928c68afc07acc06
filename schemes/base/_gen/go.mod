module github.com/galfft/fft/schemes/base/_gen

go 1.25.0
