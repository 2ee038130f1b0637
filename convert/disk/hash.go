package disk

import (
	"fmt"
	"strings"
)

// Hashes in manifests, patches and batch records are text: a tag, and the 16 hexadecimal digits of the XXH64 of the
// content. An earlier tag was "xxh64:". Some hashes with this tag depend on the first byte of the sum only, so they have
// just 256 different values. They are recognised by their digits, and comparing with one has no result.
const (
	hashTag    = "xxhash64:"
	oldHashTag = "xxh64:"
)

// HashText returns a hash in the form of stamps.
func HashText(sum uint64) string { return fmt.Sprintf("%s%016x", hashTag, sum) }

// Verdict is the result of comparing hashes.
type Verdict int

// The verdicts. If it is Unknown, compare the bytes, or say so.
const (
	Different Verdict = iota
	Same
	Unknown
)

// CompareHashes compares a stored hash, by any version of usher, with the result of HashText.
func CompareHashes(stored, now string) Verdict {
	digits, old := strings.CutPrefix(stored, oldHashTag)
	if !old {
		return verdict(stored == now)
	}
	is := strings.TrimPrefix(now, hashTag)
	if !isWeak(digits) {
		return verdict(digits == is)
	}
	if weak, ok := weaken(is); !ok || weak != digits {
		return Different
	}
	return Unknown
}

func verdict(same bool) Verdict {
	if same {
		return Same
	}
	return Different
}

// isWeak reports whether the digits of an old hash are those that follow from its first byte.
func isWeak(digits string) bool {
	for first := range 256 {
		if weakDigits(byte(first)) == digits {
			return true
		}
	}
	return false
}

// weaken returns the weak digits of a sum of which all are given.
func weaken(digits string) (string, bool) {
	var first byte
	if _, err := fmt.Sscanf(digits, "%02x", &first); err != nil {
		return "", false
	}
	return weakDigits(first), true
}

// weakDigits returns the digits that were written for all sums with a first byte: they were encoded in place, and each
// digit that was written replaced a byte that was still to be read.
func weakDigits(first byte) string {
	const digits = "0123456789abcdef"
	text := [16]byte{first}
	for i := range len(text) / 2 {
		b := text[i]
		text[2*i], text[2*i+1] = digits[b>>4], digits[b&15]
	}
	return string(text[:])
}
