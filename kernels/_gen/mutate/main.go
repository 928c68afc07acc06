// Command mutate shows that the tests of packages kernels/word, kernels/digits, kernels/rns, kernels/mulx,
// kernels/rate, kernels/limb, kernels/linear and kernels/gf2 notice a wrong instruction in any kernel: it changes one
// in each, builds the tests over the changed files, and lists the tests of kernels that still pass. Kernels for planes
// of bytes, whose tests have several kernels each, are changed one after the other.
//
//	go run -C kernels/_gen ./mutate          # one change in each kernel
//	go run -C kernels/_gen ./mutate -seeds 5 # five times, each with other changes
//	go run -C kernels/_gen ./mutate -package gf2
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
	"VPMINUQ": "VPMAXUQ", "VPMINUD": "VPMAXUD", "VPMAXUD": "VPMINUD", "VPMAXUQ": "VPMINUQ", "VPCMPUD": "VPCMPD", "VPCMPEQD": "VPCMPGTD",
	"VPANDQ": "VPORQ", "VPAND": "VPOR", "VPANDN": "VPAND",
	"VPMULUDQ": "VPADDQ", "VPMULLQ": "VPADDQ", "VPMULLD": "VPADDD",
	"VPMADD52LUQ": "VPMADD52HUQ", "VPMADD52HUQ": "VPMADD52LUQ",
	"VPCMPEQQ": "VPCMPGTQ", "VPCMPGTQ": "VPCMPEQQ", "VPTESTNMQ": "VPTESTMQ", "VPTESTMQ": "VPTESTNMQ", "VPTESTMD": "VPTESTNMD", "VALIGNQ": "VPTERNLOGQ",
	"VPERMT2Q": "VPERMI2Q", "VPERMT2D": "VPERMI2D", "VPERMI2Q": "VPERMT2Q", "VPERMI2D": "VPERMT2D", "VPERMD": "VPADDD",
	"ADCXQ": "ADOXQ", "ADOXQ": "ADCXQ", "ADCQ": "ADDQ", "SBBQ": "SUBQ", "CMOVQCS": "CMOVQCC", "CMOVQEQ": "CMOVQNE",
	"VADDPD": "VSUBPD", "VSUBPD": "VADDPD", "VMULPD": "VADDPD",
	"VFMADD231PD": "VFNMADD231PD", "VFNMADD231PD": "VFMADD231PD", "VFMSUB213PD": "VFMADD213PD",
	"VPXOR": "VPOR", "VPXORQ": "VPORQ", "VPOR": "VPAND", "VPORQ": "VPANDQ",
	"VPSRLQ": "VPSLLQ", "VPSRLD": "VPSLLD", "VPSRLVQ": "VPSLLVQ", "VPSLLDQ": "VPSRLDQ", "VPCLMULQDQ": "VSHUFPD", "VPTERNLOGQ": "VALIGNQ",
	"VGF2P8MULB": "VPADDB", "VGF2P8AFFINEQB": "VPTERNLOGQ", "VPSHUFB": "VPADDB", "VPERMB": "VPADDB",
	"VPERMT2B": "VPERMI2B", "VPUNPCKLBW": "VPUNPCKHBW", "VPUNPCKHBW": "VPUNPCKLBW", "VPERM2I128": "VALIGNQ", "VSHUFI64X2": "VALIGNQ",
	"VPUNPCKLQDQ": "VPUNPCKHQDQ", "VPUNPCKHQDQ": "VPUNPCKLQDQ", "VPUNPCKLDQ": "VPUNPCKHDQ", "VPUNPCKHDQ": "VPUNPCKLDQ",
}

var (
	start       = regexp.MustCompile(`^TEXT ·(\w+)\(SB\)`)
	functions   = regexp.MustCompile(`(?m)^TEXT ·(\w+)\(SB\)`)
	instruction = regexp.MustCompile(`^\t([A-Z0-9]+)((?:\.(?:RZ_SAE|BCST))?\s.*)$`)
	define      = regexp.MustCompile(`^#define (\w+)\((.*)\) \\$`)
	call        = regexp.MustCompile(`^\t(\w+)\((.*)\)$`)
	word        = regexp.MustCompile(`\b\w+\b`)
)

