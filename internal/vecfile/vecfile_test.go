package vecfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
)

// z257 is the codec of Z/257: two bytes an element, of which few are canonical. It knows the vector that it made last.
type z257 struct{ made []uint16 }

func (c *z257) Make(n int) bulks.View {
	c.made = make([]uint16, n)
	return bulks.ViewOf(c.made)
}
func (*z257) Copy(z, x bulks.View)           { copy(bulks.SliceOf[uint16](z), bulks.SliceOf[uint16](x)) }
func (*z257) At(x bulks.View, i int) any     { return &bulks.SliceOf[uint16](x)[i] }
func (*z257) Size() int                      { return 2 }
func (*z257) PutBytes(b []byte, x any)       { v := *x.(*uint16); b[0], b[1] = byte(v), byte(v>>8) }
func (*z257) SetBytes(z any, b []byte) error { return set(z, uint64(b[0])|uint64(b[1])<<8) }
func (*z257) TextBase() int                  { return 10 }
func (*z257) AppendText(b []byte, x any) []byte {
	return strconv.AppendUint(b, uint64(*x.(*uint16)), 10)
}
func (*z257) SetText(z any, s []byte) error {
	v, err := strconv.ParseUint(string(s), 10, 64)
	if err != nil {
		return fmt.Errorf("z257: %w: %w", field.ErrRange, err)
	}
	return set(z, v)
}

func set(z any, v uint64) error {
	if v >= 257 {
		return fmt.Errorf("z257: %w: %d, want less than 257", field.ErrRange, v)
	}
	*z.(*uint16) = uint16(v)
	return nil
}

// read returns what Read reads, with the capacity that there is room for.
func read(s Source) ([]uint16, error) {
	var c z257
	v, err := Read(&c, s)
	if v.Buf == nil {
		return nil, err
	}
	return c.made[:v.N], err
}

func TestReadText(t *testing.T) {
	for _, c := range []struct {
		name, in string
		n        int
		want     []uint16
		is       error
		says     string
	}{
		{name: "empty", in: ""},
		{name: "only a comment", in: "# nothing\n#"},
		{name: "layout", in: "1 2\t3\r\n\v\f 256#last\n# 5 6\n 0", want: []uint16{1, 2, 3, 256, 0}},
		{name: "leading zeros", in: "000000000000000000000000012 00 0", want: []uint16{12, 0, 0}},
		{name: "no newline at the end", in: "7", n: 1, want: []uint16{7}},
		{name: "too large", in: "1\n 2 257", is: field.ErrRange,
			says: "f:2:4: element 2: z257: value out of range: 257"},
		{name: "no number", in: "1 2\n3 0x10", is: ErrSyntax, says: `f:2:3: element 3: not a number of decimal digits: "0x10"`},
		{name: "negative", in: "-1", is: ErrSyntax, says: `f:1:1: element 0: not a number of decimal digits: "-1"`},
		{name: "too many digits", in: "# c\n1234567", is: field.ErrRange,
			says: `f:2:1: element 0: value out of range: "1234567", want at most 6 digits`},
		{name: "endless token", in: strings.Repeat("9", 1<<20), is: field.ErrRange, says: `f:1:1: element 0: `},
		{name: "zero bytes", in: "\x00\x00", is: ErrSyntax, says: `f:1:1: element 0: not a number of decimal digits: "\x00\x00"`},
		{name: "short", in: "1 2 3\n", n: 4, is: field.ErrLength,
			says: "f:2:1: wrong length: the file ends after 3 elements, want 4"},
		{name: "long", in: "1 2 3 4\n5", n: 4, is: field.ErrLength,
			says: "f:2:1: element 4: wrong length: the file goes on, want 4 elements"},
	} {
		x, err := read(Source{Name: "f", Reader: iotest.OneByteReader(strings.NewReader(c.in)), Len: c.n})
		check(t, c.name, x, err, c.want, c.is, c.says)
	}
}

// A token without an end is not read for ever.
func TestEndlessToken(t *testing.T) {
	for in, is := range map[string]error{"9": field.ErrRange, "0": field.ErrRange, "x": ErrSyntax, "-": ErrSyntax} {
		far := errors.New("read too far")
		r := io.MultiReader(strings.NewReader("1 "+strings.Repeat(in, 1<<18)), iotest.ErrReader(far))
		_, err := read(Source{Name: "f", Reader: r})
		if !errors.Is(err, is) || errors.Is(err, far) || !strings.HasPrefix(err.Error(), "f:1:3: element 1: ") {
			t.Errorf("%s without an end: error %v, want %v", in, err, is)
		}
	}
}

