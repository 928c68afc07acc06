module github.com/galfft/fft/schemes/internal/base/_gen

go 1.25.0
