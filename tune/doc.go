// Package tune measures how transforms run fastest on this machine, and keeps that in files.
//
// [Measure] compares, for a field and some lengths, the choice that plans make by themselves with others: schemes, base
// cases, strips, forms of twiddle factors and numbers of tasks; and for products of package poly the schoolbook with
// transforms. What was faster stands in a [Table]. Plans and rings follow it by fft.WithTuning, or by the file of
// [Path], which every program loads by itself. What is computed never changes.
//
// The field may be any. Three lines tune one of your own:
//
//	t, err := tune.Measure(ctx, f, tune.Options{Lengths: []int{1 << 10, 1 << 12}, TimeLimit: time.Minute})
//	…
//	err = t.Save(path)
package tune
