package main

import (
	"bytes"
	"context"
	"encoding/json"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/names"
	"github.com/galfft/fft/internal/verbs"
)

func TestInfo(t *testing.T) {
	s := newSession(t, nil)
	code, stdout, _ := s.run("info")
	for _, want := range []string{"galfft ", "go ", "cpu ", "cores", "kernels ", "goldilocks", "p64", "prime:<p>"} {
		if code != exitOK || !strings.Contains(stdout, want) {
			t.Errorf("info: exit code %d, %q misses %q", code, stdout, want)
		}
	}
	code, stdout, _ = s.run("info", "--field", "goldilocks", "--n", "2^9..2^10")
	for _, want := range []string{"18446744069414584321", "bits         64\n", "2-adicity    32", "length 512",
		"length 1024"} {
		if code != exitOK || !strings.Contains(stdout, want) {
			t.Errorf("info --field: exit code %d, %q misses %q", code, stdout, want)
		}
	}
	for line, says := range map[string][]string{
		"info --field prime:17": {"p − 1        2^4\n", "2-adicity    4\n", "root         3, of order 2^4\n",
			"lengths      the divisors of p − 1; powers of two up to 2^4\n"},
		"info --field prime:97 --n 6":   {"p − 1        2^5·3\n", "\nroot     "},
		"info --field gfpf:P1":          {"p − 1        2^106·5^4·41^2\n", "up to 2^106\n", "root         "},
		"info --field gfpf:P1 --n 2^10": {"length 1024", "\nroot     "},
		"info --field gf2:64": {"elements     18446744073709551616\nbits         64\nunits        3·5·17·257·641·65537·6700417\n",
			"2^0 to 2^64, over subspaces"},
		"info --field ghash":             {"bits         128\nlengths "}, // the factors of 2^128 − 1 are not searched
		"info --field gf2:3":             {"bits         3\nunits        7\n"},
		"verify --field gf2:64 --seed 1": {"gf2:64       2^12     linearity "},
		"verify --field gf2:65 --seed 1": {"gf2:65       256      linearity "},
	} {
		code, stdout, _ := s.run(strings.Fields(line)...)
		for _, want := range says {
			if code != exitOK || !strings.Contains(stdout, want) {
				t.Errorf("galfft %s: exit code %d, %q misses %q", line, code, stdout, want)
			}
		}
	}
	// The form of vectors is that of plans.
	_, about, _ := s.run(strings.Fields("info --field gfpf:k4")...)
	_, explained, _ := s.run(strings.Fields("info --field gfpf:k4 --n 2^12")...)
	form := regexp.MustCompile(`(?m)^form +(.*)$`).FindAllStringSubmatch(about+explained, -1)
	if len(form) != 3 || form[0][1] != form[2][1] || form[1][1] != form[2][1] {
		t.Errorf("info of gfpf:k4 has the forms %q, want one", form)
	}
	for line, keys := range map[string]string{
		"info --json": "version commit go cpu features caches cores tier why tiers tuning devices without " +
			"nccl mpi fields",
		"info --json --field p62 --n 2^4": "field modulus bits factors two_adicity root root_bits form plans",
		"info --json --field prime:17":    "field modulus bits factors two_adicity root root_bits form",
	} {
		code, stdout, stderr := s.run(strings.Fields(line)...)
		if got := strings.Join(jsonKeys(t, stdout), " "); code != exitOK || got != keys || stderr != "" {
			t.Errorf("galfft %s: exit code %d, keys %s, want %s; stderr %q", line, code, got, keys, stderr)
		}
	}
}

