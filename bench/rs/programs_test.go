package rs

import (
	"bufio"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/galfft/fft/rs"
)

// peerPrograms are the programs that -peer names.
var peerPrograms = map[string]string{}

func init() {
	flag.Func("peer", "NAME=PATH of a program made from a file of peers, or of par2cmdline-turbo (par2); may be repeated",
		func(s string) error {
			name, path, ok := strings.Cut(s, "=")
			if !ok {
				return errors.New("want NAME=PATH")
			}
			peerPrograms[name] = path
			return nil
		})
}

// program is a peer that answers by the protocol of peers/peer.h.
type program struct {
	in  io.Writer
	out *bufio.Reader
}

// start runs the program of a name, or skips the test.
func start(b *testing.B, name string) *program {
	path := peerPrograms[name]
	if path == "" {
		b.Skip("want -peer " + name + "=PATH")
	}
	c := exec.CommandContext(b.Context(), path)
	c.Stderr = os.Stderr
	in, err1 := c.StdinPipe()
	out, err2 := c.StdoutPipe()
	if err := errors.Join(err1, err2, c.Start()); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = errors.Join(in.Close(), c.Wait()) })
	return &program{in: in, out: bufio.NewReader(out)}
}

func (p *program) ask(b *testing.B, command string) string {
	_, err := io.WriteString(p.in, command+"\n")
	line, err2 := p.out.ReadString('\n')
	if err := errors.Join(err, err2); err != nil {
		b.Fatalf("%.40s: %v", command, err)
	}
	return strings.TrimSpace(line)
}

// matrix is the factors of the parity of a code of symbols of a byte: those of each data shard are the parity of 1.
func matrix(b *testing.B, w word) string {
	w.size = 1
	plan := w.ours(b)
	z := make([]byte, w.data*w.parity)
	for i := range w.data {
		shards := w.shards()
		for j := range shards {
			shards[j][0] = 0
		}
		shards[i][0] = 1
		if err := plan.Encode(b.Context(), shards); err != nil {
			b.Fatal(err)
		}
		for j, s := range shards[w.data:] {
			z[j*w.data+i] = s[0]
		}
	}
	return strings.Trim(fmt.Sprint(z), "[]")
}

// BenchmarkPrograms times programs in turns with ours: ISA-L, whose parity is compared, and FastECC, which has a code
// of its own. Both sides run on the processors of the caller: taskset -c 2.
func BenchmarkPrograms(b *testing.B) {
	heading()
	for _, c := range []struct {
		peer, code string
		word
	}{
		{"isal", "matrix", word{rs.Vandermonde, 10, 4, 8 << 10}},
		{"isal", "matrix", word{rs.Vandermonde, 10, 4, 1 << 20}},
		{"fastecc", "any", word{rs.Additive32, 1 << 19, 1 << 19, 1 << 10}},
	} {
		b.Run(fmt.Sprintf("encode/%s/%v", c.peer, c.word), func(b *testing.B) {
			p := start(b, c.peer)
			open := fmt.Sprintf("open %s %d %d %d", c.code, c.data, c.parity, c.size)
			if c.code == "matrix" {
				open += " " + matrix(b, c.word)
			}
			if answer := p.ask(b, open); !strings.HasPrefix(answer, "ok ") {
				b.Fatal(answer)
			}
			plan, shards, l := c.ours(b), fill(c.data+c.parity, c.size), make(least, 2)
			for b.Loop() {
				for from, i := time.Now(), 0; i < 2 || time.Since(from) < turn; i++ {
					l.of(b, 0, func() error { return plan.Encode(b.Context(), shards) })
				}
				ns, err := strconv.ParseFloat(p.ask(b, fmt.Sprintf("run %d", turn)), 64)
				if err != nil {
					b.Fatal(err)
				}
				if took := time.Duration(ns); l[1] == 0 || took < l[1] {
					l[1] = took
				}
			}
			if c.code == "matrix" {
				sum := fnv.New64a()
				for _, s := range shards[c.data:] {
					_, _ = sum.Write(s)
				}
				if got := p.ask(b, "sum"); got != fmt.Sprint(sum.Sum64()) {
					b.Fatalf("the parity of %s is not ours", c.peer)
				}
			}
			l.report(b, "ours", "theirs")
		})
	}
}

// turn is how long each side runs before the other does.
const turn = 10 * time.Millisecond

