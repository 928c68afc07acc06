// Package explain writes what was chosen for a plan, for people.
package explain

import (
	"fmt"
	"io"
	"math/bits"
	"strings"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/cpu"
	"github.com/galfft/fft/internal/tuning"
)

// Ignored adds to what r says was ignored: the file of tuned values, where t comes of one that is not usable, and the
// variable GALFFT_CPU, where it names no tier.
func Ignored(r *field.Report, t field.Tuning) {
	if l, ok := t.(*tuning.Loaded); ok {
		ignore(r, l.Err)
	}
	ignore(r, cpu.Err())
}

// ignore adds err, where it is one.
func ignore(r *field.Report, err error) {
	if err == nil {
		return
	}
	if r.Ignored != "" {
		r.Ignored += "; "
	}
	r.Ignored += err.Error()
}

// Title is the first line of what Plan writes, for a plan over the field f.
func Title(f any, r *field.Report) string {
	name := fmt.Sprintf("%T", f)
	if i, ok := f.(field.Info); ok {
		name = i.Name()
	}
	return fmt.Sprintf("%s: length %d, %v, %v order", name, r.N, r.Algorithm, r.Order)
}

// Plan writes r, of a plan over the field f that was asked to have that many workers.
func Plan(w io.Writer, f any, r *field.Report, workers int, affine bool) error {
	var b strings.Builder
	fmt.Fprintln(&b, Title(f, r))
	if r.Asked == field.Auto {
		fmt.Fprintf(&b, "scheme   %v: %s\n", r.Algorithm, r.Reason)
	} else {
		fmt.Fprintf(&b, "scheme   %v, as asked for\n", r.Algorithm)
	}
	if affine {
		fmt.Fprintf(&b, "domain   affine, 2^%d points\ncoeffs   %v\n", bits.Len(uint(r.N))-1, r.Coefficients)
	}
	if r.Head > 0 {
		fmt.Fprintf(&b, "zeros    skipped behind 2^k coefficients, from %d up\n", r.Head)
	}
	fmt.Fprintf(&b, "passes   %s\n", strings.Join(r.Passes, "; "))
	if len(r.Split) > 1 {
		fmt.Fprintf(&b, "split    %d = %s\n", r.N, strings.Trim(strings.ReplaceAll(fmt.Sprint(r.Split), " ", " · "),
			"[]"))
	}
	fmt.Fprintf(&b, "form     %s\n", r.Form)
	fmt.Fprintf(&b, "workers  %d of %d\n", r.Workers, max(1, workers))
	fmt.Fprintf(&b, "memory   %d bytes of tables, %d bytes of scratch for each running call\n", r.Tables, r.Scratch)
	if r.Ignored != "" {
		fmt.Fprintf(&b, "ignored  %s\n", r.Ignored)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
