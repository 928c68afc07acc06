// Command _gen writes the kernels of registercache, which kernels/cuda/_gen then compiles:
//
//	go run -C bench ./registercache/_gen
//	go run ./kernels/cuda/_gen
package main

import (
	"log"
	"os"

	"github.com/galfft/fft/bench/registercache/forms"
)

func main() {
	text, err := forms.Source()
	if err == nil {
		err = os.WriteFile("registercache/registercache.cu", []byte(text), 0o666)
	}
	if err != nil {
		log.Fatal(err)
	}
}
