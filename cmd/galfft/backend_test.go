package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/galfft/fft/internal/emulator"
	"github.com/galfft/fft/internal/names"
	"github.com/galfft/fft/internal/testfields"
	"github.com/galfft/fft/internal/verbs"
)

func TestMain(m *testing.M) { os.Exit(emulator.Main(m)) }

// A device computes what the processor does.
func TestBackends(t *testing.T) {
	emulator.Need(t)
	s := newSession(t, map[string]string{"a": "1 2 3 4 5", "b": "6 7 8", "c": "3 1 4 1 5 9 2 6",
		"d": "18446744073709551615 0 1 18446744073709551615 7"})
	for _, line := range []string{
		"mul --field goldilocks a b", "mul --field babybear --cyclic 4 a b", "mul --field p64 --negacyclic 8 a b",
		"mul --field prime:2^61-1 a b", "mul --field p62 --json a b",
		"run --field p62 c", "run --field p30 --op inverse --order bitrev c", "run --field goldilocks --op negacyclic c",
		"run --field p64 --op inverse-coset --shift 3 --scheme fourstep --base 2 c",
		"run --field prime:11 a", // no power of two
		"run --field gfpf:P1 c", "mul --field gfpf:P3 a b",
		"midint add --bits 96 a d", "midint mul --bits 64 a d", "midint mul --bits 160 --low a d",
	} {
		_, want, _ := s.run(strings.Fields(line)...)
		for _, backend := range []string{"cpu", "gpu", "auto"} {
			code, stdout, stderr := s.run(strings.Fields(line + " --backend " + backend)...)
			if code != exitOK || stdout != want || stdout == "" || stderr != "" {
				t.Errorf("galfft %s --backend %s: exit code %d, stdout %q, want %q; stderr %q", line, backend, code, stdout, want,
					stderr)
			}
		}
	}
	code, stdout, stderr := s.run(strings.Fields("midint bench --bits 96 --n 9 --workers 1 --time 1us --backend gpu")...)
	if code != exitOK || strings.Count(stdout, `"residency":"host"`) != 5 || strings.Contains(stdout, `"tier"`) {
		t.Errorf("midint bench on a device: exit code %d, %q, %q", code, stdout, stderr)
	}
	s.expect("midint add --bits 96 --backend tpu a d", exitUsage, "", `want one of ["cpu" "gpu" "auto"]`)
	s.expect("run --field p62 --backend tpu c", exitUsage, "", `want one of ["cpu" "gpu" "auto"]`)
	// Without kernels for the field, gpu is an error and auto the processor.
	s.app.lookup = func(string) (names.Entry, error) {
		return names.Entry{Open: func() (verbs.Field, error) { return verbs.Of(testfields.NewFermat()), nil }}, nil
	}
	const none = "backend gpu: there are no kernels for "
	for _, line := range []string{"run c", "mul c c", "info", "info --n 8", "bench --op forward --n 8 --time 1us",
		"verify --n 8"} {
		line += " --field fermat --backend "
		code, _, stderr := s.run(strings.Fields(line + "gpu")...)
		if code != exitUsage || !strings.Contains(stderr, none) {
			t.Errorf("galfft %sgpu: exit code %d, stderr %q", line, code, stderr)
		}
		if code, _, stderr := s.run(strings.Fields(line + "auto")...); code != exitOK {
			t.Errorf("galfft %sauto: exit code %d, stderr %q", line, code, stderr)
		}
	}
}

