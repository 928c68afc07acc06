package tune

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/benchjson"
	"github.com/galfft/fft/internal/erased"
	"github.com/galfft/fft/internal/svg"
	"github.com/galfft/fft/internal/tuning"
)

var commit = flag.String("commit", benchjson.Commit(), "with -calibrate: revision that docs/tuning.md names")

// sheet is what was measured for a field.
type sheet struct {
	field   string
	lengths []int
	rows    []row
	chosen  []tuning.Line
}

// row is the times of a scheme with one base case, in ns for a butterfly; 0 where it does not run.
type row struct {
	scheme field.Algorithm
	base   int // 0 of schemes that have none
	ns     []float64
}

func (r row) name() string {
	if r.base == 0 {
		return r.scheme.String()
	}
	return fmt.Sprintf("%v, %d", r.scheme, r.base)
}

// calibrate measures each row at each length, all of a length in turn, for a slot of time each, and tunes the lengths.
func calibrate[E any](f interface {
	field.Field[E]
	field.Info
}, o Options, slot time.Duration) (s sheet, err error) {
	s = sheet{field: f.Name(), lengths: o.Lengths, rows: []row{{scheme: field.DepthFirst}}}
	for _, a := range []field.Algorithm{field.SixStepMerged, field.FourStep, field.SixStep} {
		for base := 4; base <= 1<<10; base *= 4 {
			s.rows = append(s.rows, row{scheme: a, base: base})
		}
	}
	ctx := context.Background()
	for column, n := range o.Lengths {
		plan := plans(erased.Of[E](f))
		var runs []func(context.Context) error
		var cells []*float64
		for i := range s.rows {
			r := &s.rows[i]
			r.ns = append(r.ns, 0)
			opts := []fft.Option{fft.WithTuning(nil), fft.WithAlgorithm(r.scheme)}
			if r.base != 0 {
				opts = append(opts, fft.WithBase(r.base))
			}
			p, err := plan(ctx, n, opts...)
			if errors.Is(err, field.ErrScheme) || err == nil && r.base != 0 && p.report.Base != r.base {
				continue
			}
			if err != nil {
				return s, err
			}
			runs, cells = append(runs, p.run), append(cells, &r.ns[column])
		}
		reps, butterflies := max(1, 1<<14/n), float64(n/2*(bits.Len(uint(n))-1))
		end := time.Now().Add(slot * time.Duration(len(runs)))
		for round := 0; round < 3 || time.Now().Before(end); round++ {
			for i, run := range runs {
				start := time.Now()
				for range reps {
					if err := run(ctx); err != nil {
						return s, err
					}
				}
				if ns := float64(time.Since(start)) / float64(reps) / butterflies; round == 0 || ns < *cells[i] {
					*cells[i] = ns
				}
			}
		}
	}
	s.rows = slices.DeleteFunc(s.rows, func(r row) bool { return slices.Max(r.ns) == 0 })
	t, err := Measure(ctx, f, o)
	s.chosen = t.t.Lines()
	return s, err
}

// print writes s for people.
func (s *sheet) print(w io.Writer) {
	fmt.Fprintf(w, "%s: ns a butterfly\n%-22s", s.field, "scheme, base case")
	for _, n := range s.lengths {
		fmt.Fprintf(w, " %8s", power(n))
	}
	fmt.Fprintln(w)
	for _, r := range s.rows {
		fmt.Fprintf(w, "%-22s", r.name())
		for _, ns := range r.ns {
			if ns == 0 {
				fmt.Fprintf(w, " %8s", "")
			} else {
				fmt.Fprintf(w, " %8.4f", ns)
			}
		}
		fmt.Fprintln(w)
	}
	for _, l := range s.chosen {
		fmt.Fprintln(w, l)
	}
	fmt.Fprintln(w)
}

func power(n int) string { return fmt.Sprintf("2^%d", bits.Len(uint(n))-1) }

// drawing is the file of s's drawing, in the directory of the documents.
func (s *sheet) drawing() string { return "tuning-" + strings.ReplaceAll(s.field, ":", "-") + ".svg" }

