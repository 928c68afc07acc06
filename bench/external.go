package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/benchjson"
	"github.com/galfft/fft/internal/cpu"
	"github.com/galfft/fft/intmul"
	"github.com/galfft/fft/poly"
)

// program is a peer in another language, which runs beside us by the protocol of peers/peer.h.
type program struct {
	in  io.WriteCloser
	out *bufio.Reader
}

// start runs a program, on the CPUs of the calling thread. The caller calls wait at the end.
func start(path string) (p *program, wait func() error, err error) {
	path, err = filepath.Abs(path)
	if err != nil {
		return nil, nil, err
	}
	c := exec.Command(path)
	c.Stderr = os.Stderr
	in, err := c.StdinPipe()
	if err != nil {
		return nil, nil, err
	}
	out, err := c.StdoutPipe()
	if err != nil {
		return nil, nil, err
	}
	if err := c.Start(); err != nil {
		return nil, nil, err
	}
	return &program{in: in, out: bufio.NewReader(out)}, func() error { return errors.Join(in.Close(), c.Wait()) }, nil
}

// ask sends a command and returns the answer.
func (p *program) ask(command string) (string, error) {
	if _, err := io.WriteString(p.in, command+"\n"); err != nil {
		return "", err
	}
	line, err := p.out.ReadString('\n')
	return strings.TrimSpace(line), err
}

// open asks for the operation of t, and sets the program's name and version. It is false where it has none such.
func (p *program) open(t *task) (ok bool, err error) {
	answer, err := p.ask(fmt.Sprintf("open %s %s %d %s", t.op, t.prime, t.n, t.root))
	if err != nil || answer == "no" || strings.HasPrefix(answer, "no ") {
		return false, err
	}
	about, ok := strings.CutPrefix(answer, "ok ")
	t.peer, t.version, _ = strings.Cut(about, " ")
	if !ok || t.peer == "" {
		return false, fmt.Errorf("a peer answers %q, want ok and its name, or no", answer)
	}
	return true, nil
}

// numbered is a field whose elements have decimal texts.
type numbered[E any] interface {
	ours[E]
	field.Codec[E]
}

// turn is how long each side runs before the other does.
const turn = 10 * time.Millisecond

// task is an operation on n values of which a program may have the same: prime and root as it is told them, or 0.
type task struct {
	field, op, order, prime, root string
	n                             int
	operands                      func(text []byte) []byte // appended, each after a space
	call                          func() error
	prepare                       func()          // makes the operand anew before each call, in no time; nil: it stays
	values                        func() []string // of the last call
	peer, version                 string
}

// inPlace says whether the program transforms its operand in place, behind its version.
func (t *task) inPlace() bool { return strings.HasSuffix(t.version, ", in place") }

// against compares an operation over a field with that of p. It is false where p has none.
func against[E any](p *program, f numbered[E], op string, n int, budget time.Duration) (res result, ok bool,
	err error) {
	var root E
	switch op {
	case "forward":
		err = f.RootOfUnity(&root, uint64(n))
	case "negacyclic":
		err = f.RootOfUnity(&root, uint64(2*n))
	}
	if err != nil {
		return res, false, err
	}
	t := task{field: f.Name(), op: op, prime: f.Characteristic().String(), root: string(f.AppendText(nil, &root)), n: n}
	if ok, err := p.open(&t); err != nil || !ok {
		return res, false, err
	}
	x, y := make([]E, n), []E(nil)
	rnd := rand.New(rand.NewPCG(1, uint64(n)))
	for i := range x {
		f.Random(&x[i], rnd)
	}
	operands := x
	if op != "polymul" {
		options := []fft.Option{fft.WithOrder(fft.BitReversed)}
		if op == "negacyclic" {
			options = append(options, fft.WithNegacyclic())
		}
		plan, err := fft.NewPlan[E](f, n, options...)
		if err != nil {
			return res, false, err
		}
		y, t.order = make([]E, n), fft.BitReversed.String()
		if t.call = func() error { return plan.Forward(y, x) }; t.inPlace() {
			t.prepare, t.call = func() { copy(y, x) }, func() error { return plan.Forward(y, y) }
		}
	} else {
		second := make([]E, n)
		for i := range second {
			f.Random(&second[i], rnd)
		}
		operands, y = slices.Concat(x, second), make([]E, 2*n-1)
		r, err := poly.New[E](f)
		if err != nil {
			return res, false, err
		}
		t.call = func() error { return r.MulTo(context.Background(), y, x, second) }
	}
	t.operands = func(text []byte) []byte {
		for i := range operands {
			text = f.AppendText(append(text, ' '), &operands[i])
		}
		return text
	}
	t.values = func() (list []string) {
		for i := range y {
			list = append(list, string(f.AppendText(nil, &y[i])))
		}
		return list
	}
	res, err = p.compare(t, budget)
	return res, true, err
}

