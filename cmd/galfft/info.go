package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/galfft/fft/dist/mpi"
	"github.com/galfft/fft/dist/nccl"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/gpu"
	"github.com/galfft/fft/internal/benchjson"
	"github.com/galfft/fft/internal/cpu"
	"github.com/galfft/fft/internal/names"
	"github.com/galfft/fft/internal/tuning"
	"github.com/galfft/fft/internal/verbs"
)

// machine is what info says without a field.
type machine struct {
	Version  string       `json:"version"`
	Commit   string       `json:"commit"`
	Go       string       `json:"go"`
	CPU      string       `json:"cpu"`
	Features string       `json:"features"` // of the processor, that kernels ask for
	Caches   string       `json:"caches"`   // for data; "" where the system does not tell
	Cores    int          `json:"cores"`
	Tier     string       `json:"tier"`   // of the kernels
	Why      string       `json:"why"`    // it is that tier
	Tiers    []string     `json:"tiers"`  // that can run here
	Tuning   string       `json:"tuning"` // the file of tuned values, its lines, or why there are none
	Devices  []device     `json:"devices"`
	Without  string       `json:"without"` // devices: why, "" where there are some
	NCCL     string       `json:"nccl"`    // which one was found, or why none
	MPI      string       `json:"mpi"`     // the same
	Fields   []knownField `json:"fields"`
}

type knownField struct {
	Name  string `json:"name"`
	About string `json:"about"`
}

// device is a GPU.
type device struct {
	Name            string `json:"name"`
	Memory          int    `json:"memory"` // bytes
	Driver          string `json:"driver"` // the version of CUDA that it serves
	Capability      string `json:"capability"`
	Multiprocessors int    `json:"multiprocessors"`
}

// devices lists those of this machine, or says why there are none.
func devices() (list []device, without string) {
	all, err := gpu.Devices()
	if err != nil {
		return []device{}, message(err)
	}
	for _, i := range all {
		list = append(list, device{i.Name, i.Memory, i.Driver, fmt.Sprintf("%d.%d", i.Major, i.Minor), i.Multiprocessors})
	}
	return list, ""
}

// found is a library for groups of ranks, or why there is none.
func found(available func() (string, error)) string {
	text, err := available()
	if err != nil {
		return "none: " + message(err)
	}
	return text
}

// tuned tells what tuned values plans take on the machine of here.
func tuned(l *tuning.Loaded, here tuning.Header) string {
	var text string
	switch {
	case l.Err != nil:
		text = "ignored: " + message(l.Err)
	case l.User != nil:
		text = fmt.Sprintf("%s: %d lines", l.File, l.User.Len())
		if h := l.User.Header; h.Go != here.Go || h.Module != here.Module {
			text += fmt.Sprintf(", measured with %s and version %s of this module: other choices may be faster by now", h.Go,
				h.Module)
		}
	case l.File != "":
		text = "none: no file " + l.File
	default:
		text = "none: " + tuning.Variable + "=" + tuning.Off + ", or no directory of configurations"
	}
	if l.Built != nil {
		text += fmt.Sprintf("; %d lines are built in for %s", l.Built.Len(), l.Built.Header.CPU)
	}
	return text
}

func (a *app) info() *cobra.Command {
	var c common
	var n lengths
	var o verbs.Options
	var basis string
	cmd := &cobra.Command{
		Use:   "info",
		Short: "Tell about the machine, a field, or the plan of a length",
		Example: `  galfft info                                        # version, machine, fields
  galfft info --field goldilocks                     # modulus, roots, arithmetic
  galfft info --field goldilocks --n 2^20            # how a transform of that length would run
  galfft info --field p62 --n 2^20 --backend auto    # the same, on a GPU where there is one
  galfft info --field gf2:64 --backend gpu           # and how it would multiply vectors there`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case c.field == "" && n != nil:
				return usagef("--n without --field: want a field to plan over")
			case c.field == "":
				return a.infoMachine(c.json)
			}
			f, err := a.open(cmd.Context(), c.field)
			if err != nil {
				return err
			}
			if err := a.readBasis(cmd.Context(), basis, &o.Affine); err != nil {
				return err
			}
			return a.infoField(cmd.Context(), f, n, o, c.json)
		},
	}
	c.add(cmd)
	n.add(cmd, "n", "length of a transform to explain")
	planFlags(cmd, &o, 1)
	baseFlag(cmd, &o)
	affineFlags(cmd, &o, &basis)
	shiftFlag(cmd, &o)
	return cmd
}

