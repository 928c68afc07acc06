package readme

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/bits"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// comparison is a line of a comparison with another library, in JSON as bench prints it.
type comparison struct {
	Field     string  `json:"field"`
	Op        string  `json:"op"`
	N         int     `json:"n"`
	NsMin     float64 `json:"ns_min"`
	Peer      string  `json:"peer"`
	PeerNsMin float64 `json:"peer_ns_min"`
	CPU       string  `json:"cpu"`
	Commit    string  `json:"commit"`
	Date      string  `json:"date"`
}

func (c comparison) ratio() float64 { return c.NsMin / c.PeerNsMin }

// classes are the rows of the table, where they have been measured, each of a field and an operation.
var classes = []struct{ kind, field, op, what string }{
	{"words", "p30", transforms, ""}, {"words", "babybear", transforms, ""}, {"words", "p50", transforms, ""},
	{"words", flintField, transforms, "a prime of FLINT's own, transforms"}, {"words", "p62", transforms, ""},
	{"words", "p63", transforms, ""}, {"words", "p64", transforms, ""}, {"words", "goldilocks", transforms, ""},
	{"big primes", "bn254", transforms, ""}, {"big primes", "bls12-381", transforms, ""},
	{"integers", "integers", "mul", "products of n words"}, {"integers", "integers", "sqr", "squares of n words"},
	{"integers", "integers", "quo", "quotients of 2n words by n"}, {"integers", "integers", "sqrt", "roots of n words"},
	{"integers", "integers", "text", "n words to decimal digits"},
	{"integers", "integers", "parse", "n words from decimal digits"},
	{"polynomials", "babybear", "polymul", ""}, {"polynomials", "p50", "polymul", ""},
	{"polynomials", flintField, "polymul", "a prime of FLINT's own, polymul"},
	{"polynomials", "p62", "polymul", ""}, {"polynomials", "goldilocks", "polymul", ""},
	{"polynomials", "bn254", "polymul", ""},
	{"GPU", "babybear", "forward, GPU", ""}, {"GPU", "goldilocks", "forward, GPU", ""}, {"GPU", "p62", "forward, GPU", ""},
	{"GPU", "gfpf:P3", "forward, GPU", ""},
}

// transforms are forward ones of both kinds: a library has one of them, and here they take the same time.
const transforms = "transforms"

const flintField = "prime:1108307720798209"

// comparisons is the table of our times beside the best known ones, from the files of measurements, or nothing where
// there are none. Of each peer and length the newest line counts, by its time, and at each length the peer that is
// fastest beside us in its run. Each class has a row for the length where we do worst, and one for the best.
func comparisons(dir string) (string, error) {
	all, err := readComparisons(dir)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	cells, slower := 0, 0
	for _, class := range classes {
		best := fastest(all, class.field, class.op)
		if len(best) == 0 {
			continue
		}
		worst := slices.MaxFunc(best, byRatio)
		rows := []comparison{worst}
		if least := slices.MinFunc(best, byRatio); least.N != worst.N {
			rows = append(rows, least)
		}
		for i, c := range rows {
			cells, slower = cells+(1-i)*len(best), slower+(1-i)*countSlower(best)
			op, _, _ := strings.Cut(class.op, ",")
			what := cmp.Or(class.what, class.field+", "+op)
			if len(rows) > 1 {
				what += []string{": worst", ": best"}[i]
			}
			ratio := fmt.Sprintf("%.3f", c.ratio())
			if c.ratio() > 1 {
				ratio = "**" + ratio + "**"
			}
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s | %s | %.7s, %.10s |\n", class.kind, what, power(c.N),
				nanos(c.NsMin), nanos(c.PeerNsMin), c.Peer, ratio, shortCPU(c.CPU), c.Commit, c.Date)
		}
	}
	if b.Len() == 0 {
		return "", nil
	}
	return fmt.Sprintf("The fastest peer was faster than we at %d of the %d lengths of these classes.\n\n", slower, cells) +
		"| | | n | ours | best known | by | ratio | processor | commit, date |\n" +
		"| --- | --- | ---: | ---: | ---: | --- | ---: | --- | --- |\n" + b.String(), nil
}

