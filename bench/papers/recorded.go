package main

import (
	"encoding/csv"
	"fmt"
	"math/bits"
	"os"
	"strconv"
	"strings"
)

// otherMachine heads columns of times that were recorded on another machine. They have no ratio.
const otherMachine = "recorded, other machine"

// place is where a recorded time belongs.
type place struct {
	field      string
	n, workers int
}

// recordedTimes are the least times of bench/peers/cpu.csv, in ns, of the specialised programs of both theses. The file
// is beside the program's source, not in it: recorded is its path from where this runs.
var recordedTimes map[place]float64

// recordedFields are the names of cpu.csv by the beginnings of its programs' names.
var recordedFields = map[string]map[string]string{
	"covanov-": {"29*2^57+1": "covanov"},
	"bpas-gfpf-": {"gfpf-r59.6-k4-239bit": "gfpf:k4", "gfpf-r59.3-k8-475bit": "gfpf:k8",
		"gfpf-r58.2-k16-931bit": "gfpf:k16", "gfpf-r58.2-k32-1862bit": "gfpf:k32"},
}

// readRecorded reads cpu.csv, from the directory of the module or of this package.
func readRecorded() error {
	var file *os.File
	var err error
	for _, name := range []string{"peers/cpu.csv", "../peers/cpu.csv"} {
		if file, err = os.Open(name); err == nil {
			break
		}
	}
	if err != nil {
		return fmt.Errorf("recorded times, from the directory bench: %w", err)
	}
	defer file.Close()
	lines, err := csv.NewReader(file).ReadAll()
	if err != nil {
		return err
	}
	recordedTimes = map[place]float64{}
	for _, l := range lines[1:] { // peer, field, log2n, threads, ns_median, ns_min
		for prefix, fields := range recordedFields {
			f, ok := fields[l[1]]
			if !ok || !strings.HasPrefix(l[0], prefix) {
				continue
			}
			log, errLog := strconv.Atoi(l[2])
			threads, errThreads := strconv.Atoi(l[3])
			ns, err := strconv.ParseFloat(l[5], 64)
			if err != nil || errLog != nil || errThreads != nil || log < 0 || log > bits.UintSize-2 {
				return fmt.Errorf("cpu.csv: %q", l)
			}
			p := place{f, 1 << log, threads}
			if was, ok := recordedTimes[p]; !ok || ns < was {
				recordedTimes[p] = ns
			}
		}
	}
	return nil
}

// recordedTime is the least one of a transform with so many threads.
func recordedTime(field string, n, workers int) (float64, bool) {
	ns, ok := recordedTimes[place{field, n, workers}]
	return ns, ok
}
