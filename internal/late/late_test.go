package late

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"math"
	"math/big"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/testfields"
)

// inside are methods of interfaces that the functions of the list run, on devices alone or not.
var inside = []string{"field.Multiplier.Multiply", "schemes.Whole.Run", "field.ContextRoots.RootOfUnityContext",
	"bulks.Device.Wait", "gpu.Queue.Wait", "gpu.InverseMulVec", "gpu.Integers.Compute", "gpu.Integers.ComputeVec",
	"gpu.Integers.Compare", "gpu.Integers.Exp", "gpu.Integers.MulMod", "gpu.Integers.Program",
	"gpu.Integers.ProgramVec", "midint.Device.Compute", "midint.Device.Compare",
	"fft.Parameters", "dist.Group.Agree", "dist.Group.Exchange",
	"dist.Stepper.ExchangeSteps", "dist.Share", "dist.NewErased",
	"tune.MeasureErased", "tune.MeasureThreadsErased", "tune.MeasureDeviceErased",
	"mpi.Start", "mpi.World.Agree", "mpi.World.Exchange", "nccl.Local", "nccl.Over", "nccl.Start"}

// Every exported function with a context has a call.
func TestComplete(t *testing.T) {
	names := map[string]bool{}
	for _, name := range inside {
		names[name] = true
	}
	for _, c := range all(t) {
		names[c.Name] = true
	}
	found := withContext(t, "../..")
	require.Greater(t, len(found), 40)
	for _, name := range found {
		require.True(t, names[name], "%s has a context and no call", name)
		delete(names, name)
	}
	require.Empty(t, names, "there are no such functions")
}

// withContext lists the exported functions, and methods of exported types, with a context in the packages for users.
func withContext(t *testing.T, root string) (names []string) {
	err := filepath.WalkDir(root, func(file string, e fs.DirEntry, err error) error {
		name := e.Name()
		switch {
		case err != nil:
			return err
		case e.IsDir() && file != root && (strings.HasPrefix(name, "_") || strings.HasPrefix(name, ".") ||
			name == "internal" || name == "bench" || name == "examples" || name == "testdata" || name == "cmd"):
			return fs.SkipDir
		case e.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				name, ok := exported(d)
				if ok && takesContext(d.Type) {
					names = append(names, f.Name.Name+"."+name)
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if s, ok := s.(*ast.TypeSpec); ok && s.Name.IsExported() {
						names = append(names, methods(f.Name.Name, s)...)
					}
				}
			}
		}
		return nil
	})
	require.NoError(t, err)
	return names
}

// exported is the name of a function with its receiver, and whether both are exported.
func exported(d *ast.FuncDecl) (string, bool) {
	if d.Recv == nil {
		return d.Name.Name, d.Name.IsExported()
	}
	of := d.Recv.List[0].Type
	for {
		switch t := of.(type) {
		case *ast.StarExpr:
			of = t.X
		case *ast.IndexExpr:
			of = t.X
		case *ast.IndexListExpr:
			of = t.X
		case *ast.Ident:
			return t.Name + "." + d.Name.Name, t.IsExported() && d.Name.IsExported()
		}
	}
}

// methods are those of an interface that take a context.
func methods(pkg string, s *ast.TypeSpec) (names []string) {
	i, ok := s.Type.(*ast.InterfaceType)
	if !ok {
		return nil
	}
	for _, m := range i.Methods.List {
		if f, ok := m.Type.(*ast.FuncType); ok && takesContext(f) {
			for _, n := range m.Names {
				names = append(names, pkg+"."+s.Name.Name+"."+n.Name)
			}
		}
	}
	return names
}

func takesContext(f *ast.FuncType) bool {
	for _, p := range f.Params.List {
		if s, ok := p.Type.(*ast.SelectorExpr); ok && s.Sel.Name == "Context" {
			return true
		}
	}
	return false
}

const (
	points   = 1 << 13
	primes   = 48
	integers = 256
	width    = 1 << 13

	shardBytes = 1 << 14
	bitsOfHuge = 1 << 19
)

// counting is the field that counts, and the calls over it.
func counting(t *testing.T) (*testfields.Counting[uint64], []Call) {
	f := testfields.NewCounting[uint64](smallprime.P62())
	calls, err := OverField(f.Field(), points)
	require.NoError(t, err)
	return f, calls
}