// BenchmarkFile times galfft encode of a file of 1 GiB, 1000 + 100, to a directory, and par2cmdline-turbo's creation of
// as many recovery blocks for as many source blocks beside it, in turns, by -peer galfft=PATH and -peer par2=PATH. The
// latter has one thread, and galfft one for each processor of the caller: taskset -c 2 makes them alike. It reports the
// peak memory of both. What they wrote stays until the end, as deleting files keeps the disk busy when the next ones
// are made.
func BenchmarkFile(b *testing.B) {
	heading()
	ours, theirs := peerPrograms["galfft"], peerPrograms["par2"]
	if ours == "" || theirs == "" {
		b.Skip("want -peer galfft=PATH -peer par2=PATH")
	}
	const size = 1 << 30
	b.Run(fmt.Sprintf("encode/%d+%d×%d", 1000, 100, size), func(b *testing.B) {
		dir := b.TempDir()
		file := dir + "/file"
		writeFile(b, file, size)
		l, peak := make(least, 2), [2]int{}
		for i := 0; b.Loop(); i++ {
			set, par2 := fmt.Sprint(dir, "/set", i), fmt.Sprint(dir, "/par2-", i)
			if err := os.Mkdir(par2, 0o777); err != nil {
				b.Fatal(err)
			}
			for k, command := range [][]string{
				{ours, "encode", "--data", "1000", "--parity", "100", "--memory", "256MiB", "--out", set, file},
				{theirs, "create", "-q", "-q", "-t1", "-T1", "-b1000", "-c100", "-n1", "-m256", "-B", dir, par2 + "/set", file},
			} {
				l.of(b, k, func() error {
					most, err := run(b, command)
					peak[k] = max(peak[k], most)
					return err
				})
			}
		}
		b.ReportMetric(float64(peak[0])/1024, "ours-MiB")
		b.ReportMetric(float64(peak[1])/1024, "theirs-MiB")
		l.report(b, "ours", "theirs")
	})
}

// BenchmarkMemory measures from outside how much memory galfft takes, by -peer galfft=PATH, for a file of ten times
// --memory: to encode it, 1000 + 100, and to restore and repair it without 100 of its shards. Run it by itself: Linux
// counts what this process had to what a process that it starts has.
func BenchmarkMemory(b *testing.B) {
	heading()
	ours := peerPrograms["galfft"]
	if ours == "" {
		b.Skip("want -peer galfft=PATH")
	}
	const limit = 256 << 20
	b.Run(fmt.Sprintf("1000+100×%d", 10*limit), func(b *testing.B) {
		dir := b.TempDir()
		file, set := dir+"/file", dir+"/set"
		writeFile(b, file, 10*limit)
		for b.Loop() {
			for _, c := range [][]string{
				{"encode", "--data", "1000", "--parity", "100", "--memory", "256MiB", "--out", set, file},
				{"reconstruct", "--out", dir + "/again", set},
				{"check", "--repair", set},
			} {
				peak, err := run(b, append([]string{ours}, c...))
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(peak)/1024, c[0]+"-MiB")
				for i := 0; c[0] == "encode" && i < 1100; i += 11 {
					if err := os.Remove(fmt.Sprintf("%s/%04d.shard", set, i)); err != nil {
						b.Fatal(err)
					}
				}
			}
			if err := errors.Join(os.RemoveAll(set), os.Remove(dir+"/again")); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(limit>>20, "limit-MiB")
	})
}

// run runs a program and returns its peak memory in KiB.
func run(b *testing.B, command []string) (peak int, err error) {
	c := exec.CommandContext(b.Context(), command[0], command[1:]...)
	const repaired = 3
	if text, err := c.CombinedOutput(); err != nil && c.ProcessState.ExitCode() != repaired {
		return 0, fmt.Errorf("%v: %w: %s", command, err, text)
	}
	return peakKiB(c.ProcessState), nil
}

// writeFile makes a file of so many bytes, a multiple of 1 MiB.
func writeFile(b *testing.B, file string, size int) {
	out, err := os.Create(file)
	if err != nil {
		b.Fatal(err)
	}
	block := bytes.Join(fill(1, 1<<20), nil)
	for i := range size >> 20 {
		copy(block, strconv.Itoa(i))
		if _, err := out.Write(block); err != nil {
			b.Fatal(err)
		}
	}
	if err := errors.Join(out.Sync(), out.Close()); err != nil {
		b.Fatal(err)
	}
}
