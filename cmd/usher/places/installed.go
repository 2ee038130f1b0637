package places

import "path/filepath"

// installed returns the folders of a drive that programs are installed in, the drive itself among them.
func installed(drive string) []string {
	list := []string{drive}
	for _, dir := range []string{"Program Files", "Program Files (x86)"} {
		list = append(list, filepath.Join(drive, dir), filepath.Join(drive, dir, "Microsoft Games"), filepath.Join(drive, dir, "GOG Galaxy", "Games"))
	}
	return append(list, filepath.Join(drive, "Games"), filepath.Join(drive, "GOG Games"))
}