// jsonKeys lists the keys of one object in their order.
func jsonKeys(t *testing.T, object string) (keys []string) {
	t.Helper()
	var any map[string]json.RawMessage
	if err := json.Unmarshal([]byte(object), &any); err != nil {
		t.Errorf("%q: %v", object, err)
	}
	d := json.NewDecoder(strings.NewReader(object))
	depth := 0
	for isKey := false; ; {
		token, err := d.Token()
		if err != nil {
			return keys
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if key, ok := token.(string); depth == 1 && ok && isKey {
			keys = append(keys, key)
		}
		isKey = depth == 1 && (!isKey || token == json.Delim('{'))
	}
}

func TestVerify(t *testing.T) {
	s := newSession(t, nil)
	code, stdout, stderr := s.run("verify", "--seed", "7")
	if code != exitOK || !strings.HasPrefix(stdout, "seed 7\n") || stderr != "" {
		t.Errorf("exit code %d, stdout %q, stderr %q", code, stdout, stderr)
	}
	for _, e := range names.List() {
		want := 6
		if regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(e.Name) + ` +\S+ +basis `).MatchString(stdout) { // over a subspace
			want = 7
		}
		if n := strings.Count(stdout, "\n"+e.Name+" "); n != want {
			t.Errorf("%d checks of %s, want %d", n, e.Name, want)
		}
	}
	code, stdout, stderr = s.run(strings.Fields("verify --field p62 --n 2^2..2^5 --json --scheme fourstep --base 2 --order bitrev --workers 2")...)
	lines := strings.Split(strings.TrimSpace(stdout), "\n")
	if code != exitOK || len(lines) != 4*6 || !regexp.MustCompile(`^galfft: seed \d+\n$`).MatchString(stderr) {
		t.Errorf("exit code %d, %d lines, stderr %q", code, len(lines), stderr)
	}
	pattern := regexp.MustCompile(`^\{"check":"[a-z ]+","ok":true,"ns":\d+,"field":"p62","n":\d+\}$`)
	for _, line := range lines {
		if !pattern.MatchString(line) {
			t.Errorf("got the line %s", line)
		}
	}
	s.expect("verify --field p62 --n 2^26 --seed 1", exitFailed, "seed 1\n", "no root of unity of that order")
	s.expect("verify --field mersenne31 --n 2^3 --seed 1", exitFailed, "seed 1\n", "no root of unity of that order")
	// Without --field, fields that have no root are left out.
	code, stdout, stderr = s.run(strings.Fields("verify --n 16 --seed 1")...)
	if code != exitOK || !strings.Contains(stderr, "left out: mersenne31, length 16: no root") ||
		!strings.Contains(stdout, "\np62 ") {
		t.Errorf("every field: exit code %d, stdout %q, stderr %q", code, stdout, stderr)
	}
	s.expect("verify --n 2^62 --seed 1", exitFailed, "seed 1\n", "gfpf:P1, length 2^62: not enough memory")
	s.expect("verify --field p62 --n 12 --seed 1", exitFailed, "seed 1\n", "12")
	s.expect("verify --field goldilocks --n 2^62 --seed 1", exitFailed, "seed 1\n", "4611686018427387904")
}

// broken is a field whose transforms have one wrong value, and which ignores a parameter.
type broken struct{ *smallprime.Field64 }

type brokenTransform struct{ field.Transform[uint64] }

func (f broken) Plan(d field.Domain[uint64], s field.Spec) (field.Transform[uint64], error) {
	t, err := f.Field64.Plan(d, s)
	return brokenTransform{t}, err
}

func (t brokenTransform) Forward(ctx context.Context, dst, src []uint64) error {
	err := t.Transform.Forward(ctx, dst, src)
	dst[0] ^= 1
	return err
}

func (t brokenTransform) Report() field.Report {
	r := t.Transform.Report()
	r.Ignored = "the strip: it has none"
	return r
}

// What a plan does not honour stands beside its figure.
func TestBenchIgnored(t *testing.T) {
	s := newSession(t, nil)
	s.app.lookup = lookupBroken
	code, stdout, stderr := s.run(strings.Fields("bench --field p62 --op pack --n 4 --reps 1 --time 1us --json")...)
	if code != exitOK || stdout == "" || !strings.Contains(stderr,
		"p62, pack, length 4: the plan ignores the strip: it has none\n") {
		t.Errorf("exit code %d, stdout %q, stderr %q", code, stdout, stderr)
	}
}

