package vecfile

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
)

// Source is where a vector comes from.
type Source struct {
	Name   string // the file's name in messages
	Reader io.Reader
	Format Format
	Len    int // the number of elements wanted; 0 takes what there is
	Most   int // the number of elements that there is memory for; 0 is no bound
}

// ErrSyntax says that a text is no number.
var ErrSyntax = errors.New("not a number")

// syntax is the ErrSyntax of a text that should have had digits of a base.
func syntax(base int, text any) error {
	digits := "decimal"
	if base != 10 {
		digits = fmt.Sprintf("base %d", base)
	}
	if base == 16 {
		digits = "hexadecimal"
	}
	return fmt.Errorf("%w of %s digits: %.40q", ErrSyntax, digits, text)
}

// isDigit reports whether b is a digit of a base.
func isDigit(b byte, base int) bool {
	switch {
	case '0' <= b && b <= '9':
		return int(b-'0') < base
	case 'a' <= b && b <= 'f':
		return int(b-'a')+10 < base
	}
	return 'A' <= b && b <= 'F' && int(b-'A')+10 < base
}

// Read reads all elements of s. It holds at most three times s.Most elements at once, and where there are more the
// error is field.ErrMemory.
func Read(c Codec, s Source) (bulks.View, error) {
	if s.Most > 0 && s.Len > s.Most {
		return bulks.View{}, fmt.Errorf("%s: %w", s.Name, s.tooLong(s.Len))
	}
	x := vector{c: c, s: s, room: c.Make(0)}
	read := x.readText
	if s.Format == Binary {
		read = x.readBinary
	}
	if err := read(); err != nil {
		return bulks.View{}, err
	}
	return x.room.Slice(0, x.n), nil
}

// vector is what has been read of a source.
type vector struct {
	c    Codec
	s    Source
	room bulks.View
	n    int // elements read, the first ones of room
}

// bufferSize is the read and write buffer: large enough that system calls do not show.
const bufferSize = 1 << 16

// tooLong is the error of more than Most elements.
func (s *Source) tooLong(n int) error {
	return fmt.Errorf("%w for %d elements and their transform, want at most %d; "+
		"--n N takes a file of N elements and refuses a longer one", field.ErrMemory, n, s.Most)
}

// next returns element n for the decoder to fill. Where memory is short room grows no further than it must.
func (x *vector) next() (any, error) {
	if x.n == x.room.N {
		if x.s.Most > 0 && x.n >= x.s.Most {
			return nil, x.s.tooLong(x.n + 1)
		}
		most := cmp.Or(x.s.Len, x.s.Most, math.MaxInt)
		more := x.c.Make(min(most, max(2*x.n, 1<<10)))
		x.c.Copy(more.Slice(0, x.n), x.room)
		x.room = more
	}
	return x.c.At(x.room, x.n), nil
}

// ParseText sets z to the element of a text. The error is ErrSyntax where that is no number in digits of the field, and
// field.ErrRange where the number is no element.
func ParseText(c Codec, z any, text string) error {
	for i := range len(text) {
		if !isDigit(text[i], c.TextBase()) {
			return syntax(c.TextBase(), text)
		}
	}
	if text == "" {
		return syntax(c.TextBase(), text)
	}
	return c.SetText(z, []byte(text))
}

func (x *vector) readText() error {
	s := &x.s
	sc := scanner{
		r: bufio.NewReaderSize(s.Reader, bufferSize), line: 1, limit: maxDigits(x.c.Size()), base: x.c.TextBase(),
	}
	for ; ; x.n++ {
		err := sc.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
		fail := func(format string, args ...any) error {
			return fmt.Errorf("%s:%d:%d: element %d: "+format,
				append([]any{s.Name, sc.tokenLine, sc.tokenColumn, x.n}, args...)...)
		}
		if s.Len > 0 && x.n == s.Len {
			return fail("%w: the file goes on, want %d elements", field.ErrLength, s.Len)
		}
		if !sc.digits {
			return fail("%w", syntax(sc.base, sc.shown()))
		}
		if sc.zeros > mostZeros {
			return fail("%w: it starts with more than %d zeros", field.ErrRange, mostZeros)
		}
		if sc.long {
			return fail("%w: %q, want at most %d digits", field.ErrRange, sc.shown(), sc.limit)
		}
		e, err := x.next()
		if err == nil {
			err = x.c.SetText(e, sc.token)
		}
		if err != nil {
			return fail("%w", err)
		}
	}
	if x.n < s.Len {
		return fmt.Errorf("%s:%d:%d: %w: the file ends after %d elements, want %d", s.Name, sc.line, sc.column+1,
			field.ErrLength, x.n, s.Len)
	}
	return nil
}

