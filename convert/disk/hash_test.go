package disk

import (
	"fmt"
	"testing"

	"github.com/cespare/xxhash/v2"
)

// The sums are the published ones of XXH64 with seed 0.
func TestHashText(t *testing.T) {
	for content, want := range map[string]string{
		"":    "xxhash64:ef46db3751d8e999",
		"a":   "xxhash64:d24ec4f1a98c6e5b",
		"abc": "xxhash64:44bc2cf5ad770999",
	} {
		if got := HashText(xxhash.Sum64String(content)); got != want {
			t.Errorf("%q: %s, want %s", content, got, want)
		}
	}
}

func TestHashTextsDiffer(t *testing.T) {
	seen := map[string]int{}
	for i := range 10_000 {
		text := HashText(xxhash.Sum64String(fmt.Sprint(i)))
		if before, again := seen[text]; again {
			t.Fatalf("%d and %d have the hash %s", before, i, text)
		}
		seen[text] = i
	}
}

// TestCompareHashes has texts as all versions wrote them. The weak ones were written by the version that had them, for
// files whose sums are known.
func TestCompareHashes(t *testing.T) {
	for _, c := range []struct {
		name, stored, now string
		want              Verdict
	}{
		{"the same", "xxhash64:ef46db3751d8e999", "xxhash64:ef46db3751d8e999", Same},
		{"another", "xxhash64:ef46db3751d8e999", "xxhash64:ef46db3751d8e99a", Different},
		{"old, whole, the same", "xxh64:ef46db3751d8e999", "xxhash64:ef46db3751d8e999", Same},
		{"old, whole, another", "xxh64:ef46db3751d8e999", "xxhash64:ef46db3751d8e99a", Different},
		{"weak, maybe the same", "xxh64:ef66363633363336", "xxhash64:ef46db3751d8e999", Unknown},
		{"weak, another with the same first byte", "xxh64:ef66363633363336", "xxhash64:ef00000000000000", Unknown},
		{"weak, another", "xxh64:ef66363633363336", "xxhash64:ee46db3751d8e999", Different},
		{"weak, as a file had it", "xxh64:a131333133333331", "xxhash64:a1b2c3d4e5f60718", Unknown},
		{"new, though it looks weak", "xxhash64:a131333133333331", "xxhash64:a1b2c3d4e5f60718", Different},
		{"none", "", "xxhash64:ef46db3751d8e999", Different},
		{"no file, as it was", "", "", Same},
		{"a file that is gone", "xxhash64:ef46db3751d8e999", "", Different},
		{"a weak one of a file that is gone", "xxh64:ef66363633363336", "", Different},
		{"something else", "md5:ef46db3751d8e999", "xxhash64:ef46db3751d8e999", Different},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := CompareHashes(c.stored, c.now); got != c.want {
				t.Errorf("%d, want %d", got, c.want)
			}
		})
	}
}