func lookupBroken(name string) (names.Entry, error) {
	return names.Entry{Name: name, Open: func() (verbs.Field, error) {
		return verbs.Of(broken{smallprime.P62()}),
			nil
	}}, nil
}

// A failed check is exit code 1, and no figure comes out of a wrong computation.
func TestBroken(t *testing.T) {
	s := newSession(t, nil)
	s.app.lookup = lookupBroken
	code, stdout, stderr := s.run(strings.Fields("verify --field broken --n 2^4 --json --seed 1")...)
	if code != exitFailed || !strings.Contains(stdout, `{"check":"linearity","ok":false,`) ||
		!strings.Contains(stdout, `{"check":"convolution","ok":true,`) {
		t.Errorf("verify: exit code %d, stdout %q", code, stdout)
	}
	if !strings.Contains(stderr, "p62, length 16, linearity: wrong result: value 0 is ") ||
		!strings.Contains(stderr, "checks failed") {
		t.Errorf("verify: stderr %q", stderr)
	}
	for _, form := range []string{"", "--json", "--benchfmt"} {
		line := "bench --field broken --op forward --n 2^4 --reps 1 --time 1us --seed 5 " + form
		code, stdout, stderr := s.run(strings.Fields(line)...)
		if code != exitFailed || stdout != "" || !strings.Contains(stderr,
			"length 16, seed 5: the measured operation fails its check: wrong result") {
			t.Errorf("galfft %s: exit code %d, stdout %q, stderr %q", line, code, stdout, stderr)
		}
	}
}

