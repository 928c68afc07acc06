module github.com/galfft/fft/internal/engine/codelet/_gen

go 1.25.0
