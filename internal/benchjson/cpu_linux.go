package benchjson

import (
	"bufio"
	"io"
	"os"
	"runtime"
	"strings"
)

// CPU is the processor's name, or the architecture where the system gives no name.
func CPU() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	defer f.Close()
	return modelName(f)
}

func modelName(cpuinfo io.Reader) string {
	for s := bufio.NewScanner(cpuinfo); s.Scan(); {
		key, value, _ := strings.Cut(s.Text(), ":")
		if strings.TrimSpace(key) == "model name" {
			return strings.Join(strings.Fields(value), " ")
		}
	}
	return runtime.GOARCH
}
