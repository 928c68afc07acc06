package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"
	"unsafe"

	"github.com/galfft/fft/internal/benchjson"
	"github.com/galfft/fft/internal/device"
	"github.com/galfft/fft/internal/device/driver"
)

// compressed is registercache.cu as PTX. kernels/cuda/_gen writes it.
//
//go:embed registercache.ptx.gz
var compressed []byte

// source is the PTX.
func source() (string, error) {
	r, err := gzip.NewReader(bytes.NewReader(compressed))
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(r)
	return string(text), err
}

// alone is the PTX of one kernel: a driver compiles all that it gets.
func alone(text, kernel string) (string, error) {
	const entry, end = "\n.visible .entry ", "\n}\n"
	head, _, _ := strings.Cut(text, entry)
	_, rest, ok := strings.Cut(text, entry+kernel+"(")
	body, _, more := strings.Cut(rest, end)
	if !ok || !more {
		return "", fmt.Errorf("no kernel %s", kernel)
	}
	return head + entry + kernel + "(" + body + end, nil
}

// line is one measurement.
type line struct {
	Experiment string  `json:"experiment"`
	Form       string  `json:"form"`
	Kernel     string  `json:"kernel,omitempty"`
	Bits       int     `json:"bits,omitempty"`    // of elements, or rows of polynomials
	K          int     `json:"k,omitempty"`       // of a stencil
	Outputs    int     `json:"outputs,omitempty"` // of a thread
	N          int     `json:"n"`                 // values or pairs
	Ms         float64 `json:"ms,omitempty"`
	Deviation  float64 `json:"deviation,omitempty"` // of the three runs, over their mean
	Gops       float64 `json:"gops,omitempty"`      // 10^9 values or products a second
	Global     int     `json:"global,omitempty"`    // words that a block of 256 threads reads
	Accesses   int     `json:"accesses,omitempty"`  // to words of shared memory, for 32 products
	Shuffles   int     `json:"shuffles,omitempty"`  // of a warp, for 32 outputs or products
	Own        int     `json:"own,omitempty"`       // reads of a warp's own registers
	Reads      int     `json:"reads,omitempty"`     // of words by all lanes, for which these stand
	Conflicts  int     `json:"conflicts"`
	Slots      int     `json:"slots,omitempty"`   // registers of a lane that have inputs
	Selects    int     `json:"selects,omitempty"` // publishes that choose a register by the lane
	Threads    int     `json:"threads,omitempty"` // of a block, or of the processor
	Peer       bool    `json:"peer,omitempty"`    // another library's
	Samples    int     `json:"samples,omitempty"` // runs: of three and more the best and the worst are dropped
	Registers  int     `json:"registers,omitempty"`
	Spilled    int     `json:"spilled"`          // bytes of a thread
	Shared     int     `json:"shared,omitempty"` // bytes of a block
	Counted    counted `json:"counted,omitzero"` // by Nsight Compute
	Why        string  `json:"why,omitempty"`    // something is missing
	Occupancy  float64 `json:"occupancy,omitempty"`
	Device     string  `json:"device,omitempty"` // of experiments that need one
	Driver     string  `json:"driver,omitempty"`
	CPU        string  `json:"cpu"`
	Commit     string  `json:"commit"`
	Date       string  `json:"date"`
}

// session is a run on a device.
type session struct {
	budget                      time.Duration
	values, most, bits, checked int
	points                      int
	long                        time.Duration // from which a run on the processor is the only one
	limit                       time.Duration // of the session, 0 for none
	begin                       time.Time
	others                      []peer
	experiment                  string

	w          io.Writer
	common     line
	d          *device.Device
	text       string
	modules    []*driver.Module
	functions  map[string]*device.Function
	start, end *driver.Event
	running    []*process // of others, nil before their first products
}