// maxDigits is the number of digits that any element of size bytes fits in, from base 10 on: 3 > log₁₀ 256.
func maxDigits(size int) int { return 3 * size }

// scanner splits text into tokens.
type scanner struct {
	r            *bufio.Reader
	line, column int // of the last byte read
	limit        int // digits kept of a token
	base         int // of digits

	token                  []byte // without leading zeros; one more than limit bytes where long
	digits, long           bool
	zeros                  int // left out so far
	tokenLine, tokenColumn int
}

// shown is the token for a message.
func (s *scanner) shown() []byte { return s.token[:min(len(s.token), 32)] }

// mostZeros bounds the zeros that a token starts with, and limit the rest of it, so that none is read for ever.
const mostZeros = 1 << 10

// next reads one token, or returns io.EOF when there is none. One that is long is not read to its end.
func (s *scanner) next() error {
	s.token, s.digits, s.long, s.zeros = s.token[:0], true, false, 0
	inside, comment := false, false
	for {
		b, err := s.r.ReadByte()
		if err == io.EOF && inside {
			return nil
		}
		if err != nil {
			return err
		}
		s.column++
		switch {
		case b == '\n':
			s.line, s.column, comment = s.line+1, 0, false
			if inside {
				return nil
			}
		case comment:
		case b == '#':
			if inside {
				s.column--
				return s.r.UnreadByte()
			}
			comment = true
		case b == ' ' || b == '\t' || b == '\r' || b == '\v' || b == '\f':
			if inside {
				return nil
			}
		default:
			if !inside {
				inside, s.tokenLine, s.tokenColumn = true, s.line, s.column
			}
			if s.add(b); s.long || s.zeros > mostZeros {
				return nil
			}
		}
	}
}

func (s *scanner) add(b byte) {
	if !isDigit(b, s.base) {
		s.digits = false
	}
	if len(s.token) == 1 && s.token[0] == '0' && s.digits {
		s.token = s.token[:0]
		s.zeros++
	}
	s.long = len(s.token) >= s.limit
	if len(s.token) <= s.limit {
		s.token = append(s.token, b)
	}
}

func (x *vector) readBinary() error {
	s, size := &x.s, x.c.Size()
	r := bufio.NewReaderSize(s.Reader, bufferSize)
	b := make([]byte, size)
	for ; ; x.n++ {
		at := int64(x.n) * int64(size)
		n, err := io.ReadFull(r, b)
		switch {
		case err == io.EOF && x.n < s.Len:
			return fmt.Errorf("%s: byte %d: %w: the file ends after %d elements, want %d", s.Name, at,
				field.ErrLength, x.n, s.Len)
		case err == io.EOF:
			return nil
		case err == io.ErrUnexpectedEOF:
			return fmt.Errorf("%s: byte %d: element %d: %w: the file ends after %d of its %d bytes", s.Name, at,
				x.n, field.ErrLength, n, size)
		case err != nil:
			return fmt.Errorf("%s: byte %d: %w", s.Name, at+int64(n), err)
		case s.Len > 0 && x.n == s.Len:
			return fmt.Errorf("%s: byte %d: element %d: %w: the file goes on, want %d elements", s.Name, at,
				x.n, field.ErrLength, s.Len)
		}
		e, err := x.next()
		if err == nil {
			err = x.c.SetBytes(e, b)
		}
		if err != nil {
			return fmt.Errorf("%s: byte %d: element %d: %w", s.Name, at, x.n, err)
		}
	}
}