func TestInfoOfDevices(t *testing.T) {
	emulator.Need(t)
	s := newSession(t, nil)
	code, stdout, stderr := s.run("info")
	pattern := regexp.MustCompile(`(?m)^device   0: .+, [\d.]+ GiB, driver for CUDA \d+\.\d+, compute capability \d+\.\d+, \d+ multiprocessors$`)
	if code != exitOK || !pattern.MatchString(stdout) || strings.Contains(stdout, "device   none") || stderr != "" {
		t.Errorf("info: exit code %d, stdout %q, stderr %q", code, stdout, stderr)
	}
	var m machine
	_, stdout, _ = s.run("info", "--json")
	if err := json.Unmarshal([]byte(stdout), &m); err != nil || len(m.Devices) == 0 || m.Without != "" ||
		m.Devices[0].Name == "" || m.Devices[0].Memory == 0 || m.Devices[0].Multiprocessors == 0 {
		t.Errorf("info --json: %+v, error %v", m.Devices, err)
	}
	// Binary fields multiply there, by one of several multipliers.
	const ways = "\ndevice       products of gf2:64 on "
	for line, want := range map[string]int{"gf2:64 --backend gpu": 1, "gf2:64 --backend auto": 1, "gf2:64": 0,
		"goldilocks --backend gpu": 0} {
		code, stdout, stderr := s.run(strings.Fields("info --field " + line)...)
		if code != exitOK || stderr != "" || strings.Count(stdout, ways) != want ||
			strings.Count(stdout, ": sliced (") != want || strings.Count(stdout, "; else whole (") != want {
			t.Errorf("info --field %s: exit code %d, stdout %q, stderr %q", line, code, stdout, stderr)
		}
	}
	_, stdout, _ = s.run(strings.Fields("info --field tower:64 --backend gpu --json")...)
	if !strings.Contains(stdout, `"products":"products of tower:64 on `) {
		t.Errorf("info --json: %s", stdout)
	}
	// The form of vectors says where they are. With auto, that depends on the length.
	for line, words := range map[string]int{"--n 8 --backend gpu": 2, "--n 8 --backend auto": 0,
		"--n 2^14 --backend auto": 0, "--n 2^15 --backend auto": 1, "--n 2^15": 0} {
		_, stdout, _ := s.run(strings.Fields("info --field goldilocks " + line)...)
		if got := strings.Count(stdout, "words on "+m.Devices[0].Name); got != words {
			t.Errorf("info %s: %d forms on the device, want %d: %s", line, got, words, stdout)
		}
	}
}

func TestVerifyOnDevice(t *testing.T) {
	emulator.Need(t)
	s := newSession(t, nil)
	code, stdout, stderr := s.run(strings.Fields("verify --backend gpu --n 16 --seed 1")...)
	if code != exitOK || !strings.Contains(stderr, "left out: mersenne31, length 16: no root") ||
		!strings.Contains(stderr, "left out: bn254, length 16: backend gpu: there are no kernels") ||
		strings.Count(stdout, "\np62 ") != 6 || strings.Count(stdout, "\ngfpf:P7 ") != 6 || strings.Contains(stdout, "FAILED") {
		t.Errorf("exit code %d, stdout %q, stderr %q", code, stdout, stderr)
	}
}

// Transforms on a device have two figures, and what did not run there has one.
func TestBenchOnDevice(t *testing.T) {
	emulator.Need(t)
	s := newSession(t, nil)
	for line, want := range map[string]string{
		"--op forward --n 2^4..2^5 --backend gpu":               "gpu host natural, gpu device scheme, gpu host natural, gpu device scheme",
		"--op inverse --n 16 --order bitrev --backend gpu":      "gpu host bitrev, gpu device scheme",
		"--op coset --n 16 --batch 3 --backend gpu":             "gpu host natural, gpu device scheme",
		"--op negacyclic --n 16 --scheme sixstep --backend gpu": "gpu host natural, gpu device scheme",
		"--op forward --n 16 --scheme naive --backend gpu":      "cpu host natural", // left to the processor
		"--op forward --n 15 --backend gpu":                     "cpu host natural",
		"--op polymul --n 2^10 --backend gpu":                   "gpu host natural",
		"--op polymul --n 3 --backend gpu":                      "cpu host natural", // by the schoolbook
		"--op convolution --n 16 --backend gpu":                 "gpu host natural",
		"--op pack --n 16 --backend gpu":                        "gpu host natural",
		"--op product --n 100 --backend gpu":                    "gpu device natural",
		"--op product --n 100":                                  "cpu host natural",
		"--op forward --n 16 --backend auto":                    "cpu host natural",
		"--op forward --n 16 --batch 16384 --backend auto":      "gpu host natural, gpu device scheme",
		"--op add --n 16 --backend auto":                        "cpu host natural",
		"--op forward --n 16":                                   "cpu host natural",
	} {
		code, stdout, stderr := s.run(strings.Fields("bench --field goldilocks --reps 2 --time 1us --seed 5 --json " + line)...)
		var rows []string
		for row := range strings.Lines(stdout) {
			var l struct{ Backend, Residency, Order, Device, Driver, Tier string }
			if err := json.Unmarshal([]byte(row), &l); err != nil {
				t.Error(err)
			}
			if on := l.Backend == "gpu"; (l.Device != "") != on || (l.Driver != "") != on || l.Tier == "" {
				t.Errorf("galfft bench %s: %s", line, row)
			}
			rows = append(rows, l.Backend+" "+l.Residency+" "+l.Order)
		}
		if got := strings.Join(rows, ", "); code != exitOK || got != want || stderr != "galfft: seed 5\n" {
			t.Errorf("galfft bench %s: exit code %d, rows %s, want %s; stderr %q", line, code, got, want, stderr)
		}
	}
	s.expect("bench --field p62 --op add --backend gpu", exitUsage, "", "operation add takes no backend")

	code, stdout, _ := s.run(strings.Fields("bench --field p62 --n 16 --reps 1 --time 1us --backend gpu --commit c --seed 5")...)
	pattern := regexp.MustCompile(`^.*, commit c, seed 5\n.*, driver for CUDA [\d.]+\nfield .*\n` +
		`p62 +forward .* natural .* gpu .*\np62 +forward .* scheme .* gpu only .*\np62 +polymul .* gpu .*\n$`)
	if code != exitOK || !pattern.MatchString(stdout) {
		t.Errorf("text: exit code %d, %s", code, stdout)
	}
	code, stdout, _ = s.run(strings.Fields("bench --field p62 --op forward --n 16 --reps 1 --time 1us --backend gpu --benchfmt")...)
	pattern = regexp.MustCompile(`\ndevice: .*\ndriver: .*\nBenchmarkForward/.*/order=natural/backend=gpu/residency=host .*\n` +
		`BenchmarkForward/.*/order=scheme/backend=gpu/residency=device .*\n$`)
	if code != exitOK || !pattern.MatchString(stdout) {
		t.Errorf("benchfmt: exit code %d, %s", code, stdout)
	}
}

