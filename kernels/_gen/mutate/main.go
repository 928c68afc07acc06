// Command mutate shows that the tests of packages kernels/word, kernels/digits, kernels/rns, kernels/mulx,
// kernels/rate, kernels/limb, kernels/linear and kernels/gf2 (there those for words) notice a wrong instruction in any
// kernel: it changes one in each, builds the tests over the changed files, and lists the tests of kernels that still
// pass.
//
//	go run -C kernels/_gen ./mutate          # one change in each kernel
//	go run -C kernels/_gen ./mutate -seeds 5 # five times, each with other changes
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// swaps are the changes: an instruction by another with the same operands.
var swaps = map[string]string{
	"VPADDQ": "VPSUBQ", "VPSUBQ": "VPADDQ", "VPADDD": "VPSUBD", "VPSUBD": "VPADDD",
	"VPMINUQ": "VPMAXUQ", "VPMINUD": "VPMAXUD", "VPMAXUD": "VPMINUD", "VPCMPUD": "VPCMPD", "VPCMPEQD": "VPCMPGTD",
	"VPANDQ": "VPORQ", "VPAND": "VPOR", "VPANDN": "VPAND",
	"VPMULUDQ": "VPADDQ", "VPMULLQ": "VPADDQ", "VPMULLD": "VPADDD",
	"VPMADD52LUQ": "VPMADD52HUQ", "VPMADD52HUQ": "VPMADD52LUQ",
	"VPCMPEQQ": "VPCMPGTQ", "VPCMPGTQ": "VPCMPEQQ", "VPTESTNMQ": "VPTESTMQ", "VPTESTMQ": "VPTESTNMQ", "VALIGNQ": "VPTERNLOGQ",
	"VPERMT2Q": "VPERMI2Q", "VPERMT2D": "VPERMI2D",
	"ADCXQ": "ADOXQ", "ADOXQ": "ADCXQ", "ADCQ": "ADDQ", "SBBQ": "SUBQ", "CMOVQCS": "CMOVQCC", "CMOVQEQ": "CMOVQNE",
	"VADDPD": "VSUBPD", "VSUBPD": "VADDPD", "VMULPD": "VADDPD",
	"VFMADD231PD": "VFNMADD231PD", "VFNMADD231PD": "VFMADD231PD", "VFMSUB213PD": "VFMADD213PD",
	"VPXOR": "VPOR", "VPXORQ": "VPORQ", "VPSLLDQ": "VPSRLDQ", "VPCLMULQDQ": "VSHUFPD", "VPTERNLOGQ": "VALIGNQ",
	"VPUNPCKLQDQ": "VPUNPCKHQDQ", "VPUNPCKHQDQ": "VPUNPCKLQDQ", "VPUNPCKLDQ": "VPUNPCKHDQ", "VPUNPCKHDQ": "VPUNPCKLDQ",
}

var (
	start       = regexp.MustCompile(`^TEXT ·(\w+)\(SB\)`)
	instruction = regexp.MustCompile(`^\t([A-Z0-9]+)((?:\.RZ_SAE)?\s.*)$`)
	define      = regexp.MustCompile(`^#define (\w+)\((.*)\) \\$`)
	call        = regexp.MustCompile(`^\t(\w+)\((.*)\)$`)
	word        = regexp.MustCompile(`\b\w+\b`)
)

func main() {
	log.SetFlags(0)
	seeds := flag.Int("seeds", 1, "number of runs")
	flag.Parse()
	survived := 0
	for seed := range *seeds {
		for _, p := range packages {
			n, err := p.run(uint64(seed))
			if err != nil {
				log.Fatal(err)
			}
			survived += n
		}
	}
	if survived > 0 {
		os.Exit(1)
	}
}

// pack is a package of kernels, with the indent that the output gives a test of one kernel, and the kernel of a test.
type pack struct {
	dir, indent string
	kernel      func(test string) string
}

var packages = []pack{
	{"../word", "            ", func(test string) string {
		tier, kernel, _ := strings.Cut(test, "/")
		return strings.ReplaceAll(kernel, "/", strings.NewReplacer("avx512", "AVX512", "avx2", "AVX2", "ifma", "AVX512").Replace(tier))
	}},
	{"../digits", "        ", last},
	{"../rns", "        ", last},
	{"../mulx", "    ", last},
	{"../rate", "    ", last},
	{"../limb", "    ", limb},
	{"../gf2", "    ", last},
	{"../linear", "    ", last},
}

// limb returns the kernel that a test of package limb shows first: sizes that are not unrolled have loops.
func limb(test string) string {
	name, size, _ := strings.Cut(test, "x")
	if slices.Contains([]string{"add", "sub", "cross"}, name) {
		return strings.Replace(name, "sub", "subtract", 1)
	}
	name = strings.NewReplacer("join", "finish", "reduce", "finish", "table", "mulBy").Replace(name)
	if slices.Contains([]string{"14", "16", "17", "40", "79", "80", "158"}, size) {
		return "loop" + strings.ToUpper(name[:1]) + name[1:]
	}
	return name + "x" + size
}

