package ultima9

import (
	"fmt"
	"strings"

	"github.com/usher-assets/usher/convert/format"
)

// Partners implements format.Partnered: textures have sizes in an sdInfo archive, and spoken lines hashes in text.dat.
func (f *flxFile) Partners() []string {
	if len(f.archive.Edited()) == 0 {
		return nil
	}
	switch {
	case f.leaf == &textureFormat && partnerName(f.name) != "":
		return []string{partnerName(f.name)}
	case f.leaf == &textRecordFormat && strings.HasPrefix(strings.ToLower(f.name), "text."):
		return []string{textTableFile}
	}
	return nil
}

// UpdatePartner implements format.Partnered.
func (f *flxFile) UpdatePartner(name string, partner format.ArchiveFile) ([]string, error) {
	switch name {
	case partnerName(f.name):
		return f.updateInfos(partner)
	case textTableFile:
		return f.updateHashes(partner)
	}
	return nil, fmt.Errorf("%s has nothing to do with %s", name, f.name)
}