func main() {
	log.SetFlags(0)
	seeds := flag.Int("seeds", 1, "number of runs")
	of := flag.String("package", "", "only the package of this `name`")
	flag.Parse()
	survived := 0
	for seed := range *seeds {
		for _, p := range packages {
			if *of != "" && filepath.Base(p.dir) != *of {
				continue
			}
			n, err := p.each(uint64(seed))
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

// pack is files of a package of kernels. Where each kernel has a test, it has the indent that the output gives one, and
// the kernel of a test.
type pack struct {
	dir, files, indent string
	kernel             func(test string) string
}

var packages = []pack{
	{"../word", "z*_amd64.s", "            ", func(test string) string {
		tier, kernel, _ := strings.Cut(test, "/")
		return strings.ReplaceAll(kernel, "/", strings.NewReplacer("avx512", "AVX512", "avx2", "AVX2", "ifma", "AVX512").Replace(tier))
	}},
	{"../digits", "z*_amd64.s", "        ", last},
	{"../rns", "z*_amd64.s", "        ", last},
	{"../mulx", "z*_amd64.s", "    ", last},
	{"../rate", "z*_amd64.s", "    ", last},
	{"../limb", "z*_amd64.s", "    ", limb},
	{"../gf2", "zwords*_amd64.s", "    ", last},
	{"../gf2", "z*avx*_amd64.s", "", nil},
	{"../linear", "z*_amd64.s", "    ", last},
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

// each makes one change in each kernel and returns the number of those that no test noticed.
func (p *pack) each(seed uint64) (survived int, err error) {
	files, err := filepath.Glob(filepath.Join(p.dir, p.files))
	if err != nil || len(files) == 0 {
		return 0, errors.Join(err, fmt.Errorf("no assembly in %s: run with -C kernels/_gen", p.dir))
	}
	if p.kernel != nil {
		return p.together(files, seed)
	}
	kernels := 0
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			return 0, err
		}
		for _, f := range functions.FindAllSubmatch(text, -1) {
			passed, change, err := p.alone(name, string(f[1]), seed)
			if err != nil {
				return 0, err
			}
			if kernels++; passed {
				fmt.Println("  passed:", change)
				survived++
			}
		}
	}
	fmt.Printf("%s, seed %d: %d kernels changed one after the other, %d passed\n", p.dir, seed, kernels, survived)
	return survived, nil
}

// alone reports whether the tests of the package pass with a change in one function.
func (p *pack) alone(name, function string, seed uint64) (passed bool, change string, err error) {
	changes := map[string]string{}
	text, err := mutate(name, function, rand.New(rand.NewPCG(seed, 1)), changes)
	if err != nil {
		return false, "", err
	}
	if changes[function] == "" {
		return false, "", fmt.Errorf("%s: nothing to change in %s", name, function)
	}
	out, err := p.test(map[string]string{name: text}, "-failfast", ".")
	if err == nil {
		return true, changes[function], nil
	}
	if !strings.Contains(string(out), "--- FAIL") && !strings.Contains(string(out), "fatal error") {
		return false, "", fmt.Errorf("%s: no test failed:\n%.2000s", changes[function], out)
	}
	return false, changes[function], nil
}

// test runs the package's tests over changed files.
func (p *pack) test(texts map[string]string, args ...string) (out []byte, err error) {
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	for name, text := range texts {
		to := filepath.Join(dir, filepath.Base(name))
		if err := os.WriteFile(to, []byte(text), 0o666); err != nil {
			return nil, err
		}
		from, err := filepath.Abs(name)
		if err != nil {
			return nil, err
		}
		overlay.Replace[from] = to
	}
	list, err := json.Marshal(overlay)
	if err != nil {
		return nil, err
	}
	config := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(config, list, 0o666); err != nil {
		return nil, err
	}
	cmd := exec.Command("go", append([]string{"test", "-overlay", config}, args...)...)
	cmd.Dir = p.dir
	cmd.Env = append(os.Environ(), "FFT_TEST_SCALE=2") // twice the random cases of a usual run
	return cmd.CombinedOutput()
}

// together makes one change in each kernel, and returns the number of their tests that passed all the same.
func (p *pack) together(files []string, seed uint64) (int, error) {
	changes, texts := map[string]string{}, map[string]string{}
	for _, name := range files {
		text, err := mutate(name, "", rand.New(rand.NewPCG(seed, 1)), changes)
		if err != nil {
			return 0, err
		}
		texts[name] = text
	}
	out, _ := p.test(texts, "-run", "^TestKernels$", "-v", ".") // it is to fail
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

// mutate changes one instruction of each function, or of the only one with a name, and adds it to changes by the
// function's name. Where no arithmetic is, a load of a vector becomes that of one word.
func mutate(name, only string, r *rand.Rand, changes map[string]string) (string, error) {
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
		if len(body) > 0 && (only == "" || function == only) {
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