func last(test string) string { return test[strings.LastIndex(test, "/")+1:] }

// run makes one change in each kernel and returns the number of tests that passed all the same.
func (p *pack) run(seed uint64) (int, error) {
	files, err := filepath.Glob(p.dir + "/z*_amd64.s")
	if err != nil || len(files) == 0 {
		return 0, errors.Join(err, fmt.Errorf("no assembly in %s: run with -C kernels/_gen", p.dir))
	}
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	changes := map[string]string{}
	for _, name := range files {
		text, err := mutate(name, rand.New(rand.NewPCG(seed, 1)), changes)
		if err != nil {
			return 0, err
		}
		to := filepath.Join(dir, filepath.Base(name))
		if err := os.WriteFile(to, []byte(text), 0o666); err != nil {
			return 0, err
		}
		from, err := filepath.Abs(name)
		if err != nil {
			return 0, err
		}
		overlay.Replace[from] = to
	}
	list, err := json.Marshal(overlay)
	if err != nil {
		return 0, err
	}
	config := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(config, list, 0o666); err != nil {
		return 0, err
	}
	cmd := exec.Command("go", "test", "-overlay", config, "-run", "^TestKernels$", "-v", ".")
	cmd.Dir = p.dir
	cmd.Env = append(os.Environ(), "FFT_TEST_SCALE=2") // twice the random cases of a usual run
	out, _ := cmd.CombinedOutput()                     // it is to fail
	failed := len(regexp.MustCompile(`(?m)^`+p.indent+`--- FAIL: TestKernels/`).FindAll(out, -1))
	passed := regexp.MustCompile(`(?m)^`+p.indent+`--- PASS: TestKernels/(\S+)`).FindAllSubmatch(out, -1)
	if failed == 0 {
		return 0, fmt.Errorf("seed %d: no test failed:\n%.2000s", seed, out)
	}
	fmt.Printf("%s, seed %d: %d kernels changed, %d tests failed, %d passed\n", p.dir, seed, len(changes), failed, len(passed))
	for _, t := range passed {
		fmt.Printf("  passed: %s: %s\n", t[1], changes[p.kernel(string(t[1]))])
	}
	return len(passed), nil
}

// mutate changes one instruction of each function, and adds it to changes by the function's name. Where no arithmetic
// is, a load of a vector becomes that of one word.
func mutate(name string, r *rand.Rand, changes map[string]string) (string, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	function := ""
	lines, at := expand(strings.Split(string(data), "\n"))
	var body []int // lines of the function with a candidate
	var loads []int
	flush := func() {
		if len(body) == 0 {
			body = loads
		}
		if len(body) > 0 {
			i := body[r.IntN(len(body))]
			m := instruction.FindStringSubmatch(lines[i])
			to, ok := swaps[m[1]]
			if !ok {
				to = "VPBROADCASTQ"
			}
			changes[function] = fmt.Sprintf("%s:%d: %s for %s", filepath.Base(name), at[i], to, strings.TrimSpace(lines[i]))
			lines[i] = "\t" + to + m[2]
		}
		body, loads = nil, nil
	}
	for i, l := range lines {
		if f := start.FindStringSubmatch(l); f != nil {
			flush()
			function = f[1]
		}
		m := instruction.FindStringSubmatch(l)
		switch {
		case m == nil:
		case swaps[m[1]] != "":
			body = append(body, i)
		case (m[1] == "VMOVDQU64" || m[1] == "VMOVDQU") && strings.HasPrefix(strings.TrimSpace(m[2]), "("):
			loads = append(loads, i)
		}
	}
	flush()
	return strings.Join(lines, "\n"), nil
}

// expand writes macros out, so that a change is in one kernel alone, and returns the number of each line in the file.
func expand(lines []string) (out []string, at []int) {
	type macro struct{ params, body []string }
	macros := map[string]*macro{}
	var open *macro
	var put func(l string, i int)
	put = func(l string, i int) {
		m := call.FindStringSubmatch(l)
		if m == nil || macros[m[1]] == nil {
			out, at = append(out, l), append(at, i+1)
			return
		}
		args := map[string]string{}
		for j, a := range strings.Split(m[2], ", ") {
			args[macros[m[1]].params[j]] = a
		}
		for _, b := range macros[m[1]].body {
			put(word.ReplaceAllStringFunc(b, func(w string) string {
				if a, ok := args[w]; ok {
					return a
				}
				return w
			}), i)
		}
	}
	for i, l := range lines {
		if open != nil {
			open.body = append(open.body, strings.TrimSuffix(l, "; \\"))
			if !strings.HasSuffix(l, "\\") {
				open = nil
			}
			continue
		}
		if m := define.FindStringSubmatch(l); m != nil {
			open = &macro{params: strings.Split(m[2], ", ")}
			macros[m[1]] = open
			continue
		}
		put(l, i)
	}
	return out, at
}