func all(t *testing.T) []Call {
	_, calls := counting(t)
	return append(append(calls, overIntegers(t)...), roots(t)...)
}

// overIntegers is the calls of packages crt, midint, rs and intmul, and of prefixes over binary fields.
func overIntegers(t *testing.T) []Call {
	calls, err := OverIntegers(primes, integers)
	require.NoError(t, err)
	more, err := OverBatches(width, integers)
	require.NoError(t, err)
	shards, err := OverShards(16, shardBytes)
	require.NoError(t, err)
	huge, err := OverHuge(bitsOfHuge)
	require.NoError(t, err)
	prefix, err := OverPrefix(1<<12, 1<<8)
	require.NoError(t, err)
	return slices.Concat(calls, more, shards, huge, prefix, OverFiles(1000))
}

// bounds are the most operations of the field between two looks, a quarter above what was found. A transform that fits
// in cache is one step, and so are both transforms of a product. Elsewhere they are those of a look at each block.
var bounds = map[string]int64{
	"fft.NewPlanContext": 2700, "dist.NewPlan": 2700, "fft.NewConvolution": 2700, "tune.Measure": 15400, "tune.MeasureDevice": 15400,
	"tune.MeasureThreads": 15400,
	"poly.Ring.Mul":       2 * transform, "poly.Ring.Middle": 2 * transform, "poly.Ring.MulTo": 2 * transform,
	"poly.Ring.MiddleTo": 2 * transform, "poly.Ring.Cyclic": 2 * transform, "poly.Ring.CyclicTo": 2 * transform,
	"poly.Ring.Negacyclic": 2 * transform, "poly.Ring.NegacyclicTo": 2 * transform,
	"words.Code.Encode": 2 * transform, "words.Code.Verify": 2 * transform, "words.Code.Reconstruct": 2 * transform,
	"poly.Ring.Products": 100, "poly.Ring.Explain": 100,
}

const transform = 97300 // for names without a bound of their own

// leastLooks are how often packages crt, midint and rs, whose work is not of elements, look at the context: for each
// prime, in each block of integers, for each integer of many words, and for each strip of shards, at most 2048 bytes of
// one.
var leastLooks = map[string]int{
	"crt.Primes": primes, "crt.New": 3 * primes, "crt.NewBounded": 3 * primes, "crt.System.Residues": integers / 32,
	"crt.System.Garner": integers / 32, "crt.System.GarnerSymmetric": integers / 32, "crt.Mul": 2 * primes,
	"midint.Engine.Add": 2, "midint.Engine.Sub": 2, "midint.Engine.Neg": 2, "midint.Engine.Cmp": 2,
	"midint.Engine.Convert": 2, "midint.Engine.SixAdd": integers / 64, "midint.Engine.MulLow": integers / 8 / 4,
	"midint.Engine.MulMod": integers / 8, "midint.Engine.Exp": 17 * integers / 8, "midint.Program.Run": 6,
	"midint.Engine.MulWide": integers / 8 / 4, "midint.Engine.Sqr": integers / 8 / 4,
	"rs.Plan.Encode": shardBytes / 2048, "rs.Plan.Verify": shardBytes / 2048, "rs.Plan.Update": shardBytes / 2048,
	"rs.Plan.Reconstruct": shardBytes / 2048, "rs.Plan.ReconstructSome": shardBytes / 2048, "rs.Incremental.Add": 1,
	"poly.Prefix.Forward":          1 << 12 / (1 << 8),
	"intmul.Arithmetic.AddDecimal": 2, "intmul.Arithmetic.SubDecimal": 2, "intmul.Arithmetic.FormatDecimal": 2,
	"intmul.Arithmetic.ParseDecimal": 2,
	"rs.Incremental.Finish":          shardBytes / 2048, "rs.Plan.Locate": 32, "rs.Plan.Repair": 32,
	"shards.Encode": 6, "shards.EncodeFile": 6, "shards.Open": 5, "shards.Set.Copy": 6, "shards.Set.Check": 6,
	"shards.Set.Repair": 12, "shards.Set.Restore": 6,
}

// watched is a context that notes the most work between two looks at it, and ends where there are none left.
type watched struct {
	context.Context
	work       func() int64 // done so far
	last, most int64
	asks, left int
}