// againstIntegers compares the product of two integers of n words with that of p, which is told words.
func againstIntegers(p *program, n int, budget time.Duration) (res result, ok bool, err error) {
	t := task{field: "integers", op: "mul", prime: "0", root: "0", n: n}
	if ok, err := p.open(&t); err != nil || !ok {
		return res, false, err
	}
	x, y, z := randomInteger(n, 1), randomInteger(n, 2), new(big.Int)
	t.call = func() error { intmul.Mul(z, x, y); return nil }
	t.operands = func(text []byte) []byte {
		for _, w := range slices.Concat(x.Bits(), y.Bits()) {
			text = strconv.AppendUint(append(text, ' '), uint64(w), 10)
		}
		return text
	}
	t.values = func() (list []string) {
		for i := range 2 * n { // highest words of 0 included
			w := big.Word(0)
			if words := z.Bits(); i < len(words) {
				w = words[i]
			}
			list = append(list, strconv.FormatUint(uint64(w), 10))
		}
		return list
	}
	res, err = p.compare(t, budget)
	return res, true, err
}

// compare has p do the task that it has opened, compares the values and then the times.
func (p *program) compare(t task, budget time.Duration) (res result, err error) {
	if _, err := p.ask(string(t.operands([]byte("load")))); err != nil {
		return res, err
	}
	if t.prepare == nil {
		t.prepare = func() {}
	}
	t.prepare()
	if err := t.call(); err != nil {
		return res, err
	}
	if _, err := p.ask("run 0"); err != nil {
		return res, err
	}
	values, err := p.ask("values")
	if err != nil {
		return res, err
	}
	if !slices.Equal(strings.Fields(values), t.values()) {
		return res, fmt.Errorf("%s, %s of %d: the values are not those of %s", t.field, t.op, t.n, t.peer)
	}
	res = result{Field: t.field, Op: t.op, N: t.n, Order: t.order, Tier: cpu.Active().String(), NsMin: math.Inf(1),
		Peer: t.peer, PeerVersion: t.version, PeerNsMin: math.Inf(1), Go: runtime.Version(), CPU: benchjson.CPU(),
		Features: benchjson.Features(), Caches: benchjson.Caches(), Date: benchjson.Now()}
	debug.FreeOSMemory() // of values, which the collector and the scavenger would take time for
	for end := time.Now().Add(budget); res.Reps < 3 || time.Now().Before(end); res.Reps++ {
		for from, i := time.Now(), 0; i < 2 || time.Since(from) < turn; i++ {
			t.prepare()
			at := time.Now()
			if err := t.call(); err != nil {
				return res, err
			}
			res.NsMin = min(res.NsMin, float64(time.Since(at)))
		}
		answer, err := p.ask(fmt.Sprintf("run %d", turn))
		if err != nil {
			return res, err
		}
		ns, err := strconv.ParseFloat(answer, 64)
		if err != nil {
			return res, fmt.Errorf("%s answers %q, want a time: %w", t.peer, answer, err)
		}
		res.PeerNsMin = min(res.PeerNsMin, ns)
	}
	res.Ratio = math.Round(1000*res.NsMin/res.PeerNsMin) / 1000
	return res, nil
}

// programs prints comparisons with programs: those operations that each of them has, over fields and with operations
// that have the filter in their names, as in "p62 forward".
func programs(w io.Writer, paths []string, filter string, least, most int, budget time.Duration, commit string) error {
	for _, path := range paths {
		p, wait, err := start(path)
		if err != nil {
			return err
		}
		if err := errors.Join(allAgainst(w, p, filter, least, most, budget, commit), wait()); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

// flintPrime is the one that FLINT's transforms by doubles begin with where a product leaves them the choice.
const flintPrime = 63<<44 + 1

// programCase is a field with which a program is compared.
type programCase struct {
	field   string
	compare func(op string, n int) (result, bool, error)
}

func caseOf[E any](p *program, f numbered[E], budget time.Duration) programCase {
	return programCase{f.Name(), func(op string, n int) (result, bool, error) { return against(p, f, op, n, budget) }}
}

func allAgainst(w io.Writer, p *program, filter string, least, most int, budget time.Duration, commit string) error {
	flint, err := smallprime.New64(flintPrime)
	if err != nil {
		return err
	}
	cases := []programCase{
		caseOf(p, smallprime.P30(), budget), caseOf(p, smallprime.BabyBear(), budget),
		caseOf(p, smallprime.KoalaBear(), budget), caseOf(p, flint, budget), caseOf(p, smallprime.P50(), budget),
		caseOf(p, smallprime.P62(), budget), caseOf(p, smallprime.P63(), budget), caseOf(p, smallprime.P64(), budget),
		caseOf(p, smallprime.Goldilocks(), budget), caseOf(p, bigprime.BN254(), budget),
	}
	print := func(name string, compare func(n int) (result, bool, error)) error {
		if !strings.Contains(name, filter) {
			return nil
		}
		for k := least; k <= most; k++ {
			res, ok, err := compare(1 << k)
			if err != nil {
				return err
			}
			if !ok { // such a length, at least
				continue
			}
			res.Commit = commit
			if err := json.NewEncoder(w).Encode(res); err != nil {
				return err
			}
		}
		return nil
	}
	for _, op := range []string{"forward", "negacyclic", "polymul"} {
		for _, c := range cases {
			name := c.field + " " + op
			if err := print(name, func(n int) (result, bool, error) { return c.compare(op, n) }); err != nil {
				return err
			}
		}
	}
	return print("integers mul", func(n int) (result, bool, error) { return againstIntegers(p, n, budget) })
}
