package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/bench/registercache/forms"
	"github.com/galfft/fft/field/binary"
	"github.com/galfft/fft/internal/emulator"
)

func TestMain(m *testing.M) {
	if mode := os.Getenv(peerMode); mode != "" {
		standIn(mode)
		return
	}
	os.Exit(emulator.Main(m, "bench/registercache"))
}

// Every experiment compares all values with the processor's, and prints lines, those of all kernels among them. Tables
// and plots are made of them.
func TestExperiments(t *testing.T) {
	emulator.Need(t)
	var b bytes.Buffer
	require.NoError(t, command([]string{"run", "-time", "0s", "-values", "5000", "-most", "10", "-bits", "160",
		"-checked", "67", "-points", "7", "-commit", "test", "all"}, &b))
	for _, e := range experiments {
		if e.name != "peers" {
			require.GreaterOrEqual(t, strings.Count(b.String(), `"experiment":"`+e.name+`"`), 2, e.name)
		}
		require.Contains(t, b.String(), `"experiment":"seconds","form":"`+e.name+`"`)
	}
	require.Equal(t, 1, strings.Count(b.String(), `"experiment":"missing"`), "%s", b.String())
	require.Contains(t, b.String(), `"why":"no program of another library"`)
	name := filepath.Join(t.TempDir(), "lines")
	require.NoError(t, os.WriteFile(name, b.Bytes(), 0o666))
	lines, err := readLines(name)
	require.NoError(t, err)
	text, err := source()
	require.NoError(t, err)
	for _, k := range regexp.MustCompile(`\.visible \.entry ((?:stencil|ring|field)_\w+)`).FindAllStringSubmatch(text, -1) {
		require.NotZero(t, find(lines, func(l *line) bool { return l.Kernel == k[1] }).N, k[1])
	}
	for _, phase := range phases {
		require.NotZero(t, fftOf(lines, "fft", phase, 1<<7).Ms, phase)
		require.NotZero(t, fftOf(lines, "fft", phase+", inverse", 1<<7).Ms, phase)
	}
	require.NotEmpty(t, tables(lines))
	require.NoError(t, command([]string{"plots", t.TempDir(), name}, &b))
	require.Len(t, plots(lines), 7)
}

// peerMode makes this test's program another library: right, wrong in its last product, without such products, or
// without a time.
const peerMode = "REGISTERCACHE_TEST_PEER"

// standIn speaks the protocol of bench/peers/binary.h for products.
func standIn(mode string) {
	var f *binary.Field[binary.Number]
	n := 0
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		switch words := strings.Fields(in.Text()); words[0] {
		case "open":
			m := new(big.Int)
			var e, all int
			for _, w := range words[3:] {
				fmt.Sscanf(w, "%x", &e)
				m.SetBit(m, e, 1)
			}
			fmt.Sscan(words[2], &all)
			var err error
			if f, err = binary.NewModulus[binary.Number](m); err != nil {
				panic(err)
			}
			n = all / ((f.Degree() + 63) / 64)
			fmt.Println(map[bool]string{true: "no such products", false: "ok stand-in"}[mode == "none"])
		case "fill":
			fmt.Println("ok")
		case "run":
			fmt.Println(map[bool]string{true: "soon", false: "1e6"}[mode == "timeless"])
		case "hash":
			sum := hashed(f, n)
			if mode == "wrong" {
				sum++
			}
			fmt.Println(strconv.FormatUint(sum, 16))
		}
	}
}

// Another library has lines where it has products, and is an error where they are others than ours or it tells no time.
func TestPeers(t *testing.T) {
	self, err := os.Executable()
	require.NoError(t, err)
	run := func(mode string) (string, error) {
		t.Setenv(peerMode, mode)
		var b bytes.Buffer
		err := command([]string{"run", "-most", "4", "-bits", "96", "-commit", "test", "-peer", "other=" + self, "peers"}, &b)
		return b.String(), err
	}
	out, err := run("right")
	require.NoError(t, err)
	require.Equal(t, len(degrees(96)), strings.Count(out, `"form":"other"`))
	out, err = run("none")
	require.NoError(t, err)
	require.NotContains(t, out, `"form":"other"`)
	_, err = run("wrong")
	require.ErrorContains(t, err, "the hash of its products")
	_, err = run("timeless")
	require.ErrorContains(t, err, "want its time")
	require.Error(t, command([]string{"run", "-peer", "other", "peers"}, new(bytes.Buffer)))
}

// What does not fit into the limit of a program is listed, and what does has its lines.
func TestLimit(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, command([]string{"run", "-most", "4", "-bits", "96", "-commit", "test", "-limit", "1ns", "core"}, &b))
	require.Contains(t, b.String(), `"form":"core, from 32 on"`)
	require.Contains(t, b.String(), `"why":"did not fit into the 1ns of its program"`)
	require.NotContains(t, b.String(), `"form":"ours"`)
	s := &session{w: &b, experiment: "some", begin: time.Now(), limit: time.Hour}
	var ran []int
	err := steps(s, []int{1, 2, 1 << 40}, func(x int) float64 { return float64(x) }, func(x int) error {
		ran = append(ran, x)
		time.Sleep(time.Millisecond)
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, []int{1, 2}, ran, "the last one would take longer than an hour")
	require.Contains(t, b.String(), `"form":"some, from 1099511627776 on"`)
}