func (a *app) infoMachine(asJSON bool) error {
	m := machine{version(), benchjson.Commit(), runtime.Version(), benchjson.CPU(), benchjson.Features(),
		benchjson.Caches(), runtime.NumCPU(),
		cpu.Active().String(), cpu.Why(), tiers(), tuned(tuning.Default(), tuning.Here()), nil, "",
		found(nccl.Available), found(mpi.Available), nil}
	m.Devices, m.Without = devices()
	for _, e := range names.List() {
		m.Fields = append(m.Fields, knownField{e.Name, e.About})
	}
	if asJSON {
		return json.NewEncoder(a.stdout).Encode(m)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "galfft   %s, commit %s\n", m.Version, m.Commit)
	fmt.Fprintf(&b, "go       %s %s/%s\n", m.Go, runtime.GOOS, runtime.GOARCH)
	fmt.Fprintf(&b, "cpu      %s, %d cores\n", m.CPU, m.Cores)
	if m.Caches != "" {
		fmt.Fprintf(&b, "caches   %s\n", m.Caches)
	}
	fmt.Fprintf(&b, "kernels  %s: %s\n", m.Tier, m.Why)
	fmt.Fprintf(&b, "tuning   %s\n", m.Tuning)
	for i, d := range m.Devices {
		fmt.Fprintf(&b, "device   %d: %s, %.1f GiB, driver for CUDA %s, compute capability %s, %d multiprocessors\n", i, d.Name,
			float64(d.Memory)/(1<<30), d.Driver, d.Capability, d.Multiprocessors)
	}
	if m.Without != "" {
		fmt.Fprintf(&b, "device   none: %s\n", m.Without)
	}
	fmt.Fprintf(&b, "nccl     %s\n", m.NCCL)
	fmt.Fprintf(&b, "mpi      %s\n", m.MPI)
	fmt.Fprintf(&b, "fields\n")
	for _, f := range m.Fields {
		fmt.Fprintf(&b, "  %-12s %s\n", f.Name, f.About)
	}
	fmt.Fprintf(&b, "  %-12s any other odd prime of up to 8192 bits, as %s2^255-19\n", names.PrimePrefix+"<p>", names.PrimePrefix)
	fmt.Fprintf(&b, "  %-12s another prime r^k + 1, k = 2, 4, …, 128, as %s2^52-2^45:8\n", gfpf.Prefix+"<r>:<k>",
		gfpf.Prefix)
	fmt.Fprintf(&b, "  %-12s a prime of %s<name> as any other, as %sP3\n", names.PlainPrefix+"<name>", gfpf.Prefix,
		names.PlainPrefix)
	for _, f := range names.Arithmetics() {
		fmt.Fprintf(&b, "  %-12s %s\n", f.Name, f.About)
	}
	_, err := io.WriteString(a.stdout, b.String())
	return err
}

func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "unknown"
}

func (a *app) infoField(ctx context.Context, f verbs.Field, lengths lengths, o verbs.Options, asJSON bool) error {
	d, err := f.Describe(ctx, o.Backend)
	if err != nil {
		return err
	}
	var plans []string
	for _, n := range lengths {
		var b strings.Builder
		if err := f.Explain(ctx, &b, n, o); err != nil {
			return err
		}
		plans = append(plans, b.String())
	}
	if asJSON {
		return json.NewEncoder(a.stdout).Encode(struct {
			verbs.Description
			Plans []string `json:"plans,omitempty"`
		}{d, plans})
	}
	var b strings.Builder
	fmt.Fprintf(&b, "field        %s\n", d.Name)
	name, factors := "modulus", "p − 1"
	if d.Dimension > 0 {
		name, factors = "elements", "units"
	}
	fmt.Fprintf(&b, "%-12s %s\n", name, d.Modulus)
	fmt.Fprintf(&b, "bits         %d\n", d.Bits)
	if d.Factors != "" {
		fmt.Fprintf(&b, "%-12s %s\n", factors, d.Factors)
	}
	if d.Dimension > 0 {
		fmt.Fprintf(&b, "lengths      2^0 to 2^%d, over subspaces; odd ones that divide the number of units\n", d.Dimension)
	} else {
		fmt.Fprintf(&b, "2-adicity    %d\n", d.TwoAdicity)
		fmt.Fprintf(&b, "lengths      the divisors of p − 1; powers of two up to 2^%d\n", d.TwoAdicity)
		fmt.Fprintf(&b, "root         %s, of order 2^%d\n", d.Root, d.RootBits)
	}
	fmt.Fprintf(&b, "form         %s\n", d.Form)
	if d.Products != "" {
		fmt.Fprintf(&b, "device       %s\n", d.Products)
	}
	for _, p := range plans {
		fmt.Fprintf(&b, "\n%s", p)
	}
	_, err = io.WriteString(a.stdout, b.String())
	return err
}