// fastest are the newest comparisons of an operation over a field with the peer that is fastest beside us, by length.
func fastest(all []comparison, field, op string) (best []comparison) {
	type place struct {
		peer string
		n    int
	}
	newest := map[place]comparison{}
	for _, c := range all {
		c.Peer = shortPeer(c.Peer)
		same := c.Op == op || op == transforms && (c.Op == "forward" || c.Op == "negacyclic")
		if p := (place{c.Peer, c.N}); c.Field == field && same && c.Date >= newest[p].Date {
			newest[p] = c
		}
	}
	at := map[int]comparison{}
	for p, c := range newest {
		was, ok := at[p.n]
		if !ok || c.ratio() > was.ratio() || c.ratio() == was.ratio() && c.Peer < was.Peer {
			at[p.n] = c
		}
	}
	return slices.SortedFunc(maps.Values(at), func(a, b comparison) int { return cmp.Compare(a.N, b.N) })
}

func byRatio(a, b comparison) int { return cmp.Compare(a.ratio(), b.ratio()) }

func countSlower(list []comparison) (n int) {
	for _, c := range list {
		if c.ratio() > 1 {
			n++
		}
	}
	return n
}

func power(n int) string {
	if n&(n-1) != 0 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("2^%d", bits.Len(uint(n))-1)
}

// shortPeer is a module without its host and version, or a name.
func shortPeer(name string) string {
	if path, ok := strings.CutPrefix(name, "github.com/"); ok {
		if name = strings.Split(path, "/")[1]; path == "ncw/gmp" {
			return "GMP"
		}
	}
	return name
}

var microarchitecture = regexp.MustCompile(`\(family .*: ([^:]+)\)$`)

// shortCPU is the name of the architecture, where there is one.
func shortCPU(name string) string {
	if m := microarchitecture.FindStringSubmatch(name); m != nil {
		return m[1]
	}
	return name
}

// readComparisons reads all files that have some.
func readComparisons(dir string) (all []comparison, err error) {
	for _, source := range []struct {
		pattern string
		read    func(name string, data []byte) ([]comparison, error)
	}{
		{"*-peers.jsonl", jsonComparisons}, {"*-programs.jsonl", jsonComparisons}, {"*-integers.jsonl", jsonComparisons},
		{"*-huge.jsonl", jsonComparisons},
		{"*-big.txt", textComparisons("gnark-crypto")},
	} {
		files, err := filepath.Glob(filepath.Join(dir, source.pattern))
		if err != nil {
			return nil, err
		}
		for _, name := range files {
			data, err := os.ReadFile(name)
			if err != nil {
				return nil, err
			}
			list, err := source.read(name, data)
			if err != nil {
				return nil, fmt.Errorf("readme: %s: %w", name, err)
			}
			all = append(all, list...)
		}
	}
	gpu, err := gpuComparisons(dir)
	if err != nil {
		return nil, err
	}
	all = append(all, gpu...)
	times, err := commitTimes(dir)
	for i, c := range all {
		all[i].Date = measured(c.Date, c.Commit, times)
	}
	return all, err
}

