package format

// Finding is something that a game would stumble over: it is named where the game is told of it.
type Finding struct {
	Kind  *FindingKind
	File  GameFile
	Entry string   // where in the file, such as "[Ship] li_elite/LODranges"; empty for the file as a whole
	Line  int      // in a text, from 1; 0 for other files
	At    int      // grows from the beginning of the file to its end
	Name  string   // of what is missing
	Msg   string   // what is wrong, without the place
	About []string // paths of the other files that it is about
	Mend  *Mend    // nil where nothing certain can be done
}

// FindingKind is what findings of one kind have in common.
type FindingKind struct {
	Name  string // short, stable, kebab-case: "model-missing"
	Doubt bool   // it may be meant: the game lives with it
	Title string // one line for people
}

// FindingKinds are the kinds of findings of a game, in the order of their declarations.
type FindingKinds []*FindingKind

// Add declares a kind.
func (l *FindingKinds) Add(name, title string) *FindingKind {
	k := &FindingKind{Name: name, Title: title}
	*l = append(*l, k)
	return k
}

// AddDoubt declares a kind that the game lives with.
func (l *FindingKinds) AddDoubt(name, title string) *FindingKind {
	k := l.Add(name, title)
	k.Doubt = true
	return k
}

// Mend is what can be done about a finding without asking anybody.
type Mend struct {
	Words string // what is done, such as "the second one is taken out"
	// Apply returns the bytes of the finding's file with the mend. Several mends of one file come from its end to its
	// beginning, so that each finds its place where it was.
	Apply func(b []byte) ([]byte, error)
}
