package main

import (
	"runtime"

	"github.com/spf13/cobra"

	"github.com/galfft/fft/internal/verbs"
)

func (a *app) transform() *cobra.Command {
	var v vectorFlags
	var op word
	var shift, basis, ranks string
	cmd := &cobra.Command{
		Use:   "run --field NAME --op OP X",
		Short: "Transform the vector in a file",
		Long: `Run prints the transform of the vector in a file, of any length that the field has a root for; the file may be -,
which is standard input. With w the field's root of the order of the length n:

  forward     X[j] = Σᵢ x[i]·w^(ij)
  coset       X[j] = Σᵢ x[i]·(s·w^j)^i, with s given by --shift
  negacyclic  X[j] = Σᵢ x[i]·v^(i(2j+1)), with v the field's root of order 2n: the values where xⁿ = −1

Over a binary field a power of two is the length of a subspace: with v_j the sum of the vectors of its basis at the bits
of j, which are the field's own or those of --basis, forward has X[j] = Σᵢ x[i]·v_j^i, and coset has s + v_j in place of
v_j. Coefficients are of powers, or of the basis LCH with --coefficients lch.

inverse, inverse-coset and inverse-negacyclic print the x of which these make the input.

--order says where X[j] stands: at j (natural), at the reversal of the bits of j (bitrev), or where it is cheapest
(scheme). The input of an inverse stands in that order, and its output in the natural one. The order scheme is that of
one --scheme, --base and length: give the inverse the same ones that the transform had.`,
		Example: `  galfft run --field goldilocks --op forward x.txt
  galfft run --field p62 --op inverse --order bitrev --format binary -o x.bin y.bin
  seq 8 | galfft run --field 998244353 --op coset --shift 3 -
  mpiexec -n 4 galfft run --field bn254 --op forward --group mpi -o y.txt x.txt`,
		Args: files("X"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if verbs.Shifted(string(op)) != (shift != "") {
				return usagef("--op %s with --shift %q: want a shift with coset and inverse-coset alone", op, shift)
			}
			if err := a.readBasis(cmd.Context(), basis, &v.Affine); err != nil {
				return err
			}
			g, err := a.group(cmd.Context(), ranks)
			if err != nil {
				return err
			}
			defer g.close()
			t := verbs.Transform{Op: string(op), Shift: shift}
			if g != nil {
				return a.runGroup(cmd.Context(), g, v, args, t)
			}
			return a.compute(cmd.Context(), v, args, 1, func(w work) (verbs.Values, error) {
				return w.f.Run(cmd.Context(), t, w.in[0], w.o)
			})
		},
	}
	v.add(cmd)
	planFlags(cmd, &v.Options, runtime.GOMAXPROCS(0))
	baseFlag(cmd, &v.Options)
	affineFlags(cmd, &v.Options, &basis)
	groupFlag(cmd, &ranks)
	chooseText(cmd, "op", &op, "what to compute", verbs.TransformOps())
	cmd.Flags().StringVar(&shift, "shift", "", "`ELEMENT` s of --op coset and inverse-coset; not 0 where it is a factor")
	return cmd
}