func TestReadBinary(t *testing.T) {
	for _, c := range []struct {
		name, in string
		n        int
		want     []uint16
		is       error
		says     string
	}{
		{name: "empty"},
		{name: "elements", in: "\x01\x00\x00\x01", n: 2, want: []uint16{1, 256}},
		{name: "too large", in: "\x01\x00\x01\x01", is: field.ErrRange,
			says: "f: byte 2: element 1: z257: value out of range: 257"},
		{name: "half an element", in: "\x01\x00\x00", is: field.ErrLength,
			says: "f: byte 2: element 1: wrong length: the file ends after 1 of its 2 bytes"},
		{name: "short", in: "\x01\x00", n: 2, is: field.ErrLength,
			says: "f: byte 2: wrong length: the file ends after 1 elements, want 2"},
		{name: "long", in: "\x01\x00\x01\x00", n: 1, is: field.ErrLength,
			says: "f: byte 2: element 1: wrong length: the file goes on, want 1 elements"},
	} {
		x, err := read(Source{Name: "f", Reader: iotest.OneByteReader(strings.NewReader(c.in)), Format: Binary,
			Len: c.n})
		check(t, c.name, x, err, c.want, c.is, c.says)
	}
}

func check(t *testing.T, name string, x []uint16, err error, want []uint16, is error, says string) {
	t.Helper()
	switch {
	case is == nil && err != nil:
		t.Errorf("%s: %v", name, err)
	case is == nil && !slices.Equal(x, want):
		t.Errorf("%s: got %v, want %v", name, x, want)
	case is != nil && !errors.Is(err, is):
		t.Errorf("%s: got error %v, want %v", name, err, is)
	case is != nil && !strings.Contains(err.Error(), says):
		t.Errorf("%s: got error %q, want %q in it", name, err, says)
	}
}

// A reader's own error arrives, with the file's name, and no partial vector with it.
func TestReadFails(t *testing.T) {
	broken := errors.New("broken")
	for _, f := range []Format{Text, Binary} {
		in := map[Format]string{Text: "1 2 ", Binary: "\x01\x00"}[f]
		r := io.MultiReader(strings.NewReader(in), iotest.ErrReader(broken))
		x, err := read(Source{Name: "f", Reader: r, Format: f})
		if x != nil || !errors.Is(err, broken) || !strings.HasPrefix(err.Error(), "f: ") {
			t.Errorf("%v: got %v, %v", f, x, err)
		}
	}
}

// Reading stops where there is no more memory, whatever the reader still has, and has not grown beyond it.
func TestReadBound(t *testing.T) {
	for format, in := range map[Format]string{Text: "1 ", Binary: "\x01\x00"} {
		for _, most := range []int{1, 10, 1024, 5000} {
			right := strings.Repeat(in, most)
			x, err := read(Source{Name: "f", Reader: strings.NewReader(right), Format: format, Most: most})
			if err != nil || len(x) != most || cap(x) > most {
				t.Errorf("%v: %d elements of %d, in room for %d (error %v)", format, len(x), most, cap(x), err)
			}
			endless := io.MultiReader(strings.NewReader(right), strings.NewReader(strings.Repeat(in, 1<<20)))
			x, err = read(Source{Name: "f", Reader: endless, Format: format, Most: most})
			const text = "element %d: not enough memory for %d elements and their transform, want at most %d; --n N"
			says := fmt.Sprintf(text, most, most+1, most)
			if x != nil || !errors.Is(err, field.ErrMemory) || !strings.Contains(err.Error(), says) {
				t.Errorf("%v: error %v, want %q in it", format, err, says)
			}
			unread := iotest.ErrReader(errors.New("read"))
			_, err = read(Source{Name: "f", Reader: unread, Format: format, Most: most, Len: most + 1})
			if !errors.Is(err, field.ErrMemory) {
				t.Errorf("%v: error %v, want %v and nothing read", format, err, field.ErrMemory)
			}
		}
	}
	in := strings.NewReader(strings.Repeat("1 ", 1500))
	x, err := read(Source{Name: "f", Reader: in, Len: 1500, Most: 1 << 30})
	if err != nil || cap(x) != 1500 {
		t.Errorf("room for %d elements (error %v), want 1500", cap(x), err)
	}
}

// Texts of hexadecimal fields have digits of either case.
func TestHexadecimal(t *testing.T) {
	var z z257Hex
	x, err := Read(&z, Source{Name: "f", Reader: strings.NewReader("fF # a comment\n0001 a")})
	require.NoError(t, err)
	require.Equal(t, []uint16{255, 1, 10}, bulks.SliceOf[uint16](x))
	_, err = Read(&z, Source{Name: "f", Reader: strings.NewReader("1 g")})
	require.ErrorIs(t, err, ErrSyntax)
	require.EqualError(t, err, `f:1:3: element 1: not a number of hexadecimal digits: "g"`)
	require.ErrorIs(t, ParseText(&z, new(uint16), "0x1"), ErrSyntax)
	require.NoError(t, ParseText(&z, new(uint16), "Ff"))
}

