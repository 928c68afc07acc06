package main

import (
	"context"
	"math/big"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

// What int prints are results of math/big, in every notation, from files and from pipes.
func TestInt(t *testing.T) {
	s := newSession(t, map[string]string{"a": "-1000\n", "b": " 7", "zero": "0", "hex": "-Ff", "m": "13",
		"bin": "\x00\xff", "empty": "", "bad": "12x"})
	s.expect("int mul a b", exitOK, "-7000\n", "")
	s.expect("int sqr --workers 3 a", exitOK, "1000000\n", "")
	s.expect("int pow a b", exitOK, "-1000000000000000000000\n", "")
	s.expect("int pow a b m", exitOK, "1\n", "") // −1000 ≡ 1
	s.expect("int quo a b", exitOK, "-142\n", "")
	s.expect("int rem a b", exitOK, "-6\n", "")
	s.expect("int sqrt b", exitOK, "2\n", "")
	s.expect("int convert --to hex a", exitOK, "-3e8\n", "")
	s.expect("int convert --from hex hex", exitOK, "-255\n", "")
	s.expect("int convert --from bin --to hex bin", exitOK, "-100\n", "")
	s.expect("int mul --from bin --to bin bin bin", exitOK, "\x00\x00\x01", "")
	s.expect("int mul a b -o out", exitOK, "", "")
	if got := s.read("out"); got != "-7000\n" {
		t.Errorf("the file has %q", got)
	}
	s.stdin = strings.NewReader("6")
	s.expect("int mul - b", exitOK, "42\n", "")

	s.expect("int quo a zero -o out", exitFailed, "", "not invertible")
	s.expect("int pow a b zero", exitFailed, "", "the modulus is 0")
	s.expect("int pow b a", exitFailed, "", "a negative exponent")
	s.expect("int sqrt a", exitFailed, "", "the root of a negative integer")
	s.expect("int sqr bad", exitFailed, "", "galfft: bad: value out of range: byte 'x' at offset 2, want a digit of base 10")
	s.expect("int sqr empty", exitFailed, "", "empty: value out of range: text of 0 bytes")
	s.expect("int sqr --from bin empty", exitFailed, "", "empty: value out of range: no bytes")
	s.expect("int sqr none", exitFailed, "", "none")
	if got := s.read("out"); got != "-7000\n" {
		t.Errorf("the file has %q after an error", got)
	}
	for _, line := range []string{"", "gcd a b", "mul a", "mul - -", "sqr a b", "pow a", "pow a b m m", "mul a b -o a",
		"mul --to oct a b", "mul --workers -1 a b", "bench a", "bench --bits 0", "bench --workers 0"} {
		code, stdout, stderr := s.run(strings.Fields("int " + line)...)
		if code != exitUsage || stdout != "" || !strings.Contains(stderr, "--help tells more") {
			t.Errorf("galfft int %s: exit code %d, %q", line, code, stderr)
		}
	}
	code, stdout, _ := s.run(strings.Fields("int bench --bits 2^4..2^5 --reps 1 --seed 3")...)
	if code != exitOK || !strings.Contains(stdout, "seed 3\nop ") || strings.Count(stdout, "\nquo ") != 2 {
		t.Errorf("bench: exit code %d, %q", code, stdout)
	}
	code, stdout, _ = s.run(strings.Fields("int bench --op sqrt --bits 500 --reps 1 --json")...)
	if code != exitOK || !strings.Contains(stdout, `"op":"sqrt","n":500,`) || strings.Count(stdout, "\n") != 1 {
		t.Errorf("bench: exit code %d, %q", code, stdout)
	}
	s.expect("int bench --op gcd --json", exitUsage, "", `operation "gcd" on integers`)
	s.expect("int bench --json --workers 9999", exitUsage, "", "9999 workers, want at most 1024")
	s.expect("int bench --json --reps -1", exitUsage, "", "-1 samples, want at least 1")
	s.expect("int bench --json --time -1s", exitUsage, "", "time -1s, want more than 0")
	code, stdout, _ = s.run(strings.Fields("int pow --help")...)
	if code != exitOK || !strings.Contains(stdout, "pow A B [M]") {
		t.Errorf("help: exit code %d, %q", code, stdout)
	}
}

// Numbers come back from each notation, at the edges of bytes and when they are long.
func TestIntNotations(t *testing.T) {
	s := newSession(t, nil)
	r := rand.New(rand.NewPCG(1, 2))
	var numbers []*big.Int
	for _, k := range []uint{0, 7, 8, 15, 16, 64} {
		p := new(big.Int).Lsh(big.NewInt(1), k)
		numbers = append(numbers, p, new(big.Int).Sub(p, big.NewInt(1)), new(big.Int).Neg(p), new(big.Int).Not(p))
	}
	words := make([]big.Word, 3000)
	for i := range words {
		words[i] = big.Word(r.Uint64())
	}
	numbers = append(numbers, new(big.Int).SetBits(words))
	for _, x := range numbers {
		for notation, want := range map[string]string{"dec": x.String() + "\n", "hex": x.Text(16) + "\n", "bin": ""} {
			if err := os.WriteFile("x", []byte(x.String()), 0o600); err != nil {
				t.Fatal(err)
			}
			s.expect("int convert x -o y --to "+notation, exitOK, "", "")
			below := x // the bits below the sign
			if x.Sign() < 0 {
				below = new(big.Int).Not(x)
			}
			if got := s.read("y"); want != "" && got != want || want == "" && len(got) != below.BitLen()/8+1 {
				t.Errorf("%v in %s is %q", x, notation, got)
			}
			s.expect("int convert y --from "+notation, exitOK, x.String()+"\n", "")
		}
	}
}

// A command that is interrupted leaves no file.
func TestIntStops(t *testing.T) {
	s := newSession(t, map[string]string{"a": strings.Repeat("7", 100)})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	code, stdout, stderr := s.runContext(ctx, "int", "sqr", "a", "-o", "out")
	if code != exitFailed || stdout != "" || !strings.Contains(stderr, "cancelled") || len(s.files()) != 1 {
		t.Errorf("exit code %d, %q, %q, files %q", code, stdout, stderr, s.files())
	}
}