func TestBench(t *testing.T) {
	s := newSession(t, nil)
	for _, line := range []string{
		"--op forward --n 2^3..2^5 --scheme naive", "--op inverse --order bitrev --base 4",
		"--op coset --batch 3 --order scheme",
		"--op negacyclic --workers 2", "--op polymul --n 5", "--op convolution", "--op add", "--op sub", "--op mul",
		"--op shift", "--op pack",
	} {
		if !strings.Contains(line, "--n") {
			line += " --n 8"
		}
		line = "bench --field goldilocks --reps 2 --time 1us --seed 5 --json " + line
		code, stdout, stderr := s.run(strings.Fields(line)...)
		want := "galfft: seed 5\n"
		if runtime.NumCPU() == 1 && strings.Contains(line, "--workers 2") {
			want = "galfft: 2 workers share 1 CPUs: these are not the times of 2 cores\n" + want
		}
		if code != exitOK || stderr != want {
			t.Errorf("galfft %s: exit code %d, stderr %q, want %q", line, code, stderr, want)
		}
		for one := range strings.Lines(stdout) {
			const want = "field op n batch scheme ran products base tier backend device driver residency workers order ns_min ns_median reps go cpu features caches commit date"
			if got := strings.Join(jsonKeys(t, one), " "); got != want {
				t.Errorf("galfft %s: keys %s, want %s", line, got, want)
			}
		}
	}
	for line, want := range map[string]string{
		"--field goldilocks --n 64":                   `"products":"native"`,
		"--field goldilocks --n 64 --products crt":    `"products":"crt"`,
		"--field secp256k1 --n 64":                    `"products":"crt"`,
		"--field bn254 --n 64 --products native":      `"products":"native"`,
		"--field goldilocks --n 4":                    `"products":""`,
		"--field prime:2^61-1 --n 40 --products auto": `"products":"crt"`,
	} {
		code, stdout, _ := s.run(strings.Fields("bench --op polymul --reps 1 --time 1us --json " + line)...)
		if code != exitOK || !strings.Contains(stdout, want) {
			t.Errorf("bench %s: exit code %d, got %s, want %s", line, code, stdout, want)
		}
	}
	s.expect("bench --field p62 --op forward --n 4 --products crt --seed 1 --json", exitUsage, "",
		"operation forward takes no products")
	s.expect("bench --field secp256k1 --op polymul --n 64 --products native --seed 1 --json", exitFailed, "",
		"no root of unity of that order")
	s.expect("bench --field gfpf:k4 --op polymul --n 64 --products crt --seed 1 --json", exitUsage, "",
		"no convolutions through other primes")
	code, stdout, _ := s.run(strings.Fields("bench --field p62 --op forward --n 2^4 --reps 12 --time 1us --benchfmt --commit abc --base 8")...)
	pattern := regexp.MustCompile(`^goos: \w+\ngoarch: \w+\npkg: .*\ncpu: .*\ncommit: abc\ndate: .*\n` +
		`(BenchmarkForward/field=p62/scheme=sixstep-merged/n=16/base=8/tier=[a-z0-9]+/workers=1/order=natural \d+ [\d.e+]+ ns/op [\d.e+]+ min-ns/op\n){10}$`)
	if code != exitOK || !pattern.MatchString(stdout) {
		t.Errorf("benchfmt: exit code %d, got %s", code, stdout)
	}
	code, stdout, _ = s.run(strings.Fields("bench --field p62 --op forward --n 2^4 --reps 3 --time 1us --batch 2^0..2^1 --base 2^2..2^4")...)
	rows := regexp.MustCompile(`(?m)^p62 +forward +16 +\S+ +(\d+) +natural +1 +(\d+) +cpu +.* \d+\.\d % +3$`).FindAllStringSubmatch(stdout, -1)
	got := ""
	for _, r := range rows {
		got += r[1] + "×" + r[2] + " "
	}
	if want := "4×1 8×1 16×1 4×2 8×2 16×2 "; code != exitOK || got != want {
		t.Errorf("ranges: exit code %d, %q, want %q: %s", code, got, want, stdout)
	}
	code, stdout, _ = s.run(strings.Fields("bench --n 4 --reps 1 --time 1us --seed 5")...)
	if lines := strings.Count(stdout, "\n"); code != exitOK || lines != 2+len(defaultFields)*len(defaultOps) ||
		!strings.Contains(stdout, "seed 5\n") {
		t.Errorf("default set: exit code %d, %d lines: %s", code, lines, stdout)
	}
	code, stdout, _ = s.run(strings.Fields("bench --field p62 --n 4 --reps 1 --time 1us --workers 2 --json")...)
	if lines := strings.Count(stdout, "\n"); code != exitOK || lines != 2 || strings.Contains(stdout, `"op":"add"`) {
		t.Errorf("default operations on two workers: exit code %d, %s", code, stdout)
	}
	// Lengths that a field has no root for are left out of the default ones, and are an error when asked for.
	code, stdout, stderr := s.run(strings.Fields("bench --field prime:12289 --op forward --reps 1 --time 1us --json")...)
	if code != exitOK || strings.Count(stdout, "\n") != 1 || strings.Count(stderr,
		"left out: prime:12289, forward") != 2 {
		t.Errorf("a field with few roots: exit code %d, stdout %s, stderr %s", code, stdout, stderr)
	}
	s.expect("bench --field prime:12289 --op forward --n 2^13 --seed 1 --json", exitFailed, "",
		"no root of unity of that order")
}