func (s *sheet) draw() []byte {
	t := svg.Table{Title: s.field + ": schemes by base case and length", Y: "ns a butterfly",
		Corner: "scheme, base case"}
	for _, n := range s.lengths {
		t.Columns = append(t.Columns, power(n))
	}
	for _, r := range s.rows {
		t.Rows, t.Cells = append(t.Rows, r.name()), append(t.Cells, r.ns)
	}
	return t.Render()
}

// Marks around the part of docs/tuning.md that is written here.
const from, to = "<!-- calibrate -->\n", "<!-- end -->\n"

// publish writes the drawings and the part of tuning.md in a directory.
func publish(dir string, sheets []sheet) error {
	file := filepath.Join(dir, "tuning.md")
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	head, rest, ok := strings.Cut(string(text), from)
	_, tail, closed := strings.Cut(rest, to)
	if !ok || !closed {
		return fmt.Errorf("%s: want %q and %q", file, from, to)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s%s```text\n%s```\n", head, from, benchjson.Heading(*commit))
	for _, s := range sheets {
		if err := os.WriteFile(filepath.Join(dir, s.drawing()), s.draw(), 0o666); err != nil {
			return err
		}
		fmt.Fprintf(&b, "\n### %s\n\n![Times of %[1]s by scheme, base case and length](%s)\n\n", s.field, s.drawing())
		fmt.Fprintf(&b, "| length | scheme | base | strip | radix | twiddles | time |\n"+
			"| --- | --- | --- | --- | --- | --- | --- |\n")
		for _, l := range s.chosen {
			fmt.Fprintf(&b, "| %s | %v | %s | %s | %s | %v | %s |\n", power(l.Key.N), l.Tuned.Algorithm,
				auto(l.Tuned.Base), auto(l.Tuned.Strip), auto(l.Tuned.Radix), l.Tuned.Twiddles, l.Note)
		}
	}
	return os.WriteFile(file, []byte(b.String()+to+tail), 0o666)
}

func auto(n int) string {
	if n == 0 {
		return "auto"
	}
	return fmt.Sprint(n)
}

// What -calibrate measures and writes, for short lengths into another directory.
func TestPublish(t *testing.T) {
	s, err := calibrate(smallprime.P62(), Options{Lengths: []int{16, 256}}, 0)
	require.NoError(t, err)
	var b strings.Builder
	s.print(&b)
	require.Contains(t, b.String(), "p62: ns a butterfly\n")
	require.Contains(t, b.String(), "\nsixstep-merged, 16 ")
	require.Contains(t, b.String(), "\ntransform n=256 ")
	for _, r := range s.rows {
		require.Len(t, r.ns, 2)
		require.False(t, math.IsNaN(r.ns[0]) || r.ns[0] < 0)
		require.Equal(t, r.base <= 16, r.ns[1] > 0, "%s has at least 8 columns of 256", r.name())
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "tuning.md")
	require.Error(t, publish(dir, []sheet{s}))
	require.NoError(t, os.WriteFile(file, []byte("x\n"), 0o666))
	require.ErrorContains(t, publish(dir, []sheet{s}), "want \"<!-- calibrate -->")
	require.NoError(t, os.WriteFile(file, []byte("before\n"+from+"old\n"+to+"after\n"), 0o666))
	require.NoError(t, publish(dir, []sheet{s}))
	got, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Regexp(t, "^before\n"+from+"```text\n(?s:.*)```\n\n### p62\n\n!\\[.*\\]\\(tuning-p62.svg\\)\n\n"+
		"\\| length .*\n\\| --- .*\n\\| 2\\^4 .*\n\\| 2\\^8 .*\n"+to+"after\n$", string(got))
	picture, err := os.ReadFile(filepath.Join(dir, "tuning-p62.svg"))
	require.NoError(t, err)
	require.Contains(t, string(picture), "fourstep, 16")
	require.NoError(t, publish(dir, []sheet{s}), "once more")

	// The document has its marks.
	text, err := os.ReadFile("../docs/tuning.md")
	require.NoError(t, err)
	require.Contains(t, string(text), "\n"+from)
}
