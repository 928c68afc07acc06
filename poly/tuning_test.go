package poly

import "os"

// Tests do not depend on tuned values of whoever runs them: a file is read at the first plan.
func init() { os.Setenv("GALFFT_TUNE", "off") }