// open begins a run, with the device where one is needed.
func (s *session) open(w io.Writer, commit string, card bool) (err error) {
	s.w, s.functions, s.begin = w, map[string]*device.Function{}, time.Now()
	s.common = line{CPU: benchjson.CPU(), Commit: commit, Date: time.Now().Format(time.DateOnly)}
	if !card {
		return nil
	}
	if s.text, err = source(); err != nil {
		return err
	}
	if s.d, err = device.Open(0); err != nil {
		return err
	}
	if s.start, err = s.d.Driver().NewTimer(); err != nil {
		return err
	}
	if s.end, err = s.d.Driver().NewTimer(); err != nil {
		return err
	}
	info := s.d.Info()
	s.common.Device, s.common.Driver = info.Name, info.Driver
	return nil
}

func (s *session) close() (err error) {
	for _, p := range s.running {
		if p != nil {
			err = cmp.Or(err, p.close())
		}
	}
	if s.d == nil {
		return err
	}
	err = cmp.Or(err, s.start.Close(), s.end.Close(), s.d.Stream().Wait())
	for _, m := range s.modules {
		err = cmp.Or(err, m.Close())
	}
	return cmp.Or(err, s.d.Close())
}

// kernel is one of registercache.cu, and the shape of its blocks.
type kernel struct {
	name                  string
	grid, threads, shared int
}

// call is a launch.
type call func() error

func (s *session) launch(k kernel, args ...uint64) (call, error) {
	f := s.functions[k.name]
	if f == nil {
		text, err := alone(s.text, k.name)
		if err != nil {
			return nil, err
		}
		// Not by the driver's linker, which compiles side by side: what it makes of some needs three times as many
		// registers, and takes 1.4 times as long.
		m, err := s.d.Driver().Load(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", k.name, err)
		}
		s.modules = append(s.modules, m)
		loaded, err := m.Function(k.name)
		if err != nil {
			return nil, err
		}
		f = device.Loaded(loaded)
		s.functions[k.name] = f
	}
	return func() error { return s.d.Launch(s.d.Stream(), f, [2]int{k.grid, 1}, k.threads, k.shared, args...) }, nil
}

// steps are parts of an experiment in turn, which cost so much beside each other. What would not end in the session's
// time, by what the part before took, is left out and listed.
func steps[T any](s *session, list []T, cost func(x T) float64, do func(x T) error) error {
	each := 0.0
	for _, x := range list {
		begin := time.Now()
		if s.limit > 0 && begin.Sub(s.begin).Seconds()+each*cost(x) > s.limit.Seconds() {
			return s.missing(fmt.Sprintf("from %v on", x), fmt.Sprintf("did not fit into the %v of its program", s.limit))
		}
		if err := do(x); err != nil {
			return err
		}
		each = time.Since(begin).Seconds() / cost(x)
	}
	return nil
}

// alike are parts that cost the same.
func alike(int) float64 { return 1 }

// missing prints what of an experiment is not there, and why.
func (s *session) missing(what, why string) error {
	return s.print(line{Experiment: "missing", Form: s.experiment + ", " + what, Why: why})
}

// runs are those of a measurement, of which the best and the worst are dropped. Of such that take long and are near to
// each other three are enough.
const (
	runs, fewRuns = 5, 3
	longRun       = 100 // ms
	near          = .01
)

// enough reports whether a measurement has its runs, in ms.
func enough(list []float64) bool {
	return len(list) >= runs ||
		len(list) == fewRuns && slices.Min(list) > longRun && slices.Max(list) < (1+near)*slices.Min(list)
}

// spread is the mean of runs, without the best and the worst, and their standard deviation over it: of all three where
// one is left.
func spread(all []float64) (mean, deviation float64) {
	slices.Sort(all)
	list := all
	if len(list) > 2 {
		list = list[1 : len(list)-1]
	}
	for _, x := range list {
		mean += x / float64(len(list))
	}
	if len(list) == 1 {
		list = all
	}
	for _, x := range list {
		deviation += (x - mean) * (x - mean) / float64(len(list))
	}
	return mean, math.Sqrt(deviation) / mean
}

