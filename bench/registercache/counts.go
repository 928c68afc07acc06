package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

// counted is what Nsight Compute counts for a launch: instructions are those of all warps.
type counted struct {
	Loads     int `json:"loads"`     // of shared memory
	Stores    int `json:"stores"`    // to it
	Waves     int `json:"waves"`     // of both by banks, and of shuffles
	Local     int `json:"local"`     // loads of what was spilled
	Sectors   int `json:"sectors"`   // of 32 bytes that loads take of global memory
	Registers int `json:"registers"` // of a thread
	Shared    int `json:"shared"`    // bytes of a block, by the launch
	Blocks    int `json:"blocks"`
}

// metrics are those of card.sh, and where they go.
func (c *counted) metrics() map[string]*int {
	return map[string]*int{
		"smsp__inst_executed_op_shared_ld.sum":           &c.Loads,
		"smsp__inst_executed_op_shared_st.sum":           &c.Stores,
		"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum": &c.Waves,
		"smsp__inst_executed_op_local_ld.sum":            &c.Local,
		"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum": &c.Sectors,
		"launch__registers_per_thread":                   &c.Registers,
		"launch__shared_mem_per_block_dynamic":           &c.Shared,
		"launch__grid_size":                              &c.Blocks,
	}
}

// counts reads what Nsight Compute printed of runs with -time 0s, among the lines of these runs, and writes lines of
// experiment counts. A line there has two launches, one that is compared with the processor and one that is timed:
// the second one counts.
func counts(w io.Writer, name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	lines, launches, err := profiled(text)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	out := json.NewEncoder(w)
	for _, l := range lines {
		if l.Kernel == "" { // of a program that did not say it
			l.Kernel = "ring_" + l.Form
			if len(launches[l.Kernel]) == 0 {
				l.Kernel += fmt.Sprint("_", l.Bits)
			}
		}
		all := launches[l.Kernel]
		if len(all) < 2 {
			continue // was not asked for
		}
		launches[l.Kernel] = all[2:]
		l.Experiment, l.Counted = "counts", all[1]
		l.Ms, l.Gops = 0, 0
		if err := out.Encode(l); err != nil {
			return err
		}
	}
	return nil
}

// profiled takes lines and launches by their kernels apart.
func profiled(text []byte) (lines []line, launches map[string][]counted, err error) {
	var table bytes.Buffer
	for one := range bytes.Lines(text) {
		switch {
		case bytes.HasPrefix(one, []byte("{")):
			var l line
			if err := json.Unmarshal(one, &l); err != nil {
				return nil, nil, err
			}
			lines = append(lines, l)
		case bytes.HasPrefix(one, []byte(`"`)):
			table.Write(one)
		}
	}
	r := csv.NewReader(&table)
	r.FieldsPerRecord = -1 // each run has columns of its own
	rows, err := r.ReadAll()
	launches = map[string][]counted{}
	var head []string
	for _, row := range rows {
		switch {
		case row[0] == "ID":
			head = row
		case row[0] != "" && len(row) == len(head):
			kernel, c, e := launch(head, row)
			if err == nil {
				err = e
			}
			launches[kernel] = append(launches[kernel], c)
		}
	}
	return lines, launches, err
}

func launch(head, row []string) (kernel string, c counted, err error) {
	to := c.metrics()
	for i, name := range head {
		if name == "Kernel Name" {
			kernel = row[i]
		}
		if at := to[name]; at != nil {
			v, e := strconv.ParseFloat(strings.ReplaceAll(row[i], ",", ""), 64)
			if *at = int(v); e != nil {
				err = e
			}
		}
	}
	return kernel, c, err
}
