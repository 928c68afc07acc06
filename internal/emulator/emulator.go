// Package emulator builds the stand-in for CUDA's driver of kernels/cuda/emulate, with all kernels of kernels/cuda in
// it, for tests on machines without a GPU. It wants Linux and a C++ compiler: clang++-19, clang++, or a g++ that has
// what the kernels use.
//
// A package whose tests use it has
//
//	func TestMain(m *testing.M) { os.Exit(emulator.Main(m)) }
//
// and each of these tests begins with Need. What the variables of kernels/cuda/emulate/README.md say may change from
// test to test.
package emulator

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// Variable is the environment variable that package gpu reads: the file that it loads as the driver.
const Variable = "GALFFT_CUDA_DRIVER"

// Switch is the environment variable that says off where nobody shall build the emulated driver, as if there were no
// compiler: .ci/run has a leg of its own for what needs it. It says all where tests run that take long there.
const Switch = "GALFFT_EMULATOR"

// variables are what the emulated driver reads by itself. The go command has to know, or it would remember the results
// of tests for other values.
var variables = []string{"EMULATE_DEVICES", "EMULATE_MEMORY", "EMULATE_SHARED", "EMULATE_DELAY", "EMULATE_FAIL"}

// absent is why tests that need the driver are skipped.
var absent error

// Main runs the tests of a package with the emulated driver, and returns what os.Exit takes. Where Variable is set
// already they run with that driver, as with libcuda.so.1 on a machine with a GPU. An emulated driver that does not
// compile fails them.
//
// The packages of measurements have kernels of their own, in other directories of the repository: the driver has those,
// too.
func Main(m *testing.M, kernels ...string) int {
	more = kernels
	for _, name := range variables {
		os.Getenv(name)
	}
	if os.Getenv(Variable) != "" {
		return m.Run()
	}
	path, err := Build()
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		absent = err
		fmt.Fprintf(os.Stderr, "no emulated driver: %v: tests that need a device are skipped\n", err)
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		return 1
	default:
		os.Setenv(Variable, path)
	}
	return m.Run()
}

// Need skips a test where there is no emulated driver, with the reason.
func Need(t testing.TB) {
	t.Helper()
	if absent != nil {
		t.Skipf("no emulated driver: %v", absent)
	}
}

// Long is Need for a test that takes long on the emulated driver, where it waits for Switch to say all.
func Long(t testing.TB) {
	t.Helper()
	Need(t)
	if os.Getenv(Switch) != "all" && Emulates() {
		t.Skipf("it takes long on the emulated driver, and waits for %s=all", Switch)
	}
}

// Emulates reports whether the driver is the emulated one, on which large cases take too long.
func Emulates() bool {
	path, err := Build()
	return err == nil && os.Getenv(Variable) == path
}

// Build compiles the driver, unless a file with the same sources is in the user's cache, and returns its path. It is
// errors.ErrUnsupported where there is no compiler for it.
func Build() (string, error) { return build() }

// more is the directories of kernels beside kernels/cuda.
var more []string

var build = sync.OnceValues(func() (string, error) {
	b, err := newBuilder()
	if err != nil { // before the directory is asked for: programs that tests start may be elsewhere
		return "", err
	}
	root, err := root()
	if err != nil {
		return "", err
	}
	b.sources = filepath.Join(root, "kernels", "cuda")
	for _, dir := range more {
		b.more = append(b.more, filepath.Join(root, dir))
	}
	return b.library()
})

// BuildFrom is Build for another directory with kernels. It has what kernels/cuda has: a PTX beside each source, of
// which the emulated driver takes the names of kernels, the prelude and the directory emulate.
func BuildFrom(sources string) (string, error) {
	b, err := newBuilder()
	if err != nil {
		return "", err
	}
	b.sources = sources
	return b.library()
}

func newBuilder() (b builder, err error) {
	if os.Getenv(Switch) == "off" {
		return b, fmt.Errorf("%w: %s is off", errors.ErrUnsupported, Switch)
	}
	if runtime.GOOS != "linux" {
		return b, fmt.Errorf("%w: it is for Linux, and this is %s", errors.ErrUnsupported, runtime.GOOS)
	}
	if b.compiler, err = compiler(); err != nil {
		return b, err
	}
	b.cache, err = cache()
	return b, err
}

var compilers = []string{"clang++-19", "clang++", "g++"}

// compiler finds one that compiles what kernels are made of.
func compiler() (string, error) {
	const probe = "unsigned f(unsigned x) { return __builtin_bitreverse32(x); } unsigned __int128 g;"
	for _, name := range compilers {
		c := exec.Command(name, "-std=c++17", "-x", "c++", "-fsyntax-only", "-")
		c.Stdin = strings.NewReader(probe)
		if c.Run() == nil {
			return name, nil
		}
	}
	return "", fmt.Errorf("%w: none of %s compiles C++17 with 128-bit integers and __builtin_bitreverse32",
		errors.ErrUnsupported, strings.Join(compilers, ", "))
}

// root is the directory of the repository that the test's package is in.
func root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for from := dir; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "kernels", "cuda")); err == nil {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", fmt.Errorf("emulator: no kernels/cuda above %s", from)
		}
	}
}

