package readme

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math/bits"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

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

// bpas is the peer whose times were recorded on another machine: its row has no ratio.
const bpas = "BPAS, recorded on another machine"

func (c comparison) ratio() float64 { return c.NsMin / c.PeerNsMin }

// compared are the rows of the table, where they have been measured; gpu marks those on a GPU.
var compared = []struct {
	kind, field, op string
	n               int
}{
	{"words", "babybear", "forward", 1 << 20}, {"words", "goldilocks", "forward", 1 << 20},
	{"words", "p50", "negacyclic", 1 << 16}, {"words", "p62", "negacyclic", 1 << 16},
	{"big primes", "bn254", "forward", 1 << 16}, {"big primes", "bn254", "forward", 1 << 20},
	{"big primes", "bls12-381", "forward", 1 << 20},
	{"r^k + 1", "gfpf:k8", "forward", 1 << 12}, {"r^k + 1", "gfpf:k16", "forward", 1 << 15},
	{"integers", "integers", "mul", 1 << 10}, {"integers", "integers", "mul", 1 << 16},
	{"integers", "integers", "mul", 1 << 20},
	{"polynomials", "p62", "polymul", 1 << 10}, {"polynomials", "p62", "polymul", 1 << 20},
	{"polynomials", "bn254", "polymul", 1 << 16},
	{"GPU", "babybear", "forward, GPU", 1 << 22}, {"GPU", "goldilocks", "forward, GPU", 1 << 22},
	{"GPU", "p62", "forward, GPU", 1 << 22}, {"GPU", "gfpf:P3", "forward, GPU", 1 << 20},
}

// comparisons is the table of our times beside the best known ones, from the files of measurements, or nothing where
// there are none. Of each peer the newest line counts, and of the peers the one that is fastest beside us in its run.
func comparisons(dir string) (string, error) {
	all, err := readComparisons(dir)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, row := range compared {
		newest := map[string]comparison{}
		var best comparison
		for _, c := range all {
			if c.Peer = shortPeer(c.Peer); c.Field == row.field && c.Op == row.op && c.N == row.n &&
				c.Date >= newest[c.Peer].Date {
				newest[c.Peer] = c
			}
		}
		for _, c := range newest {
			if best.Peer == "" || c.ratio() > best.ratio() || c.ratio() == best.ratio() && c.Peer < best.Peer {
				best = c
			}
		}
		if best.Peer == "" {
			continue
		}
		op, _, _ := strings.Cut(row.op, ",")
		what := row.field + ", " + op
		if row.op == "mul" {
			what = "products of n words"
		}
		ratio := fmt.Sprintf("%.3f", best.ratio())
		if best.Peer == bpas {
			ratio = "–"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s | %s | %.7s, %s |\n", row.kind, what, power(row.n),
			nanos(best.NsMin), nanos(best.PeerNsMin), best.Peer, ratio, shortCPU(best.CPU), best.Commit, best.Date)
	}
	if b.Len() == 0 {
		return "", nil
	}
	return "| | | n | ours | best known | by | ratio | processor | commit, date |\n" +
		"| --- | --- | ---: | ---: | ---: | --- | ---: | --- | --- |\n" + b.String(), nil
}

func power(n int) string { return fmt.Sprintf("2^%d", bits.Len(uint(n))-1) }

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
		{"*-big.txt", textComparisons("gnark-crypto")},
		{"*-gfpf.txt", textComparisons(bpas)},
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
	return append(all, gpu...), err
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
	headingLine = regexp.MustCompile(`(?s)^(.*?)(?:; |, commit |, go1).*?(\S+), (\d{4}-\d\d-\d\d)\n`)
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
	write("a-gfpf.txt", "Z; features\nkernels, commit 7654321, 2026-01-04\n\nforward transforms, …\n"+
		"gfpf:k8       4096      306 µs    3.06 ms     10.0\n\ntwo workers\ngfpf:k16       32768      306 µs    3.06 ms\n")
	write("a-peers-gpu.csv", "peer,field,log2n,batch,ms,note\nA,p60,22,1,0.1,BAD\nA,p60,22,1,0.4,OK\nB,p60,22,1,0.2,OK\n"+
		"C,gfpf-k8,20,1,0.2,unchecked words=8\n"+
		"B,p60,22,8,0.001,OK\nB,p60,22,1,0.01,excluding transposes\nB,p60,22,1,0.3,OK\n")
	write("a-gpu.jsonl", `{"field":"p62","op":"forward","n":4194304,"batch":1,"backend":"gpu","device":"G","residency":"device","ns_min":100000,"cpu":"Y","commit":"c","date":"2026-01-05"}
{"field":"gfpf:P3","op":"forward","n":1048576,"batch":1,"backend":"gpu","device":"G","residency":"device","ns_min":100000,"cpu":"Y","commit":"c","date":"2026-01-05"}
{"field":"p62","op":"forward","n":4194304,"batch":1,"backend":"cpu","device":"","residency":"host","ns_min":1,"cpu":"Y","commit":"c","date":"2026-01-05"}`)
	s, err = comparisons(dir)
	require.NoError(t, err)
	_, rows, _ := strings.Cut(s, " --- |\n")
	require.Equal(t, "| words | goldilocks, forward | 2^20 | 100 ns | 200 ns | two | 0.500 | Lake | 0123456, 2026-01-02 |\n"+
		"| big primes | bn254, forward | 2^16 | 2.95 ms | 5.9 ms | gnark-crypto | 0.500 | Y (family 6, model 2) | 7654321, 2026-01-04 |\n"+
		"| r^k + 1 | gfpf:k8, forward | 2^12 | 306 µs | 3.06 ms | BPAS, recorded on another machine | – | Z | 7654321, 2026-01-04 |\n"+
		"| GPU | p62, forward | 2^22 | 100 µs | 200 µs | B | 0.500 | G | c, 2026-01-05 |\n"+
		"| GPU | gfpf:P3, forward | 2^20 | 100 µs | 200 µs | C, values not checked | 0.500 | G | c, 2026-01-05 |\n", rows)
	write("b-peers.jsonl", fmt.Sprintf(line, "100", "github.com/five/two", "320", "2026-01-03")) // the same peer, newer
	s, err = comparisons(dir)
	require.NoError(t, err)
	require.Contains(t, s, "| two | 0.312 |")
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
