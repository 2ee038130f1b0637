package unreal

// Music holds a whole module file: IT, S3M, XM or MOD (reference section 10).
type Music struct {
	Object
	FileType NameIndex // by custom the module's extension; not always true
	Data     []byte
}

// ModuleType returns the type of a module file, judging by its content: "it", "xm", "s3m", "mod", or "" if unknown.
func ModuleType(b []byte) string {
	has := func(at int, s string) bool { return len(b) >= at+len(s) && string(b[at:at+len(s)]) == s }
	switch {
	case has(0, "IMPM"):
		return "it"
	case has(0, "Extended Module: "):
		return "xm"
	case has(44, "SCRM"):
		return "s3m"
	case len(b) >= 1084 && isModTag(string(b[1080:1084])):
		return "mod"
	}
	return ""
}

func isModTag(tag string) bool {
	switch tag {
	case "M.K.", "M!K!", "M&K!", "N.T.", "FLT4", "FLT8", "OCTA", "CD81", "EXO4", "EXO8":
		return true
	}
	digit := func(c byte) bool { return c >= '0' && c <= '9' }
	return digit(tag[0]) && (tag[1:] == "CHN" || digit(tag[1]) && (tag[2:] == "CH" || tag[2:] == "CN")) || tag[:3] == "TDZ" && digit(tag[3])
}