// cache is a directory for compiled files, without those that nobody has used for long.
func cache() (string, error) {
	const old = 10 * 24 * time.Hour
	user, err := os.UserCacheDir()
	if err != nil {
		return os.MkdirTemp("", "galfft-emulator-")
	}
	dir := filepath.Join(user, "galfft-emulator")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return os.MkdirTemp("", "galfft-emulator-")
	}
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil && time.Since(info.ModTime()) > old {
			err = os.Remove(name)
		}
		if errors.Is(err, fs.ErrNotExist) { // another process was faster
			return nil
		}
		return err
	})
	return dir, err
}

type builder struct {
	compiler, sources, cache string
	more                     []string
}

var flags = []string{"-std=c++17", "-O2", "-fPIC", "-pthread", "-fvisibility=hidden", "-U_FORTIFY_SOURCE", "-DEMULATE"}

// unit is one object file.
type unit struct {
	text string // of a C++ file
	name string // for errors
}

// library compiles all units and links them.
func (b *builder) library() (string, error) {
	units, err := b.units()
	if err != nil {
		return "", err
	}
	headers, err := contents(b.sources, "*.cuh", "emulate/*.h")
	if err != nil {
		return "", err
	}
	objects, errs := make([]string, len(units)), make([]error, len(units))
	var wait sync.WaitGroup
	gate := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, u := range units {
		wait.Go(func() {
			gate <- struct{}{}
			defer func() { <-gate }()
			objects[i], errs[i] = b.object(u, headers)
		})
	}
	wait.Wait()
	if err := errors.Join(errs...); err != nil {
		return "", err
	}
	path := filepath.Join(b.cache, sum(objects...)+".so")
	return path, b.once(path, func(out string) error {
		return b.run("", append([]string{"-shared", "-pthread", "-o", out}, objects...)...)
	})
}

// units lists what the library is made of: the emulated machine, and each source of kernels, followed by a registration
// of those kernels that its PTX has.
func (b *builder) units() (units []unit, err error) {
	machine, err := filepath.Glob(filepath.Join(b.sources, "emulate", "*.cc"))
	if err != nil {
		return nil, err
	}
	var kernels []string
	for _, dir := range append([]string{b.sources}, b.more...) {
		some, err := filepath.Glob(filepath.Join(dir, "*.cu"))
		if err != nil {
			return nil, err
		}
		kernels = append(kernels, some...)
	}
	for _, name := range machine {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		units = append(units, unit{string(text), name})
	}
	for _, name := range kernels {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		ptx, err := generated(strings.TrimSuffix(name, ".cu") + ".ptx.gz")
		if err != nil {
			return nil, fmt.Errorf("%w; go run ./kernels/cuda/_gen writes it", err)
		}
		units = append(units, unit{string(text) + registration(ptx), name})
	}
	return units, nil
}

// generated is what a compressed file holds.
func generated(name string) ([]byte, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	r, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return io.ReadAll(r)
}

var entry = regexp.MustCompile(`\.entry (\w+)`)

func registration(ptx []byte) string {
	var b strings.Builder
	b.WriteString("\nnamespace {\n[[maybe_unused]] const bool registered[] = {\n")
	for _, m := range entry.FindAllSubmatch(ptx, -1) {
		fmt.Fprintf(&b, "emulate::add(%q, %[1]s, [](void **p) { emulate::call(%[1]s, p); }),\n", m[1])
	}
	b.WriteString("};\n}\n")
	return b.String()
}

// object compiles a unit.
func (b *builder) object(u unit, headers string) (string, error) {
	path := filepath.Join(b.cache, sum(append([]string{b.compiler, headers, u.text}, flags...)...)+".o")
	return path, b.once(path, func(out string) error {
		// Quotation marks of the unit itself begin at its directory, those of headers at theirs.
		args := append(slices.Clone(flags), "-iquote", filepath.Dir(u.name), "-iquote", b.sources, "-c", "-x", "c++", "-o", out, "-")
		return b.run(fmt.Sprintf("#line 1 %q\n%s", u.name, u.text), args...)
	})
}

// once makes a file unless it is there. Processes that want one file at the same time wait for the first: the tests of
// several packages begin with an empty cache.
func (b *builder) once(path string, write func(out string) error) error {
	there := func() bool { now := time.Now(); return os.Chtimes(path, now, now) == nil } // so that nobody thinks it old
	if there() {
		return nil
	}
	l, err := os.Create(path + ".lock")
	if err != nil {
		return err
	}
	defer l.Close()
	if err := lock(l); err != nil {
		return err
	}
	if there() {
		return nil
	}
	f, err := os.CreateTemp(b.cache, "new-")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	if err := cmp.Or(f.Close(), write(f.Name())); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

func (b *builder) run(input string, args ...string) error {
	c := exec.Command(b.compiler, args...)
	c.Stdin = strings.NewReader(input)
	if text, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("emulator: %s: %w\n%s", b.compiler, err, bytes.TrimSpace(text))
	}
	return nil
}

// contents joins all files of some patterns, with their names.
func contents(dir string, patterns ...string) (string, error) {
	var b strings.Builder
	for _, p := range patterns {
		names, err := filepath.Glob(filepath.Join(dir, p))
		if err != nil {
			return "", err
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				return "", err
			}
			fmt.Fprintf(&b, "%s %d\n%s", name, len(text), text)
		}
	}
	return b.String(), nil
}

func sum(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d\n", len(p))
		io.WriteString(h, p)
	}
	return fmt.Sprintf("%x", h.Sum(nil))[:32]
}
