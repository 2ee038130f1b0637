package schema

import (
	"errors"
	"fmt"
)

// maxFaults bounds what is said of one file.
const maxFaults = 20

// Faults collects the faults of one file, so that a user sees all of them at once. The zero value is empty.
type Faults struct {
	list []error
	more int // beyond the bound
}

// Add appends an error; nil is ignored. If err is itself the result of [Faults.Err], its faults are appended one by one.
func (f *Faults) Add(err error) {
	joined, several := err.(joinedFaults)
	switch {
	case err == nil:
	case several:
		for _, e := range joined.list {
			f.Add(e)
		}
		f.more += joined.more
	case len(f.list) >= maxFaults:
		f.more++
	default:
		f.list = append(f.list, err)
	}
}

// Any reports whether there are faults.
func (f *Faults) Any() bool { return len(f.list) > 0 }

// List returns the faults. Beyond a bound they are only counted.
func (f *Faults) List() []error { return f.list }

// Err returns the faults as one error with a line for each, or nil if there are none.
func (f *Faults) Err() error {
	switch {
	case len(f.list) == 0:
		return nil
	case len(f.list) == 1 && f.more == 0:
		return f.list[0]
	}
	return joinedFaults{*f}
}

// joinedFaults are several faults as an error.
type joinedFaults struct{ Faults }

// Error implements error.
func (f joinedFaults) Error() string {
	text := errors.Join(f.list...).Error()
	if f.more > 0 {
		text += fmt.Sprintf("\nand %d more", f.more)
	}
	return text
}

// Unwrap returns the faults.
func (f joinedFaults) Unwrap() []error { return f.list }

// each returns the faults as another function makes them.
func (f joinedFaults) each(of func(error) error) error {
	out := Faults{more: f.more}
	for _, e := range f.list {
		out.Add(of(e))
	}
	return joinedFaults{out}
}
