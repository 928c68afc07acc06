package verbs

import (
	"errors"
	"os"
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/gpu"
	"github.com/galfft/fft/internal/emulator"
	"github.com/galfft/fft/internal/testfields"
)

func TestMain(m *testing.M) { os.Exit(emulator.Main(m)) }

func TestParseBackend(t *testing.T) {
	for _, b := range []Backend{CPU, GPU, Auto} {
		if got, err := ParseBackend(b.String()); got != b || err != nil {
			t.Errorf("%v: got %v, error %v", b, got, err)
		}
	}
	if _, err := ParseBackend("tpu"); !errors.Is(err, field.ErrSpec) {
		t.Errorf("tpu: error %v, want %v", err, field.ErrSpec)
	}
}

// Auto takes the device from as many bytes on for every type of elements, and fields without kernels never.
func TestPlace(t *testing.T) {
	emulator.Need(t)
	const words, halves = 1 << 15, 1 << 16
	for _, c := range []struct {
		f        Field
		b        Backend
		elements int
		device   bool
		err      error
	}{
		{Of(smallprime.P62()), CPU, words, false, nil},
		{Of(smallprime.P62()), GPU, 2, true, nil},
		{Of(smallprime.P62()), Auto, words - 1, false, nil},
		{Of(smallprime.P62()), Auto, words, true, nil},
		{Of(smallprime.P30()), Auto, halves - 1, false, nil},
		{Of(smallprime.P30()), Auto, halves, true, nil},
		{Of(gfpf.P3()), Auto, words/8 - 1, false, nil},
		{Of(gfpf.P3()), Auto, words / 8, true, nil},
		{Of(testfields.NewFermat()), GPU, words, false, field.ErrSpec},
		{Of(testfields.NewFermat()), Auto, words, false, nil},
	} {
		p, err := c.f.(*hidden).place(c.b, c.elements)
		if !errors.Is(err, c.err) || err == nil && (p.device != nil) != c.device {
			t.Errorf("%s, %v, %d elements: got %+v and error %v", c.f.Name(), c.b, c.elements, p, err)
		}
	}
}

// A device that does not run the kernels is none for Auto. One that breaks is not hidden.
func TestPlaceFails(t *testing.T) {
	emulator.Need(t)
	if os.Getenv(emulator.Variable) == "libcuda.so.1" {
		t.Skip("a real device does not fail on demand")
	}
	h := Of(gfpf.P2()).(*hidden) // no other test loads a kernel for its number of digits
	const many = 1 << 20
	t.Setenv("EMULATE_FAIL", "cuModuleLoadDataEx:1:209")
	if p, err := h.place(Auto, many); err != nil || p.device != nil {
		t.Errorf("auto: got %+v and error %v, want the processor", p, err)
	}
	t.Setenv("EMULATE_FAIL", "cuModuleLoadDataEx:1:0209") // counts from now on again
	if _, err := h.place(GPU, many); !errors.Is(err, gpu.ErrArchitecture) {
		t.Errorf("gpu: got error %v, want %v", err, gpu.ErrArchitecture)
	}
	t.Setenv("EMULATE_FAIL", "cuModuleLoadDataEx:1:218")
	if _, err := h.place(Auto, many); !errors.Is(err, gpu.ErrModule) {
		t.Errorf("auto: got error %v, want %v", err, gpu.ErrModule)
	}
}

func TestProductLen(t *testing.T) {
	for _, c := range []struct {
		x, y int
		m    Modulus
		want int
	}{
		{0, 0, Modulus{}, 1}, {0, 1, Modulus{}, 1}, {1, 1, Modulus{}, 1}, {2, 2, Modulus{}, 4}, {5, 4, Modulus{}, 8},
		{5, 5, Modulus{}, 16}, {5, 5, Modulus{N: 8}, 8}, {5, 5, Modulus{N: 5}, 8}, {2, 2, Modulus{N: 100}, 4},
	} {
		if got := productLen(c.x, c.y, c.m); got != c.want {
			t.Errorf("%d by %d modulo %+v: %d, want %d", c.x, c.y, c.m, got, c.want)
		}
	}
}

// Vectors that stay on a device pass the same checks, and what has no such vectors is refused.
func TestBenchResident(t *testing.T) {
	c := small("forward")
	c.Resident, c.Order = true, field.Scheme
	if _, err := Of(smallprime.P62()).Bench(t.Context(), c); !errors.Is(err, field.ErrSpec) {
		t.Errorf("on the processor: got error %v, want %v", err, field.ErrSpec)
	}
	emulator.Need(t)
	c.Backend = GPU
	for _, op := range BenchOps() {
		if kindOf(op) == vectors {
			continue
		}
		c.Op = op
		want := error(nil)
		if kindOf(op) != transform {
			want = field.ErrSpec
		}
		for _, batch := range []int{1, 3} {
			c.Batch = batch
			m, err := Of(smallprime.P62()).Bench(t.Context(), c)
			if !errors.Is(err, want) || want == nil && (m.Device == nil || m.Device.Name == "") {
				t.Errorf("%s, batch of %d: got %+v and error %v, want %v", op, batch, m.Device, err, want)
			}
			if want != nil {
				break
			}
		}
	}
	c.Op, c.Order = "forward", field.Natural
	if _, err := Of(smallprime.P62()).Bench(t.Context(), c); !errors.Is(err, field.ErrSpec) {
		t.Errorf("natural order: got error %v, want %v", err, field.ErrSpec)
	}
}
