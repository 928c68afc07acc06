module github.com/galfft/fft/field/smallprime/_gen

go 1.26.0
