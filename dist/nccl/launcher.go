package nccl

import (
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
)

// place is this process in a job, as variables of its launcher say.
type place struct {
	by         string
	rank, size int
	address    string // where rank 0 listens
}

// launched reads the variables of torchrun, or else of Slurm.
func launched() (place, error) {
	for _, names := range [][3]string{{"torchrun", "RANK", "WORLD_SIZE"}, {"Slurm", "SLURM_PROCID", "SLURM_NTASKS"}} {
		rank, size := os.Getenv(names[1]), os.Getenv(names[2])
		if rank == "" || size == "" {
			continue
		}
		p := place{by: names[0]}
		var err, bad error
		p.rank, err = strconv.Atoi(rank)
		p.size, bad = strconv.Atoi(size)
		if err != nil || bad != nil || p.rank < 0 || p.rank >= p.size {
			return p, fmt.Errorf("nccl: %w: %s=%q and %s=%q, want a rank and how many there are", ErrUnavailable,
				names[1], rank, names[2], size)
		}
		p.address, err = meetingPoint()
		return p, err
	}
	return place{}, fmt.Errorf("nccl: %w: want torchrun or srun to start this program: neither RANK and WORLD_SIZE nor "+
		"SLURM_PROCID and SLURM_NTASKS are set", ErrUnavailable)
}

// meetingPoint is where rank 0 listens: at the port of torchrun's, or the next one where its agent has that.
func meetingPoint() (string, error) {
	host, port := os.Getenv("MASTER_ADDR"), os.Getenv("MASTER_PORT")
	if host == "" {
		host = firstHost(os.Getenv("SLURM_JOB_NODELIST"))
	}
	if job := os.Getenv("SLURM_JOB_ID"); port == "" && job != "" {
		n, _ := strconv.Atoi(job)
		port = strconv.Itoa(20000 + n%20000)
	}
	n, err := strconv.Atoi(port)
	if host == "" || err != nil || n < 1 || n > 65534 {
		return "", fmt.Errorf("nccl: %w: MASTER_ADDR=%q and MASTER_PORT=%q, want where rank 0 listens", ErrUnavailable,
			host, port)
	}
	if os.Getenv("TORCHELASTIC_USE_AGENT_STORE") == "True" {
		n++
	}
	return net.JoinHostPort(host, strconv.Itoa(n)), nil
}

// firstHost is that of a list of Slurm's, such as "a[3-5,7],b".
func firstHost(list string) string {
	name, rest, ranged := strings.Cut(list, "[")
	if comma := strings.IndexByte(name, ','); comma >= 0 {
		return name[:comma]
	}
	if !ranged {
		return name
	}
	return name + rest[:max(0, strings.IndexAny(rest, "-,]"))]
}
