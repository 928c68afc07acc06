package main

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/galfft/fft/internal/cpu"
	"github.com/galfft/fft/internal/names"
)

// session runs command lines in a directory of its own.
type session struct {
	t     *testing.T
	dir   string
	stdin io.Reader
	app   app
}

func newSession(t *testing.T, files map[string]string) *session {
	t.Helper()
	s := &session{t: t, dir: t.TempDir(), stdin: strings.NewReader("")}
	s.app.lookup = names.Lookup
	for name, content := range files {
		if err := os.WriteFile(s.path(name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(s.dir)
	return s
}

func (s *session) path(name string) string { return filepath.Join(s.dir, name) }

func (s *session) read(name string) string {
	s.t.Helper()
	b, err := os.ReadFile(s.path(name))
	if err != nil {
		s.t.Error(err)
	}
	return string(b)
}

// files lists the directory.
func (s *session) files() []string {
	s.t.Helper()
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		s.t.Error(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

func (s *session) run(args ...string) (code int, stdout, stderr string) {
	s.t.Helper()
	return s.runContext(s.t.Context(), args...)
}

func (s *session) runContext(ctx context.Context, args ...string) (code int, stdout, stderr string) {
	s.t.Helper()
	var out, err strings.Builder
	s.app.stdin, s.app.stdout, s.app.stderr = s.stdin, &out, &err
	code = s.app.run(ctx, args)
	if strings.Contains(out.String()+err.String(), "\x1b") {
		s.t.Errorf("%q: the output has escape sequences", args)
	}
	return code, out.String(), err.String()
}

// expect runs a command line and compares all of its output; stderr only has to contain the text.
func (s *session) expect(line string, code int, stdout, stderr string) {
	s.t.Helper()
	gotCode, gotOut, gotErr := s.run(strings.Fields(line)...)
	if gotCode != code {
		s.t.Errorf("galfft %s: exit code %d, want %d; stderr %q", line, gotCode, code, gotErr)
	}
	if gotOut != stdout {
		s.t.Errorf("galfft %s: stdout %q, want %q", line, gotOut, stdout)
	}
	if stderr == "" && gotErr != "" || !strings.Contains(gotErr, stderr) {
		s.t.Errorf("galfft %s: stderr %q, want %q in it", line, gotErr, stderr)
	}
}

var packageName = regexp.MustCompile(`\b(galfft|fft|poly|crt|cpu|gpu|pin|gfpf|vecfile|rs): `)

func TestUsage(t *testing.T) {
	s := newSession(t, map[string]string{"a": "1"})
	for line, says := range map[string]string{
		"mull":                                          "unknown command",
		"mul --field p62 a":                             `1 files ["a"], want 2, A and B; - is standard input`,
		"mul --field p62 a a a":                         `3 files ["a" "a" "a"], want 2, A and B`,
		"run --field p62":                               `0 files [], want 1, X; - is standard input`,
		"info x":                                        "unknown command",
		"help nosuch":                                   `unknown help topic "nosuch"`,
		"help mul nosuch":                               `unknown help topic "mul nosuch"`,
		"completion foo":                                "unknown command",
		"mul a a":                                       "no field: want --field NAME",
		"mul --field p61 a a":                           `unknown field "p61": did you mean P1 or p62 or p63 or p64`,
		"mul --field prime:15 a a":                      "unsupported modulus: 15 is composite",
		"mul --field prime:16 a a":                      "16 is even",
		"mul --field prime:0 a a":                       "0 is not a prime",
		"mul --field prime:1 a a":                       "1 is not a prime",
		"mul --field prime:0x a a":                      "want an odd prime of up to 8192 bits",
		"mul --field p62 - -":                           "standard input is wanted twice",
		"mul --field p62 --n 2^1..2^3 a a":              `"2^1..2^3" is a range, want one number`,
		"mul --field p62 --workers -1 a a":              "workers -1",
		"mul --field p62 --scheme naive a a":            "unknown flag: --scheme",
		"run --field p62 --op sideways a":               `invalid argument "sideways" for "--op" flag`,
		"run --field p62 --order random a":              `invalid argument "random" for "--order" flag`,
		"run --field p62 --scheme slow a":               `invalid argument "slow" for "--scheme" flag`,
		"run --field p62 --format json a":               `invalid argument "json" for "--format" flag`,
		"run --field p62 --op coset a":                  "want a shift with coset",
		"run --field p62 --op inverse-coset a":          "want a shift with coset",
		"run --field p62 --op negacyclic --shift 3 a":   "want a shift with coset",
		"run --field p62 --shift 3 a":                   "want a shift with coset",
		"run --field p62 --op coset --shift 0 a":        "shift 0: 0 is not invertible",
		"run --field p62 --op coset --shift x a":        `shift "x": not a number of decimal digits`,
		"run --field p62 --base 3 a":                    "base case 3",
		"run --field p62 --n 0 a":                       `"0" is not a number from 1 to 2^`,
		"run --field p62 --n 2^63 a":                    `"2^63" is not a number from 1 to 2^`,
		"run --field p62 --n 2^x a":                     `"2^x" is not a number, as 1000 or 2^10`,
		"run --field p62 --n 1e6 a":                     `"1e6" is not a number`,
		"verify --field p62 --n 2^5..2^3":               "a range goes from one power of two up to another",
		"verify --field p62 --n 3..8":                   "a range goes from one power of two up to another",
		"mul --field p62 --n 8..16 a a":                 `"8..16" is a range, want one number`,
		"run --field p62 --n 2^0..2^2 a":                `"2^0..2^2" is a range, want one number`,
		"run --field p62 --base 2^1..2^2 a":             `"2^1..2^2" is a range, want one number`,
		"run --field p62 --base -2 a":                   `"-2" is not a number`,
		"mul --field p62 --cyclic 0 a a":                `"0" is not a number from 1`,
		"mul --field p62 --cyclic 2^1..2^2 a a":         `is a range, want one number`,
		"mul --field p62 --cyclic 2 --negacyclic 2 a a": "want one modulus",
		"run --field prime:2^8192+1 a":                  "a number of 8193 bits, want an odd prime of 65 to 8192 bits",
		"info --field prime:2^64+1":                     "18446744073709551617 is composite",
		"info --field plain:x":                          `"x", want a name behind gfpf:`,
		"info --field gfpf:x:8":                         `unsupported modulus: radix "x"`,
		"verify --seed -1":                              `invalid argument "-1" for "--seed" flag: no whole`,
		"verify --workers many":                         `invalid argument "many" for "--workers" flag: no whole`,
		"info --n 8":                                    "--n without --field",
		"bench --tier sse2":                             `invalid argument "sse2" for "--tier" flag`,
		"bench --op divide":                             `invalid argument "divide" for "--op" flag`,
		"bench --vs gnark":                              "in a clone of the repository, go run -C bench . vs gnark",
		"bench --json --benchfmt":                       "want one form of the results",
		"bench --field p62 --op add --batch 2":          "add takes no batch",
		"bench --field p62 --op shift":                  "field p62 has no cheap shifts",
		"bench --field p62 --op forward --workers 0":    "0 workers, want at least 1",
		"bench --op forward --workers 1000000":          "1000000 workers, want at most 1024",
		"bench --field p62 --op forward --batch 0":      `"0" is not a number from 1`,
		"bench --field p62 --op forward --reps -1":      "-1 samples, want at least 1",
		"bench --field p62 --op forward --time 0s":      "time 0s, want more than 0",
		"bench --field p62 --op forward --base 3 --n 8": "base case 3",

		"encode --data 2 --out set a":                                   "want --data K, --parity M and --out DIR",
		"encode --data 2 --parity 1 a":                                  "want --data K, --parity M and --out DIR",
		"encode --data 2 --parity 1 --out set":                          "0 files [], want 1, FILE",
		"encode --data 0 --parity 1 --out set a":                        `"0" is not a number from 1`,
		"encode --data 2 --parity 1 --code best --out set a":            `invalid argument "best" for "--code" flag`,
		"encode --data 200 --parity 100 --code cauchy --out set a":      "unsupported numbers of shards",
		"encode --data 2 --parity 1 --memory 5XB --out set a":           `"5XB" is no number of bytes`,
		"encode --data 2 --parity 1 --memory 9999999999GiB --out set a": "is no number of bytes",
		"encode --data 2 --parity 1 --workers -1 --out set a":           "-1 workers",
		"encode --data 2 --parity 1 --out ./set .":                      "./set is inside ., which it is made of",
		"reconstruct --out x":                                           "no directory, want those with the shards",
		"reconstruct .":                                                 "want --out FILE, DIR or -",
		"check":                                                         "no directory, want those with the shards",
	} {
		code, stdout, stderr := s.run(strings.Fields(line)...)
		if code != exitUsage || !strings.HasPrefix(stderr, "galfft: ") || !strings.Contains(stderr, says) ||
			!strings.Contains(stderr, "--help tells more") {
			t.Errorf("galfft %s: exit code %d, stderr %q, want %d and %q", line, code, stderr, exitUsage, says)
		}
		if strings.Contains(stderr, "plan parameter") || strings.Contains(stderr, "arg(s)") {
			t.Errorf("galfft %s: %q is not of a command", line, stderr)
		}
		if name := packageName.FindString(strings.ReplaceAll("\n"+stderr, "\ngalfft: ", "\n")); name != "" {
			t.Errorf("galfft %s: the name %q stands in %q", line, name, stderr)
		}
		if stdout != "" && !strings.HasPrefix(line, "verify") && !strings.HasPrefix(line, "bench") {
			t.Errorf("galfft %s: stdout %q, want none", line, stdout)
		}
	}
	if got := s.files(); !slices.Equal(got, []string{"a"}) {
		t.Errorf("files %q were left", got)
	}
}

func TestVersion(t *testing.T) {
	s := newSession(t, nil)
	code, stdout, stderr := s.run("--version")
	want := regexp.MustCompile(`^galfft version \S+, ` + regexp.QuoteMeta(runtime.Version()) + `, commit \S+\n$`)
	if code != exitOK || !want.MatchString(stdout) || stderr != "" {
		t.Errorf("exit code %d, stdout %q, stderr %q", code, stdout, stderr)
	}
}

// A tier in GALFFT_CPU that is not there is a mistake, whatever is asked for but help. The variable counts at the start
// of a program.
func TestVariable(t *testing.T) {
	const value = "sse2"
	if os.Getenv(cpu.Variable) != value {
		cmd := exec.Command(os.Args[0], "-test.run=^TestVariable$")
		cmd.Env = append(os.Environ(), cpu.Variable+"="+value)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
		return
	}
	s := newSession(t, nil)
	for _, line := range []string{"info", "info --field p62", "primes", "verify --field p62",
		"bench --field p62 --op add"} {
		s.expect(line, exitUsage, "", `galfft: GALFFT_CPU=sse2: unknown tier "sse2", want one of generic, `)
	}
	for _, line := range []string{"", "--help", "help mul", "--version", "completion bash"} {
		if code, _, stderr := s.run(strings.Fields(line)...); code != exitOK || stderr != "" {
			t.Errorf("galfft %s: exit code %d, stderr %q", line, code, stderr)
		}
	}
}

func TestHelp(t *testing.T) {
	s := newSession(t, nil)
	for _, line := range []string{"", "--help", "help", "help mul", "mul --help", "run --help", "verify --help",
		"bench --help", "info --help", "plot --help", "encode --help", "reconstruct --help", "check --help"} {
		code, stdout, stderr := s.run(strings.Fields(line)...)
		if code != exitOK || !strings.Contains(stdout, "Examples:\n  galfft ") || stderr != "" {
			t.Errorf("galfft %s: exit code %d, stdout %q, stderr %q", line, code, stdout, stderr)
		}
	}
}

func TestCompletion(t *testing.T) {
	s := newSession(t, nil)
	for line, want := range map[string]string{
		"mul --field ":    "goldilocks\t",
		"run --op ":       "coset\n",
		"run --order ":    "bitrev\n",
		"bench --op ":     "negacyclic\n",
		"bench --scheme ": "sixstep-merged\n",
		"bench --tier ":   "generic\n",
		"plot --kind ":    "roofline\n",
		"mul --format ":   "binary\n",
		"encode --code ":  "leopard16\n",
	} {
		args := append([]string{"__complete"}, strings.Split(line, " ")...)
		if code, stdout, _ := s.run(args...); code != exitOK || !strings.Contains(stdout, want) {
			t.Errorf("completion of %q: exit code %d, got %q, want %q in it", line, code, stdout, want)
		}
	}
	if code, stdout, stderr := s.run("completion"); code != exitOK || !strings.Contains(stdout, "bash") ||
		stderr != "" {
		t.Errorf("completion: exit code %d, stdout %q, stderr %q", code, stdout, stderr)
	}
	if code, stdout, _ := s.run("completion", "bash"); code != exitOK || !strings.Contains(stdout, "galfft") {
		t.Errorf("completion bash: exit code %d", code)
	}
}
