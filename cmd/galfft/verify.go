package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/spf13/cobra"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/names"
	"github.com/galfft/fft/internal/verbs"
)

// checkLine is one check as JSON.
type checkLine struct {
	Check string `json:"check"`
	OK    bool   `json:"ok"`
	Ns    int64  `json:"ns"`
	Field string `json:"field"`
	N     int    `json:"n"`
}

// defaultVerify is the length of verify: large enough for every stage of a scheme, small enough for a second.
const (
	defaultVerify     = 1 << 12
	defaultVerifyLong = 1 << 8 // where elements are more than words
)

func (a *app) verify() *cobra.Command {
	var c common
	var n lengths
	var o verbs.Options
	var seed uint64
	var basis, ranks string
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Check transforms on random input",
		Long: `Verify checks transforms of random vectors: linearity, the transform of powers of x (impulse), the shift theorem,
the round trip, values against Horner's rule at random points, and the convolution theorem. Over the subspaces of a
binary field, products are modulo the polynomial that vanishes on them, and a change of the shift and one of the basis
stand in place of the shift theorem; --basis, --shift and --coefficients say which subspace it is. The input comes from a
seed, which is printed. Without --field every named field is checked, at the lengths of --n that it has a root for.
With --group a transform and its inverse are spread over ranks, and compared with those of one plan on the processor.
Without --n the length is 2^12, or 2^8 where elements are more than words, or the largest power of two below it that the
field has a root for.`,
		Example: `  galfft verify
  galfft verify --field goldilocks --n 2^0..2^20
  galfft verify --field p62 --n 2^16 --scheme sixstep --workers 4 --json
  galfft verify --field gf2:64 --n 2^10 --shift 1b --coefficients lch
  galfft verify --backend gpu --n 2^16
  galfft verify --field p62 --n 2^16 --group local:4
  galfft verify --field goldilocks --n 2^24 --group nccl:0,1
  mpiexec -n 4 galfft verify --field bn254 --n 2^20 --group mpi`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := a.readBasis(cmd.Context(), basis, &o.Affine); err != nil {
				return err
			}
			g, err := a.group(cmd.Context(), ranks)
			if err != nil {
				return err
			}
			defer g.close()
			if !cmd.Flags().Changed("seed") && g == nil { // ranks have to have one seed
				seed = rand.Uint64()
			}
			all := []string{c.field}
			if c.field == "" {
				all = nil
				for _, e := range names.List() {
					all = append(all, e.Name)
				}
			}
			a.printSeed(seed, c.json)
			p := a.progress(len(all) * max(1, len(n)))
			defer p.hide()
			checked, failed := 0, 0
			for _, name := range all {
				f, err := a.open(cmd.Context(), name)
				if err != nil {
					return err
				}
				for _, n := range n.or(largest(cmd.Context(), f)) {
					var err error
					if g == nil {
						err = a.verifyOne(cmd.Context(), p, f, n, seed, o, c.json)
					} else {
						err = a.verifyGroup(cmd.Context(), g, f, n, seed, o, c.json)
					}
					p.over()
					if err != nil && !errors.Is(err, verbs.ErrWrong) {
						err = fmt.Errorf("%s, length %s: %w", f.Name(), lengthText(n), err)
					}
					switch {
					case errors.Is(err, verbs.ErrWrong):
						failed++
					case (errors.Is(err, field.ErrNoRoot) || errors.Is(err, verbs.ErrBackend)) && c.field == "":
						p.hide()
						a.notef("left out: %s", message(err))
						continue
					case err != nil:
						return err
					}
					checked++
				}
			}
			p.finish()
			if checked == 0 { // no success where nothing was tried
				return fmt.Errorf("galfft: nothing was checked: %w in any field", field.ErrNoRoot)
			}
			if failed > 0 {
				return fmt.Errorf("galfft: %w: checks failed at %d lengths", verbs.ErrWrong, failed)
			}
			return nil
		},
	}
	c.add(cmd)
	n.add(cmd, "n", "lengths")
	planFlags(cmd, &o, 1)
	baseFlag(cmd, &o)
	affineFlags(cmd, &o, &basis)
	shiftFlag(cmd, &o)
	groupFlag(cmd, &ranks)
	cmd.Flags().Uint64Var(&seed, "seed", 0, "`NUMBER` that the input is made from; a random one otherwise, 0 with --group")
	return cmd
}

// printSeed puts the seed where it does not disturb JSON.
func (a *app) printSeed(seed uint64, asJSON bool) {
	if asJSON {
		a.notef("seed %d", seed)
		return
	}
	fmt.Fprintf(a.stdout, "seed %d\n", seed)
}

// largest is the largest power of two up to the default that f has a root for.
func largest(ctx context.Context, f verbs.Field) int {
	d, err := f.Describe(ctx, verbs.CPU)
	n := defaultVerify
	if err == nil && d.Bits > 64 {
		n = defaultVerifyLong
	}
	switch {
	case err == nil && d.Dimension > 0:
		n = min(n, 1<<min(d.Dimension, 62))
	case err == nil && d.TwoAdicity < 62:
		n = min(n, 1<<d.TwoAdicity)
	}
	return n
}

func (a *app) verifyOne(ctx context.Context, p *progress, f verbs.Field, n int, seed uint64, o verbs.Options,
	asJSON bool) error {
	o.Progress = p.calls(f.VerifyTransforms(n), fmt.Sprintf("%s, length %s", f.Name(), lengthText(n)))
	var writing error
	err := f.Verify(ctx, n, seed, o, func(c verbs.Check) {
		p.hide()
		if err := a.printCheck(f.Name(), n, c, asJSON); err != nil {
			writing = err
		}
	})
	return errors.Join(writing, err)
}

func (a *app) printCheck(name string, n int, c verbs.Check, asJSON bool) error {
	if c.Err != nil {
		a.notef("%s, length %d, %s: %s", name, n, c.Name, message(c.Err))
	}
	if asJSON {
		return json.NewEncoder(a.stdout).Encode(checkLine{c.Name, c.Err == nil, c.Time.Nanoseconds(), name, n})
	}
	outcome := "ok"
	if c.Err != nil {
		outcome = "FAILED"
	}
	_, err := fmt.Fprintf(a.stdout, "%-12s %-8s %-14s %-6s %s\n", name, lengthText(n), c.Name, outcome,
		duration(float64(c.Time)))
	return err
}
