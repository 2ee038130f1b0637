package ultima9

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/exchange/codepage"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/ultima9/beside"
	"github.com/usher-assets/usher/schema/ultima9"

	read "github.com/usher-assets/usher/read/ultima9"
	write "github.com/usher-assets/usher/write/ultima9"
)

// textTableFile leads from spoken lines to the slots of text.flx.
const textTableFile = "text.dat"

// updateHashes brings text.dat in line with edited lines (reference section 10.5): the item of a changed line goes to the
// end of its new bucket, that of a removed one goes. It keeps what it cannot tell, and says so.
func (f *flxFile) updateHashes(partner format.ArchiveFile) (changed []string, err error) {
	b, err := partner.Payload(0)
	if err != nil {
		return nil, err
	}
	t, err := read.TextTable(b, nil)
	if err != nil {
		return nil, err
	}
	page, err := beside.Page(f.env)
	if err != nil {
		return nil, err
	}
	h := hasher{f: f, table: t, page: page, items: map[uint32][]ultima9.TextItem{}}
	for _, bucket := range t.Buckets {
		for _, x := range bucket {
			h.items[x.Slot] = append(h.items[x.Slot], x)
		}
	}
	for _, slot := range f.archive.Edited() {
		h.follow(slot)
	}
	h.tell()
	now, err := write.TextTable(t)
	if err != nil || bytes.Equal(now, b) {
		return nil, err
	}
	return []string{partner.Entries()[0].Path}, partner.Replace(0, now)
}

// hasher moves the items of edited lines.
type hasher struct {
	f        *flxFile
	table    *ultima9.TextTable
	items    map[uint32][]ultima9.TextItem // by slot, before any edit
	speakers []string                      // nil until somebody asks
	states   map[uint32]int                // how many items a speaker has whose name is not known

	fresh, lone, lost []string // slots
	reason            error    // of the first that is lost
	page              *codepage.Page
}

// key returns a text as the bytes of a key in the code page have it: one character a byte. By default they are Latin-1.
func (h *hasher) key(text string) string {
	if h.page == nil {
		return text
	}
	b, err := h.page.Encode(text)
	if err != nil {
		return text // whoever makes the key says what is wrong
	}
	latin := make([]rune, len(b))
	for i, c := range b {
		latin[i] = rune(c)
	}
	return string(latin)
}

// textAt returns the line of a slot as it is stored, or as it is to be; ok is false when there is none.
func (h *hasher) textAt(slot int, edited bool) (text string, ok bool) {
	b, err := h.f.archive.Stored(slot)
	if edited {
		b, _ = h.f.archive.Edit(slot)
		err = nil
	}
	if err != nil || b == nil {
		return "", false
	}
	t, err := read.Text(b, nil)
	if err != nil {
		return "", false
	}
	return t.Text, true
}

func (h *hasher) follow(slot int) {
	was, ok := h.textAt(slot, false)
	is, stays := h.textAt(slot, true)
	name := fmt.Sprint(slot)
	if !ok {
		h.fresh = append(h.fresh, name)
		return
	}
	for _, item := range h.items[uint32(slot)] {
		if !stays {
			h.remove(item)
			continue
		}
		if was == is {
			continue
		}
		moved, known, err := h.table.Follow(item, h.key(was), h.key(is), h.names())
		switch {
		case err != nil:
			h.lost = append(h.lost, name)
			if h.reason == nil {
				h.reason = err
			}
			continue
		case !known && h.alone(item, was):
			h.lone = append(h.lone, name)
		}
		h.remove(item)
		h.table.Buckets[moved.Bucket] = append(h.table.Buckets[moved.Bucket], moved)
	}
}

func (h *hasher) remove(item ultima9.TextItem) {
	for i := range h.table.Buckets {
		if at := slices.Index(h.table.Buckets[i], item); at >= 0 {
			h.table.Buckets[i] = slices.Delete(slices.Clone(h.table.Buckets[i]), at, at+1)
			return
		}
	}
}

// names returns the names of those who speak: characters, and the user interface.
func (h *hasher) names() []string {
	if h.speakers != nil {
		return h.speakers
	}
	h.speakers = []string{"UI"}
	b, err := beside.Record(h.f.env, 0, "npc.flx", "runtime/npc.flx", "../runtime/npc.flx")
	if err != nil {
		return h.speakers
	}
	if npcs, err := read.NPCs(b, nil); err == nil {
		for i := range npcs.Records {
			if name := h.speaker(npcs.Records[i].Name.Text); name != "" && !slices.Contains(h.speakers, name) {
				h.speakers = append(h.speakers, name)
			}
		}
	}
	return h.speakers
}

// speaker returns the name of a character as keys have it.
func (h *hasher) speaker(name string) string { return h.key(h.page.Show(name)) }

// alone reports whether nobody known by another line says this one: its item may never have been right.
func (h *hasher) alone(item ultima9.TextItem, line string) bool {
	if h.states == nil {
		h.states = map[uint32]int{}
		for slot, items := range h.items {
			text, ok := h.textAt(int(slot), false)
			if !ok {
				continue
			}
			for _, x := range items {
				if s, err := h.table.Speaker(x, h.key(text)); err == nil {
					h.states[s]++
				}
			}
		}
	}
	s, err := h.table.Speaker(item, h.key(line))
	return err != nil || h.states[s] < 2
}

// tell says what did not follow.
func (h *hasher) tell() {
	d := h.f.env.Told()
	if h.fresh != nil {
		d.Warnf("text-hash", "", "%s has no item for new lines, since nobody tells who says them: slots %s", textTableFile, few(h.fresh))
	}
	if h.lone != nil {
		d.Notef("text-hash", "", "who says the lines of slots %s is not known: their items in %s follow from the ones they had", few(h.lone), textTableFile)
	}
	if h.lost != nil {
		d.Warnf("text-hash", "", "%s keeps the old items of slots %s: %v", textTableFile, few(h.lost), h.reason)
	}
}

// few returns the first of a list.
func few(list []string) string {
	const most = 8
	if len(list) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(list[:most], ", "), len(list)-most)
	}
	return strings.Join(list, ", ")
}
