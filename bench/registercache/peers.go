package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/galfft/fft/field/binary"
)

// peer is a program that speaks the protocol of bench/peers/binary.h, and the name that lines give it.
type peer struct{ name, path string }

// addPeer reads NAME=PATH.
func (s *session) addPeer(text string) error {
	name, path, ok := strings.Cut(text, "=")
	if !ok || name == "" || path == "" || name == "ours" {
		return fmt.Errorf("peer %q, want NAME=PATH", text)
	}
	s.others = append(s.others, peer{name, path})
	return nil
}

// process is a peer that runs, on the processors of this program.
type process struct {
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
}

func (p peer) start() (*process, error) {
	c := exec.Command(p.path)
	c.Stderr = os.Stderr
	in, err := c.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := c.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &process{c, in, bufio.NewReader(out)}, c.Start()
}

func (p *process) close() error { return errors.Join(p.in.Close(), p.command.Wait()) }

func (p *process) ask(format string, args ...any) (string, error) {
	if _, err := fmt.Fprintf(p.in, format+"\n", args...); err != nil {
		return "", err
	}
	answer, err := p.out.ReadString('\n')
	return strings.TrimSpace(answer), err
}

// open asks for products of n pairs over f, and has operands made. It is false where the peer has no such products.
func (p *process) open(f *binary.Field[binary.Number], n int) (has bool, err error) {
	words := (f.Degree() + 63) / 64
	text := fmt.Sprintf("open multiply %d", n*words)
	for m, e := f.Modulus(), f.Degree(); e >= 0; e-- {
		if m.Bit(e) == 1 {
			text += fmt.Sprintf(" %x", e)
		}
	}
	answer, err := p.ask("%s", text)
	if err != nil || answer == "no" || strings.HasPrefix(answer, "no ") {
		return false, err
	}
	if !strings.HasPrefix(answer, "ok ") {
		return false, fmt.Errorf("it answers %.40q, want ok and its name, or no", answer)
	}
	_, err = p.ask("fill 1")
	return true, err
}

// run has the products computed, and is the time that the peer tells.
func (p *process) run() (time.Duration, error) {
	answer, err := p.ask("run")
	if err != nil {
		return 0, err
	}
	ns, err := strconv.ParseFloat(answer, 64)
	if err != nil {
		return 0, fmt.Errorf("it answers %.40q, want its time", answer)
	}
	return time.Duration(ns), nil
}

// check compares all products of n pairs, by their hash.
func (p *process) check(f *binary.Field[binary.Number], n int) error {
	if _, err := p.run(); err != nil {
		return err
	}
	answer, err := p.ask("hash")
	if want := strconv.FormatUint(hashed(f, n), 16); err == nil && answer != want {
		err = fmt.Errorf("the hash of its products is %.40s, want %s", answer, want)
	}
	return err
}

// hashed is the hash of the products of n pairs over f, as peers make them.
func hashed(f *binary.Field[binary.Number], n int) (sum uint64) {
	words := (f.Degree() + 63) / 64
	x, state := make([]binary.Number, 2*n), uint64(1)
	for i := range x {
		x[i] = make(binary.Number, words)
		for w := range x[i] { // SplitMix64
			state += 0x9e3779b97f4a7c15
			z := (state ^ state>>30) * 0xbf58476d1ce4e5b9
			z = (z ^ z>>27) * 0x94d049bb133111eb
			x[i][w] = z ^ z>>31
		}
		x[i][words-1] &= ^uint64(0) >> (64*words - f.Degree())
	}
	z := make(binary.Number, words)
	for i := range n {
		f.Mul(&z, &x[i], &x[n+i])
		for _, w := range z {
			sum = (sum^w)*0x9e3779b97f4a7c15 + sum>>32
		}
	}
	return sum
}

// peers are products by other libraries, by one thread.
func peers(s *session) error {
	if len(s.others) == 0 {
		return s.missing("all", "no program of another library")
	}
	return steps(s, s.multiplesFirst(), alike, func(bits int) error {
		return s.peers(bits, 1<<min(processorPairs, s.most))
	})
}

// peers are products of n pairs by other libraries, after fewer that are compared with ours.
func (s *session) peers(bits, n int) error {
	f, err := binary.New[binary.Number](bits)
	if err != nil {
		return err
	}
	for i, other := range s.others {
		if s.running == nil {
			s.running = make([]*process, len(s.others))
		}
		if s.running[i] == nil {
			if s.running[i], err = other.start(); err != nil {
				s.running[i] = nil
				return fmt.Errorf("%s: %w", other.name, err)
			}
		}
		if err := s.peer(s.running[i], f, other.name, n); err != nil {
			return fmt.Errorf("%s, %d bits: %w", other.name, bits, err)
		}
	}
	return nil
}

func (s *session) peer(p *process, f *binary.Field[binary.Number], name string, n int) error {
	few := min(n, 1<<8+1)
	if has, err := p.open(f, few); err != nil || !has {
		return err
	}
	if err := p.check(f, few); err != nil {
		return err
	}
	if _, err := p.open(f, n); err != nil {
		return err
	}
	list, err := s.sampled(p.run)
	if err != nil {
		return err
	}
	return s.printed(line{Form: name, Bits: f.Degree(), N: n, Threads: 1, Peer: true}, list)
}
