package arch

// rule says what a package may import, test files aside; the first rule that covers a package decides. For what
// comes from outside it says the converse: who may import it, and whether tests may.
type rule struct {
	of    string   // a package, or a tree of them as x/...
	may   []string // packages and trees
	tests bool     // of packages from outside: test files may
}

// ours is the architecture: field feeds the engine, the engine schemes, all of them the fields that plan their own
// transforms, and these the root, the applications and the command. Nothing below the root knows a concrete field.
var ours = []rule{
	{of: "field"},
	{of: "field/bulks", may: []string{"field", "internal/pointer"}},
	{of: "field/fieldtest", may: []string{"field", "field/bulks", "internal/testscale"}},
	{of: "field/bigprime", may: []string{
		"field/internal/...", "field/smallprime",
		"field", "field/bulks", "schemes", "kernels/...", "internal/factor", "internal/integer", "internal/par",
		"internal/memory", "internal/arith", "internal/residues"}},
	{of: "field/bigprime/gmp", may: []string{"field", "field/bulks", "field/bigprime", "field/gfpf", "schemes", "internal/arith"}},
	{of: "field/...", may: []string{
		"field/internal/...",
		"field", "field/bulks", "schemes", "kernels/...", "internal/factor", "internal/integer", "internal/par",
		"internal/memory", "internal/arith", "internal/residues"}},
	{of: "kernels/cuda"},
	{of: "kernels/...", may: []string{"internal/cpu", "internal/arith"}},
	{of: "gpu", may: []string{"field", "field/binary", "field/bulks", "field/smallprime", "schemes", "internal/engine/...", "internal/device",
		"internal/arith", "internal/memory", "internal/par", "internal/residues"}},
	{of: "internal/device/...", may: []string{"field", "field/bulks", "kernels/cuda", "internal/device/...", "internal/par"}},
	// The engine chooses, runs and fronts transforms; schemes are lists of phases over it.
	{of: "internal/engine/choice", may: []string{"field", "field/bulks", "internal/par"}},
	{of: "internal/engine/codelet", may: []string{"field/bulks", "internal/pointer"}},
	{of: "internal/engine", may: []string{"field", "field/bulks", "internal/engine/choice", "internal/par", "internal/memory"}},
	{of: "internal/engine/front", may: []string{"field", "field/bulks", "internal/engine/...", "internal/memory", "internal/pointer"}},
	{of: "schemes/schemetest", may: []string{"field", "field/bulks", "schemes/...", "internal/engine/choice", "internal/testscale"}},
	{of: "schemes/...", may: []string{"field", "field/bulks", "schemes/...", "internal/engine/..."}},
	{of: ".", may: []string{"field", "field/bulks", "schemes", "internal/cpu", "internal/explain", "internal/par", "internal/memory", "internal/tuning"}},
	// Fields, and rings over them, whose type of elements is hidden.
	{of: "internal/erased", may: []string{".", "field", "field/bulks", "schemes", "internal/explain", "internal/pointer"}},
	{of: "internal/rings", may: []string{"field", "field/bulks"}},
	{of: "tune", may: []string{".", "field", "field/bulks", "internal/cpu", "internal/erased", "internal/rings",
		"internal/tuning", "poly"}},
	{of: "poly", may: []string{".", "field", "field/bulks", "internal/engine/...", "internal/erased", "internal/par",
		"internal/memory", "internal/pointer", "internal/rings"}},
	{of: "crt", may: []string{".", "field/...", "kernels/...", "poly", "internal/engine/...", "internal/factor",
		"internal/par", "internal/memory", "internal/residues"}},
	{of: "intmul", may: []string{"field", "field/smallprime", "kernels/rns", "internal/arith", "internal/memory", "internal/par",
		"internal/residues"}},
	// Groups of goroutines and of processes: nothing else knows them but the command and examples.
	{of: "dist/mpi", may: []string{"dist", "field", "field/bulks"}},
	{of: "dist/nccl", may: []string{"dist", "field", "field/bulks", "gpu", "internal/device/..."}},
	{of: "dist", may: []string{".", "field", "field/bulks", "schemes/...", "internal/engine/...", "internal/erased"}},
	// Batches of integers compile no field, and their programs are static: a device comes by an interface.
	{of: "midint/literal", may: []string{"field", "internal/memory"}},
	{of: "midint", may: []string{"field", "kernels/batch", "internal/arith", "internal/memory", "internal/par"}},
	{of: "rs/shards", may: []string{"rs", "field", "internal/memory", "internal/par"}},
	{of: "rs/words", may: []string{".", "field", "poly", "rs"}},
	{of: "rs/...", may: []string{"rs", "field", "kernels/...", "internal/par"}},
	{of: "cmd/...", may: []string{".", "field/...", "poly", "crt", "dist/...", "gpu", "intmul", "midint", "rs/...", "tune", "internal/..."}},
	{of: "examples/...", may: []string{".", "field/...", "poly", "crt", "dist/...", "gpu", "intmul", "midint", "rs/...", "tune", "internal/memory"}},

	// Below the kernels and the schemes.
	{of: "internal/cpu"},
	{of: "internal/explain", may: []string{"field", "internal/cpu", "internal/tuning"}},
	{of: "internal/factor", may: []string{"internal/arith"}},
	{of: "internal/arith"},
	{of: "internal/residues", may: []string{"field", "field/bulks", "kernels/rns", "internal/arith", "internal/factor", "internal/memory",
		"internal/par"}},
	{of: "internal/integer"},
	{of: "internal/par"},
	{of: "internal/memory"},
	{of: "internal/pointer", may: []string{"internal/memory"}},
	{of: "internal/tuning", may: []string{"field", "field/bulks", "internal/cpu"}},
	// For tests.
	{of: "internal/emulator"},
	{of: "internal/measuring"},
	{of: "internal/nils"},
	{of: "internal/testscale"},
	{of: "internal/late", may: []string{".", "field", "field/bulks", "field/bigprime", "field/binary", "field/gfpf", "schemes", "poly",
		"crt", "intmul", "dist", "midint", "rs/...", "tune"}},
	{of: "internal/testfields", may: []string{"field", "field/bulks", "schemes"}},
	// Behind the command.
	{of: "internal/pin"},
	{of: "internal/benchjson", may: []string{"internal/cpu"}},
	{of: "internal/svg"},
	{of: "internal/plot", may: []string{"internal/benchjson", "internal/svg", "internal/verbs"}},
	{of: "internal/vecfile", may: []string{"field", "field/bulks"}},
	{of: "internal/verbs", may: []string{
		".", "field", "field/bulks", "dist", "gpu", "intmul", "midint", "internal/benchjson", "internal/cpu", "internal/devices",
		"internal/erased", "internal/explain", "internal/factor", "internal/memory", "internal/par", "internal/pin",
		"internal/rings", "internal/tuning", "internal/vecfile", "kernels/rate", "poly", "tune"}},
	{of: "internal/devices", may: []string{"field", "field/binary", "field/bulks", "gpu", "internal/device/..."}},
	{of: "internal/names", may: []string{"field/...", "internal/integer", "internal/verbs"}},
	// Behind the documents.
	{of: "internal/arch"},
	{of: "internal/readme", may: []string{"field", "field/bulks", "internal/benchjson", "internal/cpu", "internal/names",
		"internal/verbs"}},
}

