package device

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"

	"github.com/galfft/fft/internal/device/driver"
)

// CacheVariable is the environment variable with the directory of a cache of compiled kernels, which need not be there,
// or with "off". Without it there is one in the user's directory of caches, where the driver has no cache of its own.
const CacheVariable = "GALFFT_CUDA_CACHE"

// cache is compiled kernels in files, each with its SHA-256 before it. A file is for one text, one version of the
// driver and one compute capability, which its name is the SHA-256 of. What cannot be read is compiled, what cannot be
// written is not kept, and nothing is ever removed.
type cache struct {
	dir string // "" is no cache
	of  string
}

func cacheOf(i Info) cache {
	c := cache{dir: os.Getenv(CacheVariable), of: fmt.Sprintf("CUDA %s, %d.%d\n", i.Driver, i.Major, i.Minor)}
	if c.dir == "" && !driverCaches() {
		if dir, err := os.UserCacheDir(); err == nil {
			c.dir = filepath.Join(dir, "galfft", "cuda")
		}
	}
	if c.dir == "off" {
		c.dir = ""
	}
	return c
}

// driverCaches reports whether the driver keeps what it compiles, as its own variables and its default say.
func driverCaches() bool {
	return os.Getenv("CUDA_CACHE_DISABLE") != "1" && cmp.Or(os.Getenv("CUDA_CACHE_PATH"), os.Getenv("HOME")) != ""
}

// load is what PTX is compiled to, by now or before. The driver compiles one text at a time where it loads them, and
// several where it links them, so that all are linked.
func (c cache) load(d *driver.Device, ptx string) (*driver.Module, error) {
	name := filepath.Join(c.dir, fmt.Sprintf("%x", sha256.Sum256([]byte(c.of+ptx))))
	if image, ok := c.kept(name); ok {
		if m, err := d.Load(image); err == nil {
			return m, nil
		}
	}
	image, err := d.Compile(ptx)
	if err != nil {
		return nil, err
	}
	m, err := d.Load(image)
	if err == nil {
		c.keep(name, image)
	}
	return m, err
}

// kept is what a file has, where all of it is there.
func (c cache) kept(name string) (image string, ok bool) {
	if c.dir == "" {
		return "", false
	}
	data, err := os.ReadFile(name)
	if err != nil || len(data) < sha256.Size {
		return "", false
	}
	sum, rest := [sha256.Size]byte(data), data[sha256.Size:]
	return string(rest), sum == sha256.Sum256(rest)
}

// keep writes a file, all of it or none: other processes may read it.
func (c cache) keep(name, image string) {
	if c.dir == "" || os.MkdirAll(c.dir, 0o700) != nil {
		return
	}
	f, err := os.CreateTemp(c.dir, "new-*")
	if err != nil {
		return
	}
	sum := sha256.Sum256([]byte(image))
	_, err = f.Write(append(sum[:], image...))
	if cmp.Or(err, f.Close()) != nil || os.Rename(f.Name(), name) != nil {
		_ = os.Remove(f.Name())
	}
}