// measured sets the time of a call.
func (s *session) measured(l *line, c call) error {
	group := func(times int) (float64, error) {
		err := s.start.Record(s.d.Stream())
		for range times {
			err = cmp.Or(err, c())
		}
		if err = cmp.Or(err, s.end.Record(s.d.Stream()), s.d.Stream().Wait()); err != nil {
			return 0, err
		}
		ms, err := driver.Milliseconds(s.start, s.end)
		return ms / float64(times), err
	}
	once, err := group(1)
	if l.Ms, l.Deviation, l.Samples = once, 0, 1; err != nil || s.budget == 0 {
		return err
	}
	times := max(1, int(float64(s.budget.Milliseconds())/max(once, 1e-3)))
	var list []float64
	if once > 50 { // nothing is gained from a run before the others
		list = append(list, once)
	}
	for !enough(list) {
		ms, err := group(times)
		if err != nil {
			return err
		}
		list = append(list, ms)
	}
	l.took(list)
	return nil
}

// took sets what runs took.
func (l *line) took(list []float64) {
	l.Samples = len(list)
	l.Ms, l.Deviation = spread(list)
}

// report measures a call of k and prints the line.
func (s *session) report(l line, k kernel, c call) error {
	if err := s.measured(&l, c); err != nil {
		return err
	}
	u, err := s.functions[k.name].Use(k.threads, k.shared)
	if err != nil {
		return err
	}
	const most = 2048 // threads of a multiprocessor
	l.Kernel, l.Threads, l.Shared, l.Registers, l.Spilled = k.name, k.threads, k.shared, u.Registers, u.Local
	l.Occupancy = float64(u.Blocks*k.threads) / most
	return s.print(l)
}

func (s *session) print(l line) error {
	l.Experiment = cmp.Or(l.Experiment, s.experiment)
	if l.Ms > 0 && l.N > 0 {
		l.Gops = float64(l.N) / l.Ms / 1e6
	}
	c := s.common
	l.Device, l.Driver, l.CPU, l.Commit, l.Date = c.Device, c.Driver, c.CPU, c.Commit, c.Date
	text, err := json.Marshal(l)
	if err == nil {
		_, err = fmt.Fprintf(s.w, "%s\n", text)
	}
	return err
}

// put makes memory of words, which begin with x, and goes on with it over and over.
func (s *session) put(x []uint32, words int) (*device.Memory, error) {
	m, err := s.d.Make(4 * words)
	if err != nil {
		return nil, err
	}
	at := min(len(x), words)
	err = s.d.CopyIn(m.At, unsafe.Pointer(unsafe.SliceData(x)), 4*at)
	for at < words && err == nil {
		n := min(at, words-at)
		err = s.d.Stream().Copy(driver.Pointer(m.At+4*uint64(at)), driver.Pointer(m.At), 4*n)
		at += n
	}
	return m, err
}

// periodic compares words on the device with what they begin with, over and over: the beginning here, the rest there.
func (s *session) periodic(m *device.Memory, want []uint32, words int) error {
	got, err := s.get(m, min(words, len(want)))
	if err != nil {
		return err
	}
	for i, w := range got {
		if w != want[i] {
			return fmt.Errorf("word %d is %#x, want %#x", i, w, want[i])
		}
	}
	differs, err := s.put([]uint32{0}, 1)
	if err != nil {
		return err
	}
	c, err := s.launch(each("differs", words), differs.At, m.At, uint64(words), uint64(len(want)))
	if err != nil {
		return err
	}
	if err := c(); err != nil {
		return err
	}
	if got, err = s.get(differs, 1); err == nil && got[0] != 0 {
		err = fmt.Errorf("of %d words some are not those %d before", words, len(want))
	}
	return cmp.Or(err, differs.Release())
}

func (s *session) get(m *device.Memory, words int) ([]uint32, error) {
	x := make([]uint32, words)
	err := cmp.Or(s.d.Stream().Wait(), s.d.CopyOut(unsafe.Pointer(unsafe.SliceData(x)), m.At, 4*words))
	return x, err
}

func release(list ...*device.Memory) (err error) {
	for _, m := range list {
		err = cmp.Or(err, m.Release())
	}
	return err
}
