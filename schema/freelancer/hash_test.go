package freelancer

import "testing"

func TestFLCRC(t *testing.T) {
	if flcrcTable[1] != 0x09073096 || flcrcTable[2] != 0x120E612C || flcrcTable[4] != 0xFF6DC419 {
		t.Errorf("table: %08x %08x %08x", flcrcTable[1], flcrcTable[2], flcrcTable[4])
	}
	for _, c := range []struct {
		name          string
		folded, exact uint32
	}{
		{"", 0, 0},
		{"interface.generic-2.vms", 0xE296602F, 0xE296602F},
		{"Interface.Generic-2.VMS", 0xE296602F, 0},
		{"BasicApp_Alpha", 0, 0x04FC9016},
		{"Emitter_Frequency", 0, 0x023C350C},
		{"AirField_Approach", 0, 0x10423CEB},
		{"Node_Name", 0xEC454D7F, 0xEFA8CE01},
	} {
		if got := FLCRC(c.name); c.folded != 0 && got != c.folded {
			t.Errorf("FLCRC(%q) = %08x, want %08x", c.name, got, c.folded)
		}
		if got := FLCRCExact(c.name); c.exact != 0 && got != c.exact {
			t.Errorf("FLCRCExact(%q) = %08x, want %08x", c.name, got, c.exact)
		}
	}
	if FLCRC("") != 0 {
		t.Errorf("the empty name has %08x, want 0", FLCRC(""))
	}
}

func TestCreateID(t *testing.T) {
	if idTable[1] != 0x00500080 {
		t.Errorf("table entry 1 is %08x", idTable[1])
	}
	for name, want := range map[string]uint32{
		"DX_M01_0330_LPU_BETA_LEADER": 0x817584C9, "dx_m01_0330_lpu_beta_leader": 0x817584C9, "li01": 0x83A78E4F,
	} {
		if got := CreateID(name); got != want {
			t.Errorf("CreateID(%q) = %08x, want %08x", name, got, want)
		}
	}
}

func TestDOSTime(t *testing.T) {
	got := DOSTime(0x86914F45).Time()
	if s := got.Format("2006-01-02 15:04:05"); s != "2019-10-05 16:52:34" {
		t.Errorf("86914F45h is %s", s)
	}
	if NewDOSTime(got) != 0x86914F45 {
		t.Errorf("%s is %08x", got, uint32(NewDOSTime(got)))
	}
	if !DOSTime(0).Time().IsZero() {
		t.Error("0 is not the zero time")
	}
}

func TestNodes(t *testing.T) {
	root := NewDir(`\`, NewDir("VMeshLibrary", NewDir("ship.vms", NewLeaf("VMeshData", []byte{1}))), NewLeaf("x", nil))
	if n := root.Find("vmeshlibrary/SHIP.vms/VMeshData"); n == nil || n.Data[0] != 1 {
		t.Error("a path must be found without regard to case")
	}
	if root.Find("VMeshLibrary/none/VMeshData") != nil || root.Find("") != root {
		t.Error("missing path found, or the empty path is not the node itself")
	}
	if root.Dir("vmeshLIBRARY") != root.Children[0] || root.Set("X", []byte{2}) != root.Children[1] {
		t.Error("Dir and Set must take what is there")
	}
	if !root.Remove(root.Children[0]) || len(root.Children) != 1 || root.Remove(NewDir("")) {
		t.Error("Remove")
	}
}
