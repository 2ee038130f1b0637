package ultima9

import (
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/write"
)

// NPCs writes slot 0 of npc.flx (reference section 11.1).
func NPCs(x *ultima9.NPCs) ([]byte, error) {
	w := write.NewBuffer("u9-npc", len(x.Records)*ultima9.NPCSize)
	for i := range x.Records {
		npc(w, &x.Records[i])
	}
	return w.Finish()
}

func npc(w *write.Buffer, x *ultima9.NPC) {
	w.U32(x.Handle)
	fixedText(w, x.Name, ultima9.NPCNameSize, "name")
	w.U8(x.Gender)
	w.U8(x.MagicTier)
	w.U8(x.Armour)
	w.U8(x.ArmourModifier)
	w.I32(x.Might)
	w.I32(x.Agility)
	w.I32(x.Intellect)
	w.U16(x.Health)
	w.U16(x.HealthMax)
	w.U16(x.HealthBase)
	w.U16(x.Mana)
	w.U16(x.ManaMax)
	w.U16(x.ManaBase)
	w.Bytes(x.Unknown040[:])
	w.I32(x.CombatBehaviour)
	w.U32(x.State)
	w.U16(x.Routine)
	w.U16(x.FallbackRoutine)
	w.U16(x.RoutineArgument)
	w.U8(x.MagicResist)
	w.U8(x.RoutineWorkers)
	w.U16(x.Awareness)
	w.U8(x.AwarenessArc)
	w.U8(x.AwarenessGuaranteed)
	w.I32(x.Region)
	w.I32(x.X)
	w.I32(x.Y)
	w.I16(x.Z)
	w.Bytes(x.Pad066[:])
	w.U8(x.StackDepth)
	w.U8(x.StackStep)
	w.U16(x.StackArgument)
	w.Bytes(x.Scale[:])
	w.U8(x.Unknown06F)
	for i := range x.Equipped {
		w.U32(x.Equipped[i])
	}
	for i := range x.Models {
		w.I32(x.Models[i])
	}
	w.I32(x.WeaponCategory)
	w.U32(x.InvulnerabilityTime)
	w.I32(x.Movement)
	w.U16(x.Breath)
	w.U16(x.BreathMax)
	w.U16(x.BreathBase)
	w.Bytes(x.Unknown0BA[:])
	w.U32(x.Traits)
	w.I32(x.ImpactMaterial)
	w.Bytes(x.Unknown0CC[:])
	w.U16(x.Unknown0E0)
	w.U16(x.ProximityEnter)
	w.U16(x.ProximityExit)
	w.U16(x.QueuedArgument)
	w.I32(x.RouteSearches)
	w.U16(x.RoutineEnd)
	w.U16(x.RoutineStart)
	w.I32(x.Duration0F0)
	w.U32(x.Duration0F4)
	w.I32(x.QueuedRoutine)
	w.Bytes(x.Unknown0FC[:])
	w.Bytes(x.RoutineStack[:])
	w.Bytes(x.Spellbook[:])
	for i := range x.WeaponSkills {
		w.I32(x.WeaponSkills[i])
	}
	w.Bytes(x.Unknown138[:])
}
