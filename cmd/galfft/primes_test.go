package main

import "testing"

func TestPrimes(t *testing.T) {
	s := newSession(t, nil)
	s.expect("primes --bits 62 --adicity 24 --count 2", exitOK,
		"4611686018326724609 = 2^25·47189·2912521 + 1\n4611686018309947393 = 2^24·3·113·810849283 + 1\n", "")
	s.expect("primes --bits 31 --adicity 20 --divisor 30 --count 1", exitOK, "2013265921 = 2^27·3·5 + 1\n", "")
	s.expect("primes --bits 3 --adicity 0 --json", exitOK, `{"prime":7,"bits":3,"twoAdicity":1,"factors":[2,3]}
{"prime":5,"bits":3,"twoAdicity":2,"factors":[2,2]}
{"prime":3,"bits":2,"twoAdicity":1,"factors":[2]}
`, "")
	s.expect("primes --bits 4 --adicity 3", exitFailed, "", "no prime below 2^4 is 1 modulo 8")
	s.expect("primes --bits 5 --adicity 5", exitUsage, "", "want a divisor from 1 to 2^5 − 1")
	for _, line := range []string{"--bits 65", "--bits 1 --adicity 0", "--adicity 64", "--adicity -1", "--count 0",
		"--divisor 0", "--divisor 3 --adicity 63", "7"} {
		s.expect("primes "+line, exitUsage, "", "galfft primes --help tells more")
	}
}
