package cpu

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
)

// Name is the processor's name, with its family, model and stepping where the name has no model number, as virtual
// machines give it; or the architecture where the system gives no name.
func Name() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	defer f.Close()
	return modelName(f)
}

// modelName reads what is said of the first processor.
func modelName(cpuinfo io.Reader) string {
	about := map[string]string{}
	for s := bufio.NewScanner(cpuinfo); s.Scan() && s.Text() != ""; {
		key, value, _ := strings.Cut(s.Text(), ":")
		about[strings.TrimSpace(key)] = strings.Join(strings.Fields(value), " ")
	}
	name, family, model, stepping := about["model name"], about["cpu family"], about["model"], about["stepping"]
	switch {
	case name == "":
		return runtime.GOARCH
	case family == "" || model == "" || stepping == "" || strings.ContainsAny(name, "0123456789"):
		return name
	}
	more := fmt.Sprintf("family %s, model %s, stepping %s", family, model, stepping)
	if core := intel6[model]; core != "" && family == "6" && about["vendor_id"] == "GenuineIntel" {
		more += ": " + core
	}
	return name + " (" + more + ")"
}

// intel6 is the server processors of Intel's family 6 with AVX-512, by model (Linux,
// arch/x86/include/asm/intel-family.h).
var intel6 = map[string]string{
	"85": "Skylake, Cascade Lake or Cooper Lake", "106": "Ice Lake", "108": "Ice Lake D",
	"143": "Sapphire Rapids", "173": "Granite Rapids", "174": "Granite Rapids D", "207": "Emerald Rapids",
}