// commitTimes are the times of the commits whose lines have a day alone, from commits.csv.
func commitTimes(dir string) (times map[string]string, err error) {
	data, err := os.ReadFile(filepath.Join(dir, "commits.csv"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	lines, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	times = map[string]string{}
	for _, l := range lines {
		times[l[0]] = l[1]
	}
	return times, err
}

// measured is the time of a line: its own, or where that is a day alone, that of its commit if it was on that day.
func measured(date, commit string, times map[string]string) string {
	if at := times[commit[:min(7, len(commit))]]; len(date) == len(time.DateOnly) && strings.HasPrefix(at, date) {
		return at
	}
	return date
}

func jsonComparisons(_ string, data []byte) (all []comparison, err error) {
	for d := json.NewDecoder(bytes.NewReader(data)); d.More(); {
		var c comparison
		if err := d.Decode(&c); err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, nil
}

// Texts have a heading, and a section of forward transforms: field, length, our time, the peer's.
var (
	headingLine = regexp.MustCompile(`(?s)^(.*?)(?:; |, commit |, go1).*?(\S+), (\d{4}-\d\d-\d\d\S*)\n`)
	timesLine   = regexp.MustCompile(`^(\S+) +(\d+) +([0-9.e+]+) (s|ms|µs|ns) +([0-9.e+]+) (s|ms|µs|ns) `)
	unitNanos   = map[string]float64{"s": 1e9, "ms": 1e6, "µs": 1e3, "ns": 1}
)

func textComparisons(peer string) func(name string, data []byte) ([]comparison, error) {
	return func(_ string, data []byte) (all []comparison, err error) {
		text := string(data)
		head := headingLine.FindStringSubmatch(text)
		_, text, ok := strings.Cut(text, "\nforward transforms, ")
		if head == nil || !ok {
			return nil, fmt.Errorf("no heading, or no forward transforms")
		}
		text, _, _ = strings.Cut(text, "\n\n")
		for line := range strings.Lines(text) {
			m := timesLine.FindStringSubmatch(line)
			if m == nil {
				continue
			}
			n, _ := strconv.Atoi(m[2])
			ours, _ := strconv.ParseFloat(m[3], 64)
			theirs, _ := strconv.ParseFloat(m[5], 64)
			if theirs > 0 { // 0 where there is no peer
				all = append(all, comparison{m[1], "forward", n, ours * unitNanos[m[4]], peer, theirs * unitNanos[m[6]],
					head[1], head[2], head[3]})
			}
		}
		return all, nil
	}
}

// onGPUs are the names that the file of other libraries on a GPU has for our fields, or for primes of as many bits.
var onGPUs = map[string]string{"babybear": "babybear", "goldilocks": "goldilocks", "p62": "p60", "gfpf:P3": "gfpf-k8"}

// gpuComparisons are transforms of vectors that lie on the device, beside each library's fastest one there: of single
// vectors, in natural order or bit-reversed, all passes included and values not found wrong.
func gpuComparisons(dir string) (all []comparison, err error) {
	ours, err := filepath.Glob(filepath.Join(dir, "*-gpu.jsonl"))
	if err != nil {
		return nil, err
	}
	peers, err := filepath.Glob(filepath.Join(dir, "*-peers-gpu.csv"))
	if err != nil {
		return nil, err
	}
	type place struct{ peer, field, log string }
	best := map[place]float64{}
	for _, name := range peers {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		r := csv.NewReader(bytes.NewReader(data))
		r.FieldsPerRecord = -1
		lines, err := r.ReadAll()
		if err != nil {
			return nil, fmt.Errorf("readme: %s: %w", name, err)
		}
		for _, l := range lines[1:] { // peer, field, log2n, batch, ms, note, which may have commas
			if len(l) < 6 {
				return nil, fmt.Errorf("readme: %s: %q, want six fields", name, l)
			}
			ms, err := strconv.ParseFloat(l[4], 64)
			if err != nil {
				return nil, fmt.Errorf("readme: %s: %w", name, err)
			}
			note := strings.Join(l[5:], ",")
			if l[3] != "1" || strings.Contains(note, "BAD") || strings.Contains(note, "excluding") {
				continue
			}
			if strings.Contains(note, "unchecked") {
				l[0] += ", values not checked"
			}
			p := place{l[0], l[1], l[2]}
			if was, ok := best[p]; !ok || 1e6*ms < was {
				best[p] = 1e6 * ms
			}
		}
	}
	for _, name := range ours {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		for d := json.NewDecoder(bytes.NewReader(data)); d.More(); {
			var l struct {
				comparison
				Batch             int
				Device, Residency string
			}
			if err := d.Decode(&l); err != nil {
				return nil, fmt.Errorf("readme: %s: %w", name, err)
			}
			if l.Residency != "device" || l.Batch != 1 || l.Op != "forward" {
				continue
			}
			for p, ns := range best {
				if p.field == onGPUs[l.Field] && "2^"+p.log == power(l.N) {
					c := l.comparison
					c.Op, c.Peer, c.PeerNsMin, c.CPU = "forward, GPU", p.peer, ns, l.Device
					all = append(all, c)
				}
			}
		}
	}
	return all, nil
}

func TestComparisons(t *testing.T) {
	dir := t.TempDir()
	s, err := comparisons(dir)
	require.NoError(t, err)
	require.Empty(t, s)
	write := func(name, s string) { require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(s), 0o666)) }
	const line = `{"field":"goldilocks","op":"forward","n":1048576,"ns_min":%s,"peer":"%s","peer_ns_min":%s,"cpu":"X (family 6, model 1: Lake)","commit":"0123456789","date":"%s"}` + "\n"
	write("a-peers.jsonl", fmt.Sprintf(line, "100", "github.com/one/two/v3", "200", "2026-01-02")+
		fmt.Sprintf(line, "100", "github.com/one/two/v3", "50", "2026-01-01")+ // an older line
		fmt.Sprintf(line, "100", "slow", "400", "2026-01-03"))
	write("a-big.txt", "Y (family 6, model 2), commit 7654321, 2026-01-04\n\nforward transforms, …\nfield n ours gnark\n"+
		"bn254          65536    2.95 ms    5.9 ms  0.327 |\nbls12-381   1048576    1.56 ms       0 ns   +Inf |\n\n"+
		"bn254        1048576    2.95 ms    5.9 ms  0.327 |\n")
	write("a-peers-gpu.csv", "peer,field,log2n,batch,ms,note\nA,p60,22,1,0.1,BAD\nA,p60,22,1,0.4,OK\nB,p60,22,1,0.2,OK\n"+
		"C,gfpf-k8,20,1,0.2,unchecked words=8\n"+
		"B,p60,22,8,0.001,OK\nB,p60,22,1,0.01,excluding transposes\nB,p60,22,1,0.3,OK\n")
	write("a-gpu.jsonl", `{"field":"p62","op":"forward","n":4194304,"batch":1,"backend":"gpu","device":"G","residency":"device","ns_min":100000,"cpu":"Y","commit":"c","date":"2026-01-05"}
{"field":"gfpf:P3","op":"forward","n":1048576,"batch":1,"backend":"gpu","device":"G","residency":"device","ns_min":100000,"cpu":"Y","commit":"c","date":"2026-01-05"}
{"field":"p62","op":"forward","n":4194304,"batch":1,"backend":"cpu","device":"","residency":"host","ns_min":1,"cpu":"Y","commit":"c","date":"2026-01-05"}`)
	s, err = comparisons(dir)
	require.NoError(t, err)
	_, rows, _ := strings.Cut(s, " --- |\n")
	require.Equal(t, "| words | goldilocks, transforms | 2^20 | 100 ns | 200 ns | two | 0.500 | Lake | 0123456, 2026-01-02 |\n"+
		"| big primes | bn254, transforms | 2^16 | 2.95 ms | 5.9 ms | gnark-crypto | 0.500 | Y (family 6, model 2) | 7654321, 2026-01-04 |\n"+
		"| GPU | p62, forward | 2^22 | 100 µs | 200 µs | B | 0.500 | G | c, 2026-01-05 |\n"+
		"| GPU | gfpf:P3, forward | 2^20 | 100 µs | 200 µs | C, values not checked | 0.500 | G | c, 2026-01-05 |\n", rows)
	write("b-peers.jsonl", fmt.Sprintf(line, "100", "github.com/five/two", "320", "2026-01-03")) // the same peer, newer
	s, err = comparisons(dir)
	require.NoError(t, err)
	require.Contains(t, s, "| two | 0.312 |")

	// Of one day the commits tell which line is newest, whatever the files are called; lines since then tell it
	// themselves.
	const short = `{"field":"goldilocks","op":"negacyclic","n":%d,"ns_min":%d,"peer":"three","peer_ns_min":100,"commit":"%s","date":"%s"}` + "\n"
	write("commits.csv", "commit,time\naaaaaaa,2026-01-06T10:00:00Z\nbbbbbbb,2026-01-06T09:00:00Z\n")
	write("c-peers.jsonl", fmt.Sprintf(short, 1<<10, 120, "aaaaaaaa", "2026-01-06"))
	write("d-peers.jsonl", fmt.Sprintf(short, 1<<10, 90, "bbbbbbbb", "2026-01-06"))
	s, err = comparisons(dir)
	require.NoError(t, err)
	require.Contains(t, s, "| words | goldilocks, transforms: worst | 2^10 | 120 ns | 100 ns | three | **1.200** |")
	require.Contains(t, s, "| words | goldilocks, transforms: best | 2^20 |")
	require.Contains(t, s, "faster than we at 1 of the 5 lengths")
	write("b-programs.jsonl", fmt.Sprintf(short, 1<<10, 70, "ccccccc", "2026-01-06T09:30:00Z")+
		fmt.Sprintf(short, 1<<12, 10, "ccccccc", "2026-01-06T09:30:00Z"))
	s, err = comparisons(dir)
	require.NoError(t, err)
	require.Contains(t, s, "| **1.200** |", "09:30 is before 10:00")
	write("b-programs.jsonl", fmt.Sprintf(short, 1<<10, 70, "ccccccc", "2026-01-06T10:30:00Z")+
		fmt.Sprintf(short, 1<<12, 10, "ccccccc", "2026-01-06T10:30:00Z"))
	s, err = comparisons(dir)
	require.NoError(t, err)
	require.Contains(t, s, "transforms: worst | 2^10 | 70 ns | 100 ns | three | 0.700 |")
	require.Contains(t, s, "transforms: best | 2^12 | 10 ns | 100 ns | three | 0.100 |")
	require.Equal(t, "GMP", shortPeer("github.com/ncw/gmp"))
	require.Equal(t, "math/big", shortPeer("math/big"))
	write("b-integers.jsonl", `{"field"`)
	_, err = comparisons(dir)
	require.ErrorContains(t, err, "b-integers.jsonl")
	write("b-integers.jsonl", "")
	write("b-big.txt", "nothing")
	_, err = comparisons(dir)
	require.ErrorContains(t, err, "b-big.txt")
}
