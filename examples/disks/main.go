// Command disks splits a file over four directories, which stand for disks, loses one of them with bits of another, and
// makes the file whole again from the rest.
//
//	go run github.com/galfft/fft/examples/disks
package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/galfft/fft/rs/shards"
)

const (
	disks  = 4
	data   = 8 // shards, which are spread evenly
	parity = 4 // three shards are on a disk, and one more may be lost
)

func main() {
	dir, err := os.MkdirTemp("", "disks")
	if err != nil {
		log.Fatal(err)
	}
	err = run(context.Background(), dir, os.Stdout)
	if removing := os.RemoveAll(dir); err == nil {
		err = removing
	}
	if err != nil {
		log.Fatal(err)
	}
}

// run works in a directory, and tells w what happens.
func run(ctx context.Context, dir string, w io.Writer) error {
	file := filepath.Join(dir, "file")
	text := make([]byte, 1<<20)
	_, _ = rand.NewChaCha8([32]byte{}).Read(text)
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return err
	}
	all, err := split(ctx, file, dir)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%d bytes are %d shards on %d disks\n", len(text), data+parity, disks)

	if err := os.RemoveAll(all[2]); err != nil {
		return err
	}
	if err := flip(filepath.Join(all[1], "005.shard")); err != nil {
		return err
	}
	rest := []string{all[0], all[1], all[3]}
	set, err := shards.Open(ctx, rest)
	if err != nil {
		return err
	}
	again := filepath.Join(dir, "again")
	if err := set.Restore(ctx, again); err != nil {
		return err
	}
	got, err := os.ReadFile(again)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "one disk is lost, and a bit: the file is the same: %t\n", sha256.Sum256(got) == sha256.Sum256(text))

	report, err := set.Repair(ctx) // what is missing is made on the first disk of the rest
	if err != nil {
		return err
	}
	for _, f := range report.Findings {
		f.File = filepath.Base(f.File)
		fmt.Fprintln(w, f)
	}
	if set, err = shards.Open(ctx, rest); err != nil {
		return err
	}
	if report, err = set.Check(ctx); err != nil {
		return err
	}
	fmt.Fprintf(w, "repaired: %v\n", report.State)
	return nil
}

// split encodes a file and moves its shards to disks in turn. Their names and places do not count.
func split(ctx context.Context, file, dir string) (all []string, err error) {
	set := filepath.Join(dir, "set")
	if err := shards.EncodeFile(ctx, file, set, data, parity); err != nil {
		return nil, err
	}
	for i := range disks {
		all = append(all, filepath.Join(dir, fmt.Sprintf("disk%d", i)))
		if err := os.Mkdir(all[i], 0o700); err != nil {
			return nil, err
		}
	}
	files, err := os.ReadDir(set)
	if err != nil {
		return nil, err
	}
	for i, f := range files {
		if err := os.Rename(filepath.Join(set, f.Name()), filepath.Join(all[i%disks], f.Name())); err != nil {
			return nil, err
		}
	}
	return all, os.Remove(set)
}

// flip changes a bit in the middle of a file.
func flip(name string) error {
	b, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	b[len(b)/2] ^= 1
	return os.WriteFile(name, b, 0o600)
}