// Progress appears on terminals alone, after a while, never goes back, and leaves nothing on the line but its end.
func TestProgress(t *testing.T) {
	var b bytes.Buffer
	a := app{stderr: &b, pace: pace{time.Hour, time.Hour}}
	p := a.progress(1)
	p.next = time.Time{}
	p.at(0.5, "x")
	p.finish()
	if b.Len() != 0 {
		t.Errorf("not on a terminal: got %q", b.String())
	}
	a.terminal = true
	p = a.progress(4)
	p.at(0.5, "early")
	p.finish()
	if b.Len() != 0 {
		t.Errorf("too early: got %q", b.String())
	}
	p.over()
	p.next = time.Time{}
	p.at(0.5, "½")
	p.at(0.6, "too soon after")
	p.hide()
	bar := func(full int, end string) string {
		return "\r[" + strings.Repeat("#", full) + strings.Repeat(" ", barWidth-full) + "] " + end
	}
	want := bar(11, " 37 %  ½") + "\r" + strings.Repeat(" ", barWidth+11) + "\r"
	if got := b.String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	p.hide()
	p.finish()
	p.finish()
	p.at(0.5, "after the end")
	if got, want := b.String(), want+bar(barWidth, "100 %")+"\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// shown takes what is written, a time at a time.
type shown chan string

func (s shown) Write(b []byte) (int, error) {
	s <- string(b)
	return len(b), nil
}

// Work that tells nothing for long has a line that counts its seconds, until it is over.
func TestProgressWaits(t *testing.T) {
	lines := make(shown, 1)
	a := app{stderr: lines, terminal: true}
	p := a.progress(1)
	p.at(0.5, "computing")
	if got := <-lines; strings.Contains(got, " s") {
		t.Errorf("got %q at first", got)
	}
	p.mu.Lock()
	p.since = time.Now().Add(-time.Hour)
	p.mu.Unlock()
	over := p.wait()
	if got := <-lines; !strings.Contains(got, " 50 %  computing, 3600 s") {
		t.Errorf("got %q after an hour", got)
	}
	done := make(chan struct{})
	go func() {
		over()
		close(done)
	}()
	for {
		select {
		case <-lines: // of a tick before
		case <-done:
			return
		}
	}
}

// Every verb that may take long shows one bar, which goes up to 100 %, and then its line ends.
func TestProgressOfVerbs(t *testing.T) {
	s := newSession(t, map[string]string{"a": strings.Repeat("1 ", 300), "x": strings.Repeat("7", 300)})
	s.app.terminal = true
	pattern := regexp.MustCompile(`\[#* *\] +(\d+) %`)
	for _, line := range []string{
		"mul --field p62 a a", "mul --field p62 -o b a a", "mul --field gfpf:P3 a -",
		"run --field p62 --n 256 -", "run --field p62 -o b -",
		"verify --field p62 --n 2^0..2^5 --seed 1", "verify --n 16 --seed 1",
		"bench --field p62 --op forward --n 2^0..2^4 --time 1ms --seed 1 --json",
		"bench --n 4 --reps 2 --time 1us --seed 1",
		"int mul x x", "int quo --to hex -o b x x",
	} {
		s.stdin = strings.NewReader(strings.Repeat("1 ", 256))
		code, _, stderr := s.run(strings.Fields(line)...)
		last := -1
		for _, m := range pattern.FindAllStringSubmatch(stderr, -1) {
			now, err := strconv.Atoi(m[1])
			if err != nil || now < last || now > 100 {
				t.Errorf("galfft %s: %d %% after %d %% (error %v)", line, now, last, err)
			}
			last = now
		}
		if code != exitOK || last != 100 || strings.Count(stderr, "] 100 %") != 1 {
			t.Errorf("galfft %s: exit code %d, the bar ends at %d %%: %q", line, code, last, stderr)
		}
	}
}

func TestText(t *testing.T) {
	for want, ns := range map[string]float64{"0.123 ns": 0.1234, "12.3 ns": 12.34, "1.23 µs": 1234, "123 µs": 123456,
		"1.5 ms": 1.5e6, "2.5 s": 2.5e9} {
		if got := duration(ns); got != want {
			t.Errorf("%v ns: got %s, want %s", ns, got, want)
		}
	}
	for want, n := range map[string]int{"1": 1, "512": 512, "2^10": 1024, "1025": 1025, "2^20": 1 << 20} {
		if got := lengthText(n); got != want {
			t.Errorf("%d: got %s, want %s", n, got, want)
		}
	}
}
