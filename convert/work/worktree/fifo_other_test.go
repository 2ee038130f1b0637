//go:build !unix

package worktree_test

import "errors"

func makeFIFO(string) error { return errors.ErrUnsupported }