func (w *watched) Err() error {
	now := w.work()
	w.most, w.last = max(w.most, now-w.last), now
	if w.asks++; w.asks > w.left {
		return context.Canceled
	}
	return nil
}

// Between two looks at its context no function does more work than a bound, and its end at any look is the error.
func TestLate(t *testing.T) {
	const endless = math.MaxInt
	f, calls := counting(t)
	work := func() int64 { return f.Adds.Load() + f.Muls.Load() }
	for _, c := range append(calls, overIntegers(t)...) {
		f.Reset()
		w := &watched{Context: context.Background(), work: work, left: endless}
		require.NoError(t, c.Run(w), c.Name)
		asks, total := w.asks, w.work()
		_ = w.Err() // to the end of the call
		t.Logf("%-32s %8d operations, %6d looks, at most %6d between two", c.Name, total, asks, w.most)
		least, ok := leastLooks[c.Name]
		if strings.HasPrefix(c.Name, "intmul.") && !ok { // for each transform of a prime and each part of its digits
			least, ok = 8, true
		}
		if ok {
			require.GreaterOrEqual(t, asks, least, "%s: looks", c.Name)
		} else {
			bound, ok := bounds[c.Name]
			if !ok {
				bound = transform
			}
			require.LessOrEqual(t, w.most, bound, "%s: operations between two looks", c.Name)
		}
		if strings.HasPrefix(c.Name, "tune.") {
			continue // which measures, and looks now more and now less often
		}
		again := &watched{Context: context.Background(), work: work, left: endless} // with the plans of before
		require.NoError(t, c.Run(again), c.Name)
		asks = again.asks
		for _, left := range []int{0, asks / 2, asks - 1} {
			w := &watched{Context: context.Background(), work: work, left: left}
			require.ErrorIs(t, c.Run(w), context.Canceled, "%s, end %d of %d", c.Name, left, asks)
		}
	}
}

// longPrime has 1024 bits, so that it is quickly known to be one.
func longPrime() *big.Int {
	p := new(big.Int).Lsh(big.NewInt(1), 1023)
	return p.Add(p, big.NewInt(160<<20+1))
}

func roots(t *testing.T) []Call {
	calls, err := OverRoots[[16]uint64](longPrime())
	require.NoError(t, err)
	return calls
}

// What needs a root of unity that takes long to find looks at its context after each digit or word, and its end there
// is the error.
func TestLateRoots(t *testing.T) {
	none := func() int64 { return 0 }
	for i, c := range roots(t) {
		least := 128
		switch {
		case i == 1 || i > 5: // over the prime
			least = 16
		case c.Name == "gfpf.Any.RootOfUnityContext":
			least = 8
		}
		for _, left := range []int{0, least / 8} { // nothing is found
			w := &watched{Context: context.Background(), work: none, left: left}
			require.ErrorIs(t, c.Run(w), context.Canceled, "%s, end %d", c.Name, left)
		}
		w := &watched{Context: context.Background(), work: none, left: math.MaxInt}
		require.NoError(t, c.Run(w), c.Name)
		require.GreaterOrEqual(t, w.asks, least, "%s: looks", c.Name)
		again := &watched{Context: context.Background(), work: none, left: w.asks - 1}
		require.ErrorIs(t, roots(t)[i].Run(again), context.Canceled, "%s, end %d of %d", c.Name, again.left, w.asks)
	}
}

// stoppable is a field that fails a test where a root is searched for without a context.
type stoppable struct {
	*bigprime.Field[[16]uint64]
	t *testing.T
}

func (f stoppable) RootOfUnity(z *[16]uint64, n uint64) error {
	f.t.Error("a search that no context stops")
	return f.Field.RootOfUnity(z, n)
}

// Nothing searches for roots without its context, whether it takes some or asks whether there are some.
func TestStoppable(t *testing.T) {
	of, err := bigprime.New[[16]uint64](longPrime())
	require.NoError(t, err)
	calls, err := overRoots("bigprime", func() (stoppable, error) { return stoppable{of, t}, nil })
	require.NoError(t, err)
	for _, c := range calls {
		require.NoError(t, c.Run(context.Background()), c.Name)
	}
}
