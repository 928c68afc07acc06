// Command rsaverify checks a batch of RSA signatures, of messages of its own, by one power modulo one key a row.
//
//	go run github.com/galfft/fft/examples/rsaverify -bits 2048 -keys 4 -n 1000
//
// Signatures are those of PKCS #1 v1.5 with SHA-256 (RFC 8017, 8.2). One is changed, so that it must be found wrong.
package main

import (
	"context"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/binary"
	"flag"
	"fmt"
	"log"
	"math/big"

	"github.com/galfft/fft/midint"
)

func main() {
	log.SetFlags(0)
	bits := flag.Int("bits", 2048, "width of a key, a multiple of 32 from 1024 on")
	keys := flag.Int("keys", 2, "number of keys")
	n := flag.Int("n", 100, "number of signatures")
	flag.Parse()
	wrong, err := run(context.Background(), *bits, *keys, *n)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d signatures of %d bits, wrong: %v\n", *n, *bits, wrong)
}

// run signs n messages by keys in turn, changes the signature in the middle, and returns those that are found wrong.
func run(ctx context.Context, bits, keys, n int) (wrong []int, err error) {
	if keys < 1 || n < 1 {
		return nil, fmt.Errorf("%d keys and %d signatures, want some", keys, n)
	}
	list := make([]*rsa.PrivateKey, keys)
	for i := range list {
		if list[i], err = rsa.GenerateKey(rand.Reader, bits); err != nil {
			return nil, err
		}
	}
	moduli, signatures, want := make([]*big.Int, n), make([]*big.Int, n), make([]*big.Int, n)
	for i := range n {
		key := list[i%keys]
		digest := sha256.Sum256(binary.BigEndian.AppendUint64(nil, uint64(i)))
		signature, err := rsa.SignPKCS1v15(nil, key, crypto.SHA256, digest[:])
		if err != nil {
			return nil, err
		}
		moduli[i], signatures[i] = key.N, new(big.Int).SetBytes(signature)
		want[i] = encoded(digest, bits)
	}
	signatures[n/2].Xor(signatures[n/2], big.NewInt(2))
	return verify(ctx, bits, moduli, signatures, want)
}

// encoded is the number that a signature's power has to be: 00 01 FF … FF 00, then the name of the digest, then it.
func encoded(digest [sha256.Size]byte, bits int) *big.Int {
	name := []byte{0x30, 0x31, 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01, 0x05, 0x00,
		0x04, 0x20}
	text := make([]byte, bits/8)
	tail := append(name, digest[:]...)
	at := len(text) - len(tail)
	copy(text[at:], tail)
	text[1] = 1
	for i := 2; i < at-1; i++ {
		text[i] = 0xff
	}
	return new(big.Int).SetBytes(text)
}

// verify returns the signatures whose powers to 65537 are not what they have to be.
func verify(ctx context.Context, bits int, moduli, signatures, want []*big.Int) (wrong []int, err error) {
	e, err := midint.New(midint.WithWorkers(0))
	if err != nil {
		return nil, err
	}
	var batches [4]*midint.Batch
	for i, from := range [][]*big.Int{moduli, signatures, want} {
		if batches[i], err = midint.NewBatch(bits, len(from)); err != nil {
			return nil, err
		}
		if err := batches[i].SetInts(from); err != nil {
			return nil, err
		}
	}
	of, err := midint.NewModuli(batches[0])
	if err != nil {
		return nil, err
	}
	power, err := midint.NewBatch(bits, len(moduli))
	if err != nil {
		return nil, err
	}
	if batches[3], err = midint.NewBatch(32, 1); err != nil {
		return nil, err
	}
	batches[3].Words()[0] = 65537
	if err := e.Exp(ctx, power, batches[1], batches[3], of); err != nil {
		return nil, err
	}
	order := make([]int8, len(moduli))
	if err := e.Cmp(ctx, order, power, batches[2]); err != nil {
		return nil, err
	}
	for i, o := range order {
		if o != 0 {
			wrong = append(wrong, i)
		}
	}
	return wrong, nil
}
