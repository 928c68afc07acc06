package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
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

// open returns the program's name and version, or "" where it has no such operation.
func (p *program) open(op, prime string, n int, root string) (name, version string, err error) {
	answer, err := p.ask(fmt.Sprintf("open %s %s %d %s", op, prime, n, root))
	if err != nil || answer == "no" || strings.HasPrefix(answer, "no ") {
		return "", "", err
	}
	about, ok := strings.CutPrefix(answer, "ok ")
	name, version, _ = strings.Cut(about, " ")
	if !ok || name == "" {
		return "", "", fmt.Errorf("a peer answers %q, want ok and its name, or no", answer)
	}
	return name, version, nil
}

// numbered is a field whose elements have decimal texts.
type numbered[E any] interface {
	ours[E]
	field.Codec[E]
}

// turn is how long each side runs before the other does.
const turn = 10 * time.Millisecond

// against compares an operation on n values with that of p. It is false where p has none.
func against[E any](p *program, f numbered[E], op string, n int, budget time.Duration) (res result, ok bool,
	err error) {
	var call func() error
	var root E
	x, y := make([]E, n), []E(nil)
	rnd := rand.New(rand.NewPCG(1, uint64(n)))
	for i := range x {
		f.Random(&x[i], rnd)
	}
	operands, order := x, ""
	if op == "negacyclic" {
		plan, err := fft.NewPlan[E](f, n, fft.WithNegacyclic(), fft.WithOrder(fft.BitReversed))
		if err == nil {
			err = f.RootOfUnity(&root, uint64(2*n))
		}
		if err != nil {
			return res, false, err
		}
		y, order = make([]E, n), fft.BitReversed.String()
		call = func() error { return plan.Forward(y, x) }
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
		call = func() error { return r.MulTo(context.Background(), y, x, second) }
	}
	text := func(x *E) string { return string(f.AppendText(nil, x)) }
	name, version, err := p.open(op, f.Characteristic().String(), n, text(&root))
	if err != nil || name == "" {
		return res, false, err
	}
	load := []byte("load")
	for i := range operands {
		load = f.AppendText(append(load, ' '), &operands[i])
	}
	if _, err := p.ask(string(load)); err != nil {
		return res, false, err
	}
	if err := call(); err != nil {
		return res, false, err
	}
	if _, err := p.ask("run 0"); err != nil {
		return res, false, err
	}
	values, err := p.ask("values")
	if err != nil {
		return res, false, err
	}
	list := strings.Fields(values)
	same := len(list) == len(y)
	for i := 0; same && i < len(y); i++ {
		same = list[i] == text(&y[i])
	}
	if !same {
		return res, false, fmt.Errorf("%s, %s of %d: the values are not those of %s", f.Name(), op, n, name)
	}
	res = result{Field: f.Name(), Op: op, N: n, Order: order, Tier: cpu.Active().String(), NsMin: math.Inf(1),
		Peer: name, PeerVersion: version, PeerNsMin: math.Inf(1), Go: runtime.Version(), CPU: benchjson.CPU(),
		Features: benchjson.Features(), Caches: benchjson.Caches(), Date: time.Now().UTC().Format(time.DateOnly)}
	for end := time.Now().Add(budget); res.Reps < 3 || time.Now().Before(end); res.Reps++ {
		for from, i := time.Now(), 0; i < 2 || time.Since(from) < turn; i++ {
			at := time.Now()
			if err := call(); err != nil {
				return res, false, err
			}
			res.NsMin = min(res.NsMin, float64(time.Since(at)))
		}
		answer, err := p.ask(fmt.Sprintf("run %d", turn))
		if err != nil {
			return res, false, err
		}
		ns, err := strconv.ParseFloat(answer, 64)
		if err != nil {
			return res, false, fmt.Errorf("%s answers %q, want a time: %w", name, answer, err)
		}
		res.PeerNsMin = min(res.PeerNsMin, ns)
	}
	res.Ratio = math.Round(1000*res.NsMin/res.PeerNsMin) / 1000
	return res, true, nil
}

// programs prints comparisons with programs: those operations that each of them has.
func programs(w io.Writer, paths []string, least, most int, budget time.Duration, commit string) error {
	for _, path := range paths {
		p, wait, err := start(path)
		if err != nil {
			return err
		}
		if err := errors.Join(allAgainst(w, p, least, most, budget, commit), wait()); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

func allAgainst(w io.Writer, p *program, least, most int, budget time.Duration, commit string) error {
	cases := []func(op string, n int) (result, bool, error){
		func(op string, n int) (result, bool, error) { return against(p, smallprime.P50(), op, n, budget) },
		func(op string, n int) (result, bool, error) { return against(p, smallprime.P62(), op, n, budget) },
		func(op string, n int) (result, bool, error) { return against(p, smallprime.P63(), op, n, budget) },
		func(op string, n int) (result, bool, error) { return against(p, smallprime.P64(), op, n, budget) },
		func(op string, n int) (result, bool, error) { return against(p, bigprime.BN254(), op, n, budget) },
	}
	for _, op := range []string{"negacyclic", "polymul"} {
		for _, compare := range cases {
			for k := least; k <= most; k++ {
				res, ok, err := compare(op, 1<<k)
				if err != nil {
					return err
				}
				if !ok {
					break
				}
				res.Commit = commit
				if err := json.NewEncoder(w).Encode(res); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