// z257Hex is z257 in hexadecimal.
type z257Hex struct{ z257 }

func (*z257Hex) TextBase() int { return 16 }

func (*z257Hex) SetText(z any, s []byte) error {
	x, err := strconv.ParseUint(string(s), 16, 8)
	*z.(*uint16) = uint16(x)
	return err
}

func TestParseText(t *testing.T) {
	for text, is := range map[string]error{
		"256": nil, "0256": nil, "257": field.ErrRange, "": ErrSyntax, "x": ErrSyntax, "-1": ErrSyntax, "1 ": ErrSyntax,
	} {
		var z uint16
		if err := ParseText(&z257{}, &z, text); !errors.Is(err, is) || err == nil && z != 256 {
			t.Errorf("%q: got %d and error %v, want %v", text, z, err, is)
		}
	}
}

func TestRoundTrip(t *testing.T) {
	var x []uint16
	for i := range 100_000 {
		x = append(x, uint16(i%257))
	}
	for _, f := range []Format{Text, Binary} {
		var b bytes.Buffer
		if err := Write(&b, &z257{}, f, bulks.ViewOf(x)); err != nil {
			t.Fatal(err)
		}
		if f == Binary && b.Len() != 2*len(x) {
			t.Errorf("binary: wrote %d bytes, want %d", b.Len(), 2*len(x))
		}
		y, err := read(Source{Name: "f", Reader: &b, Format: f, Len: len(x)})
		if err != nil || !slices.Equal(x, y) {
			t.Errorf("%v: another vector came back (error %v)", f, err)
		}
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

func TestWriteFails(t *testing.T) {
	for _, n := range []int{1, 1 << 20} {
		if err := Write(full{}, &z257{}, Text, bulks.ViewOf(make([]uint16, n))); !errors.Is(err, io.ErrShortWrite) {
			t.Errorf("%d elements: got error %v, want %v", n, err, io.ErrShortWrite)
		}
	}
}

func TestFormat(t *testing.T) {
	for _, f := range []Format{Text, Binary} {
		if g, err := ParseFormat(f.String()); err != nil || g != f {
			t.Errorf("%v: got %v, %v", f, g, err)
		}
	}
	if _, err := ParseFormat("json"); !errors.Is(err, field.ErrSpec) {
		t.Errorf("json: got error %v, want %v", err, field.ErrSpec)
	}
}

// What was read is canonical, and comes back from what Write makes of it.
func fuzz(f *testing.F, format Format) {
	f.Fuzz(func(t *testing.T, in []byte, n uint8) {
		x, err := read(Source{Name: "f", Reader: bytes.NewReader(in), Format: format, Len: int(n)})
		if err != nil {
			if !errors.Is(err, field.ErrRange) && !errors.Is(err, field.ErrLength) && !errors.Is(err, ErrSyntax) {
				t.Fatalf("error %v is neither %v nor %v nor %v", err, field.ErrRange, field.ErrLength, ErrSyntax)
			}
			return
		}
		if n > 0 && len(x) != int(n) {
			t.Fatalf("got %d elements, want %d", len(x), n)
		}
		for _, v := range x {
			if v >= 257 {
				t.Fatalf("read %d, which is not below 257", v)
			}
		}
		var b bytes.Buffer
		if err := Write(&b, &z257{}, format, bulks.ViewOf(x)); err != nil {
			t.Fatal(err)
		}
		if format == Binary && !bytes.Equal(b.Bytes(), in) {
			t.Fatalf("wrote %q, want the input %q", b.Bytes(), in)
		}
		y, err := read(Source{Name: "f", Reader: &b, Format: format})
		if err != nil || !slices.Equal(x, y) {
			t.Fatalf("got %v and error %v, want %v", y, err, x)
		}
	})
}

func FuzzReadText(f *testing.F) {
	f.Add([]byte("1 2 # three\n4"), uint8(0))
	f.Add([]byte("007 256 257"), uint8(2))
	f.Add([]byte("12345678901234567890"), uint8(1))
	f.Add([]byte("-1 x \xff"), uint8(3))
	fuzz(f, Text)
}

func FuzzReadBinary(f *testing.F) {
	f.Add([]byte("\x01\x00\x00\x01"), uint8(2))
	f.Add([]byte("\x01\x01"), uint8(1))
	f.Add([]byte("\x00"), uint8(0))
	fuzz(f, Binary)
}

func TestWriteJSON(t *testing.T) {
	for want, x := range map[string][]uint16{`[]`: nil, `["1"]`: {1}, `["1","256"]`: {1, 256}} {
		var b bytes.Buffer
		if err := WriteJSON(&b, &z257{}, bulks.ViewOf(x)); err != nil || b.String() != want {
			t.Errorf("got %s and error %v, want %s", b.String(), err, want)
		}
	}
}