// Three runs are enough where they take long and are near to each other; what is dropped counts for their deviation.
func TestRuns(t *testing.T) {
	require.False(t, enough([]float64{200, 200}))
	require.True(t, enough([]float64{200, 201, 200.5}))
	require.False(t, enough([]float64{200, 203, 201}), "not near")
	require.False(t, enough([]float64{20, 20, 20}), "short")
	require.True(t, enough([]float64{1, 2, 3, 4, 5}))
	mean, deviation := spread([]float64{4, 100, 2, 3, 0})
	require.Equal(t, 3., mean)
	require.InDelta(t, .272, deviation, .001)
	mean, deviation = spread([]float64{12, 9, 10})
	require.Equal(t, 10., mean)
	require.InDelta(t, .129, deviation, .001)
}

// Launches of Nsight Compute are those of the lines among them: the second of two, by the name of the kernel.
func TestCounts(t *testing.T) {
	name := filepath.Join(t.TempDir(), "ncu.txt")
	text := `a card, a driver
{"experiment":"ring","form":"hybrid32","kernel":"ring_hybrid32","bits":32,"n":64,"registers":64}
{"experiment":"ring","form":"hybrid32","kernel":"ring_hybrid32","bits":64,"n":64,"registers":64}
{"experiment":"ring","form":"cache","kernel":"ring_cache_32","bits":32,"n":64,"registers":64}
"ID","Kernel Name","smsp__inst_executed_op_shared_ld.sum","launch__grid_size"
"","","inst",""
"0","ring_hybrid32","1","3"
"1","ring_hybrid32","1,234","4"
"2","ring_hybrid32","5","6"
"3","ring_hybrid32","7","8"
`
	require.NoError(t, os.WriteFile(name, []byte(text), 0o666))
	var b bytes.Buffer
	require.NoError(t, command([]string{"counts", name}, &b))
	require.NoError(t, os.WriteFile(name, b.Bytes(), 0o666))
	lines, err := readLines(name)
	require.NoError(t, err)
	require.Len(t, lines, 2)
	require.Equal(t, counted{Loads: 1234, Blocks: 4}, lines[0].Counted)
	require.Equal(t, counted{Loads: 7, Blocks: 8}, lines[1].Counted)
	require.Equal(t, 64, lines[1].Bits)
}

// The kernels are those that forms writes, and their PTX was compiled from them.
func TestSources(t *testing.T) {
	text, err := forms.Source()
	require.NoError(t, err)
	kept, err := os.ReadFile("registercache.cu")
	require.NoError(t, err)
	require.True(t, text == string(kept), "go run -C bench ./registercache/_gen")
	ptx, err := source()
	require.NoError(t, err)
	headers, err := filepath.Glob("../../kernels/cuda/*.cuh")
	require.NoError(t, err)
	h := sha256.New()
	for _, name := range append([]string{"registercache.cu"}, headers...) {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		fmt.Fprintf(h, "%s %d\n%s", filepath.Base(name), len(text), text)
	}
	require.Contains(t, ptx, fmt.Sprintf("\n// Sources: %x\n", h.Sum(nil)), "go run ./kernels/cuda/_gen")
}

var update = flag.Bool("update", false, "write the tables and plots of docs/registercache.md")

// A basis is one that spans as many points as there are coefficients.
func TestIndependent(t *testing.T) {
	require.True(t, independent([]uint64{1, 2, 1<<63 + 1}))
	require.False(t, independent([]uint64{5, 3, 6}))
	require.False(t, independent([]uint64{0}))
	own, p := make([]uint64, 8), must(newSpace(8))
	require.NoError(t, p.f.Subspace(own))
	require.NotEqual(t, own, p.basis)
}

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

// docs/registercache.md has the tables and the plots of what its source names, the last one there of a form and its
// bits; -update writes them.
func TestDocument(t *testing.T) {
	const document = "../../docs/registercache.md"
	text, err := os.ReadFile(document)
	require.NoError(t, err)
	var files []string
	for _, m := range regexp.MustCompile(`\(\.\.(/bench/results/[^)]*registercache\.jsonl)\)`).FindAllSubmatch(text, -1) {
		files = append(files, "../.."+string(m[1]))
	}
	lines, err := readLines(files...)
	require.NoError(t, err)
	drawn := map[string][]byte{}
	for _, p := range plots(lines) {
		drawn["../../docs/"+p.name] = p.chart.Render()
	}
	got := string(text)
	for _, b := range tables(lines) {
		place := regexp.MustCompile(`(?s)<!-- ` + b.name + ` -->\n.*?<!-- end -->`)
		require.Regexp(t, place, got, b.name)
		got = place.ReplaceAllLiteralString(got, "<!-- "+b.name+" -->\n\n"+b.text+"\n<!-- end -->")
	}
	if *update {
		require.NoError(t, os.WriteFile(document, []byte(got), 0o666))
		for file, want := range drawn {
			require.NoError(t, os.WriteFile(file, want, 0o666))
		}
		return
	}
	for file, want := range drawn {
		kept, err := os.ReadFile(file)
		require.NoError(t, err)
		require.True(t, bytes.Equal(want, kept), "%s is not what plots draws", file)
	}
	require.True(t, got == string(text), "go -C bench test ./registercache -run TestDocument -update")
}
