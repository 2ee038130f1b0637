//go:build 386 || arm || mips || mipsle

package schema

// Counts and offsets in files have 32 bits without a sign, and usher keeps them in an int. Where that has 32 bits, the
// upper half of them would be negative: rather no program than one that writes a file wrong.
var _ = usher_needs_a_64_bit_system_because_counts_and_offsets_of_files_do_not_fit_into_an_int_of_32_bits
