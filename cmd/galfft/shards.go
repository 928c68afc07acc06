package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/galfft/fft/rs"
	"github.com/galfft/fft/rs/shards"
)

// Exit codes of reconstruct and check, beside those of every command.
const (
	exitRepairable = 3
	exitBeyond     = 4
)

// outcome is a result that is no error, and that the exit code tells.
type outcome int

func (o outcome) Error() string { return fmt.Sprintf("exit code %d", int(o)) }

// byteSize is the pflag.Value of a number of bytes.
type byteSize int

func (s *byteSize) Type() string { return "BYTES" }

func (s *byteSize) String() string {
	for i := len(byteUnits) - 1; i >= 0; i-- {
		if u := byteUnits[i]; *s >= byteSize(u.bytes) && *s%byteSize(u.bytes) == 0 {
			return fmt.Sprint(int(*s)/u.bytes, u.name)
		}
	}
	return strconv.Itoa(int(*s))
}

var byteUnits = []struct {
	name  string
	bytes int
}{{"", 1}, {"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}}

func (s *byteSize) Set(text string) error {
	for _, u := range byteUnits {
		digits, ok := strings.CutSuffix(text, u.name)
		if n, err := strconv.Atoi(digits); ok && err == nil && n > 0 && n <= mostNumber/u.bytes {
			*s = byteSize(n * u.bytes)
			return nil
		}
	}
	return fmt.Errorf("%q is no number of bytes, as 1000000, 64KiB, 256MiB or 2GiB", text)
}

func (a *app) encode() *cobra.Command {
	var data, parity, workers int
	var code rs.Code
	var out string
	memory := byteSize(256 << 20)
	cmd := &cobra.Command{
		Use:   "encode --data K --parity M --out DIR FILE|DIR|-",
		Short: "Split a file, a directory or a stream into shards that make up for lost ones",
		Long: `Encode makes a directory with K shards of data and M of parity, of which any K make the input whole again: see
reconstruct. The input is a file, a directory, or -, which is standard input, and is encoded as it comes. Of a file,
mode and time are kept; of a directory the names, modes and times of what is in it, links and empty directories.

Each block of a shard has a sum, so that a bad sector costs a block and not a shard. Shards are files of their own; put
them on different disks. Where there are more than the system lets be open, several share a file. The directory appears
when it is complete, and nothing that stands there is written over.`,
		Example: `  galfft encode --data 10 --parity 4 --out photos.shards photos
  tar c photos | galfft encode --data 1000 --parity 100 --memory 1GiB --out photos.shards -`,
		Args: files("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if data == 0 || !cmd.Flags().Changed("parity") || out == "" {
				return usagef("want --data K, --parity M and --out DIR")
			}
			// What is left behind is collected before it counts.
			defer debug.SetMemoryLimit(debug.SetMemoryLimit(min(debug.SetMemoryLimit(-1), int64(memory))))
			p := a.progress(1)
			defer p.hide()
			err := a.encodeInput(cmd.Context(), args[0], out, data, parity, a.shardOptions(p, workers,
				shards.WithCode(code), shards.WithMemoryLimit(int(memory)))...)
			if errors.Is(err, rs.ErrCounts) {
				return usageError{err}
			}
			if err == nil {
				p.finish()
			}
			return err
		},
	}
	numberFlag(cmd, "data", &data, 1, "shards of data")
	numberFlag(cmd, "parity", &parity, 0, "shards of parity: so many others may be lost")
	choose(cmd, "code", &code, rs.ParseCode, "bytes of parity", rs.Auto, rs.Vandermonde, rs.Cauchy, rs.Zfec, rs.Leopard8,
		rs.Leopard16, rs.Additive32, rs.Additive64, rs.Additive128)
	cmd.Flags().Var(&memory, "memory", "most memory to take, of which blocks are made as long as fits")
	outFlag(cmd, &out, "`DIR` for the shards, which must not be there")
	cmd.Flags().IntVar(&workers, "workers", runtime.GOMAXPROCS(0), workersUsage)
	return cmd
}

func outFlag(cmd *cobra.Command, out *string, usage string) {
	cmd.Flags().StringVarP(out, "out", "o", "", usage)
}

// encodeInput opens what is no file and no directory so that waiting for it ends with the context.
func (a *app) encodeInput(ctx context.Context, name, out string, data, parity int, opts ...shards.Option) error {
	if info, err := os.Stat(name); name != "-" && (err != nil || info.Mode().IsRegular() || info.IsDir()) {
		return shards.EncodeFile(ctx, name, out, data, parity, opts...)
	}
	in, err := a.openInput(ctx, name)
	if err != nil {
		return err
	}
	return errors.Join(shards.Encode(ctx, in, out, data, parity, opts...), in.Close())
}

// shardOptions are those that show how far a call is.
func (a *app) shardOptions(p *progress, workers int, opts ...shards.Option) []shards.Option {
	return append(opts, shards.WithWorkers(workers), shards.WithProgress(p.flow()), shards.WithNotes(func(text string) {
		p.hide()
		a.notef("%s", text)
	}))
}

func (a *app) reconstruct() *cobra.Command {
	var out string
	var workers int
	cmd := &cobra.Command{
		Use:   "reconstruct --out FILE|DIR|- DIR ...",
		Short: "Make what was encoded whole again from what is left of its shards",
		Long: `Reconstruct makes the file or the directory of which the shards in one or more directories are, from any K of them in
each part of the data. It appears when it is complete and its SHA-256 is that of the input; nothing that stands there
is written over. With --out -, the bytes go to standard output, of a directory as a tar archive; all shards are checked
before the first byte.

The exit code is 0 where it is written, and 4 where the damage is beyond repair: then there is no file.`,
		Example: `  galfft reconstruct --out photos photos.shards
  galfft reconstruct --out photos /disk1/shards /disk2/shards
  galfft reconstruct --out - photos.shards | tar t`,
		Args: directories,
		RunE: func(cmd *cobra.Command, args []string) error {
			if out == "" {
				return usagef("want --out FILE, DIR or -")
			}
			info, err := os.Stat(out)
			stream := out == "-" || err == nil && !info.Mode().IsRegular() && !info.IsDir()
			p := a.progress(1)
			if stream {
				p = a.progress(2) // all is checked before
			}
			defer p.hide()
			s, err := shards.Open(cmd.Context(), args, a.shardOptions(p, workers)...)
			if err != nil {
				return err
			}
			if stream {
				err = a.pour(cmd.Context(), s, out)
			} else {
				err = s.Restore(cmd.Context(), out)
			}
			if err == nil {
				p.finish()
			}
			return err
		},
	}
	outFlag(cmd, &out, "`FILE` or directory to make, which must not be there, or - for standard output")
	cmd.Flags().IntVar(&workers, "workers", runtime.GOMAXPROCS(0), workersUsage)
	return cmd
}

// directories refuses none.
func directories(_ *cobra.Command, args []string) error {
	if len(args) == 0 {
		return usagef("no directory, want those with the shards")
	}
	return nil
}

// pour writes the data to what takes nothing back, once it is known to be whole.
func (a *app) pour(ctx context.Context, s *shards.Set, name string) error {
	r, err := s.Check(ctx)
	if err != nil {
		return err
	}
	if r.State == shards.Beyond {
		return r.Beyond
	}
	out, err := a.create(ctx, name)
	if err != nil {
		return err
	}
	defer out.discard()
	if err := s.Copy(ctx, out); err != nil {
		return err
	}
	return out.commit()
}

func (a *app) check() *cobra.Command {
	var repair, asJSON bool
	var workers int
	cmd := &cobra.Command{
		Use:   "check [--repair] DIR ...",
		Short: "Check shards, and repair them",
		Long: `Check reads all shards in one or more directories, rebuilds what is lost in memory, and compares the SHA-256 of the
data. It tells what is missing, truncated, damaged, there twice, of another set or of another version. With --repair it
then writes bad blocks where they stand, and missing files in the first directory.

The exit code is 0 where all is intact, 3 where it can be repaired or has been, and 4 where the damage is beyond
repair.`,
		Example: `  galfft check photos.shards
  galfft check --repair photos.shards`,
		Args: directories,
		RunE: func(cmd *cobra.Command, args []string) error {
			parts := 1
			if repair {
				parts = 2
			}
			p := a.progress(parts)
			defer p.hide()
			s, err := shards.Open(cmd.Context(), args, a.shardOptions(p, workers)...)
			if err != nil {
				return err
			}
			look := s.Check
			if repair {
				look = s.Repair
			}
			r, err := look(cmd.Context())
			if err != nil {
				return err
			}
			p.finish()
			if err := a.printReport(s.Info(), r, repair, asJSON); err != nil {
				return err
			}
			switch r.State {
			case shards.Repairable:
				return outcome(exitRepairable)
			case shards.Beyond:
				return outcome(exitBeyond)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&repair, "repair", false, "write what is missing or damaged")
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON")
	cmd.Flags().IntVar(&workers, "workers", runtime.GOMAXPROCS(0), workersUsage)
	return cmd
}

// checkReport is that of check in JSON.
type checkReport struct {
	State    string         `json:"state"`
	Repaired bool           `json:"repaired"`
	Kind     string         `json:"kind"`
	Code     string         `json:"code"`
	Data     int            `json:"data"`
	Parity   int            `json:"parity"`
	Bytes    int64          `json:"bytes"`
	SHA256   string         `json:"sha256"`
	Bad      int64          `json:"bad"`
	Findings []checkFinding `json:"findings"`
}

type checkFinding struct {
	File   string `json:"file"`
	First  int    `json:"first"`
	Count  int    `json:"count"`
	Blocks int64  `json:"blocks"`
	Error  string `json:"error"`
}

func (a *app) printReport(i shards.Info, r *shards.Report, repair, asJSON bool) error {
	repaired := repair && r.State == shards.Repairable
	if asJSON {
		out := checkReport{r.State.String(), repaired, i.Kind.String(), i.Code.String(), i.Data, i.Parity, i.Length,
			fmt.Sprintf("%x", i.Digest), r.Bad, []checkFinding{}}
		for _, f := range r.Findings {
			out.Findings = append(out.Findings, checkFinding{f.File, f.First, f.Count, f.Blocks, f.Err.Error()})
		}
		return json.NewEncoder(a.stdout).Encode(out)
	}
	var b strings.Builder
	for _, f := range r.Findings {
		fmt.Fprintln(&b, f)
	}
	state := r.State.String()
	if repaired {
		state = "repaired"
	}
	fmt.Fprintf(&b, "%s: a %v of %d bytes, %d + %d shards, %v\n", state, i.Kind, i.Length, i.Data, i.Parity, i.Code)
	if r.Beyond != nil && len(r.Findings) == 0 {
		fmt.Fprintln(&b, shards.ErrDigest)
	}
	_, err := fmt.Fprint(a.stdout, b.String())
	return err
}
