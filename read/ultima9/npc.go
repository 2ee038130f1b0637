package ultima9

import (
	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
)

// NPCs reads slot 0 of npc.flx (reference section 11.1). A length that is no multiple of a record is ErrMismatch.
func NPCs(b []byte, d *schema.Diagnostics) (*ultima9.NPCs, error) {
	c := read.NewCursor("u9-npc", b, d)
	if len(b)%ultima9.NPCSize != 0 {
		c.Failf(schema.ErrMismatch, "records", "%d bytes are no whole number of %d-byte records", len(b), ultima9.NPCSize)
	}
	x := &ultima9.NPCs{Records: make([]ultima9.NPC, len(b)/ultima9.NPCSize)}
	for i := range x.Records {
		c.Enter("npc", i)
		npc(c, &x.Records[i])
		c.Leave()
	}
	return done(x, c)
}

func npc(c *read.Cursor, x *ultima9.NPC) {
	x.Handle = c.U32("handle")
	x.Name = fixedText(c, ultima9.NPCNameSize, "name")
	x.Gender = c.U8("gender")
	x.MagicTier = c.U8("magic tier")
	x.Armour = c.U8("armour")
	x.ArmourModifier = c.U8("armour modifier")
	x.Might = c.I32("might")
	x.Agility = c.I32("agility")
	x.Intellect = c.I32("intellect")
	x.Health = c.U16("health")
	x.HealthMax = c.U16("health maximum")
	x.HealthBase = c.U16("health base")
	x.Mana = c.U16("mana")
	x.ManaMax = c.U16("mana maximum")
	x.ManaBase = c.U16("mana base")
	copy(x.Unknown040[:], c.Bytes(4, "unknown 040"))
	x.CombatBehaviour = c.I32("combat behaviour")
	x.State = c.U32("state")
	x.Routine = c.U16("routine")
	x.FallbackRoutine = c.U16("fallback routine")
	x.RoutineArgument = c.U16("routine argument")
	x.MagicResist = c.U8("magic resist")
	x.RoutineWorkers = c.U8("routine workers")
	x.Awareness = c.U16("awareness")
	x.AwarenessArc = c.U8("awareness arc")
	x.AwarenessGuaranteed = c.U8("guaranteed")
	x.Region = c.I32("region")
	x.X = c.I32("x")
	x.Y = c.I32("y")
	x.Z = c.I16("z")
	copy(x.Pad066[:], c.Bytes(2, "pad 066"))
	x.StackDepth = c.U8("stack depth")
	x.StackStep = c.U8("stack step")
	x.StackArgument = c.U16("stack argument")
	copy(x.Scale[:], c.Elements(3, 1, schema.LayoutU8, "scale"))
	x.Unknown06F = c.U8("unknown 06F")
	for i := range x.Equipped {
		x.Equipped[i] = c.U32("equipped")
	}
	for i := range x.Models {
		x.Models[i] = c.I32("models")
	}
	x.WeaponCategory = c.I32("weapon category")
	x.InvulnerabilityTime = c.U32("invulnerability time")
	x.Movement = c.I32("movement")
	x.Breath = c.U16("breath")
	x.BreathMax = c.U16("breath maximum")
	x.BreathBase = c.U16("breath base")
	copy(x.Unknown0BA[:], c.Bytes(10, "unknown 0BA"))
	x.Traits = c.U32("traits")
	x.ImpactMaterial = c.I32("impact material")
	copy(x.Unknown0CC[:], c.Bytes(20, "unknown 0CC"))
	x.Unknown0E0 = c.U16("unknown 0E0")
	x.ProximityEnter = c.U16("proximity enter")
	x.ProximityExit = c.U16("proximity exit")
	x.QueuedArgument = c.U16("queued argument")
	x.RouteSearches = c.I32("route searches")
	x.RoutineEnd = c.U16("routine end")
	x.RoutineStart = c.U16("routine start")
	x.Duration0F0 = c.I32("duration 0F0")
	x.Duration0F4 = c.U32("duration 0F4")
	x.QueuedRoutine = c.I32("queued routine")
	copy(x.Unknown0FC[:], c.Bytes(20, "unknown 0FC"))
	copy(x.RoutineStack[:], c.Elements(8, 1, schema.LayoutU8, "routine stack"))
	copy(x.Spellbook[:], c.Elements(ultima9.NPCSpellBytes, 1, schema.LayoutU8, "spellbook"))
	for i := range x.WeaponSkills {
		x.WeaponSkills[i] = c.I32("weapon skills")
	}
	copy(x.Unknown138[:], c.Bytes(4, "unknown 138"))
}

// done returns x, or nil when the cursor has failed.
func done[T any](x *T, c *read.Cursor) (*T, error) {
	if err := c.Err(); err != nil {
		return nil, err
	}
	return x, nil
}