// Without a driver, gpu is an error that says so, and auto is the processor.
func TestNoDevice(t *testing.T) {
	const nowhere = "/nonexistent"
	if os.Getenv(emulator.Variable) != nowhere { // the driver is looked for once in a process
		cmd := exec.Command(os.Args[0], "-test.run=^TestNoDevice$")
		cmd.Env = append(os.Environ(), emulator.Variable+"="+nowhere)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
		return
	}
	s := newSession(t, map[string]string{"a": "0 1 0 0"})
	const none = "no CUDA driver or device: "
	for _, line := range []string{"run a", "mul a a", "verify", "bench --op forward", "info", "info --n 4"} {
		code, _, stderr := s.run(strings.Fields(line + " --field prime:17 --backend gpu")...)
		if code != exitFailed || !strings.Contains(stderr, "backend gpu: "+none) || strings.Count(stderr, "\n") > 2 {
			t.Errorf("galfft %s: exit code %d, stderr %q", line, code, stderr)
		}
	}
	s.expect("run --field prime:17 --backend auto a", exitOK, "1\n13\n16\n4\n", "")
	code, stdout, stderr := s.run("info")
	if code != exitOK || !strings.Contains(stdout, "\ndevice   none: "+none) || stderr != "" {
		t.Errorf("info: exit code %d, stdout %q, stderr %q", code, stdout, stderr)
	}
	_, stdout, _ = s.run("info", "--json")
	if !strings.Contains(stdout, `"devices":[],"without":"`+none) {
		t.Errorf("info --json: %s", stdout)
	}
	code, stdout, _ = s.run(strings.Fields("bench --field p62 --op forward --n 2^18 --reps 1 --time 1us --backend auto --json")...)
	if code != exitOK || strings.Count(stdout, "\n") != 1 || !strings.Contains(stdout, `"backend":"cpu","device":"","driver":"",`) {
		t.Errorf("bench: exit code %d, %s", code, stdout)
	}
}

// Tune finds from where on the device is faster.
func TestTuneOnDevice(t *testing.T) {
	emulator.Need(t)
	s := newSession(t, nil)
	for line, kinds := range map[string]string{"--backend gpu": "device", "--backend auto": "transform product device",
		"": "transform product"} {
		code, stdout, stderr := s.run(strings.Fields("tune --field p62 --n 8 --effort estimate -o f " + line)...)
		var got []string
		for line := range strings.Lines(stdout) {
			kind, _, _ := strings.Cut(line, " ")
			got = append(got, kind)
		}
		if code != exitOK || strings.Join(got, " ") != kinds || strings.Contains(stderr, "no time") {
			t.Errorf("tune %s: exit code %d, lines on %v, want %s; stderr %q", line, code, got, kinds, stderr)
		}
	}
	if text := s.read("f"); strings.Count(text, "\ndevice field=") != 1 {
		t.Errorf("file %s", text)
	}
}