// testOnly are packages of this module that only test files import.
var testOnly = []string{
	"field/fieldtest", "schemes/schemetest", "internal/testfields", "internal/nils", "internal/emulator", "internal/arch",
	"internal/late", "internal/device/foreign", "internal/readme",
}

// rooms are packages of this module that only few import, so that programs without a GPU stay static: say who.
var rooms = []rule{
	{of: "internal/device/...", may: []string{"internal/device/...", "gpu", "internal/devices", "dist/nccl"}},
	{of: "dist/mpi", may: []string{"cmd/...", "examples/..."}},
	{of: "dist/nccl", may: []string{"cmd/...", "examples/..."}},
}

// outside lists what this module uses of others.
var outside = []rule{
	{of: "github.com/stretchr/testify/...", tests: true},
	{of: "pgregory.net/rapid", tests: true},
	{of: "github.com/rogpeppe/go-internal/...", tests: true},
	{of: "github.com/spf13/cobra", may: []string{"cmd/..."}, tests: true},
	{of: "github.com/spf13/pflag", may: []string{"cmd/..."}, tests: true},
	{of: "golang.org/x/term", may: []string{"cmd/..."}, tests: true},
	{of: "golang.org/x/sys/cpu", may: []string{"internal/cpu"}, tests: true},
	{of: "golang.org/x/sys/unix", may: []string{"internal/pin"}, tests: true}, // users of the library do not compile it
	{of: "github.com/ebitengine/purego/...", may: []string{"internal/device/...", "dist/mpi", "dist/nccl"}},
	{of: "C", may: []string{"field/bigprime/gmp"}}, // cgo
	{of: "github.com/ncw/gmp", may: []string{"field/literal"}, tests: true},
}

// noExample are the packages without an Example that others can import, each with the reason.
var noExample = map[string]string{}
