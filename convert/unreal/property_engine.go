package unreal

import (
	"slices"
	"strings"
)

// actorNames are the properties that a mapper sets in the classes of the engine that every level is made of.
var actorNames = strings.Fields(strings.Join([]string{
	// Actor
	`AmbientGlow AmbientSound AnimFrame AnimRate AnimSequence AttachTag bActorShadows bAlwaysRelevant bBlockActors
		bBlockPlayers bBounce bCanTeleport bCollideActors bCollideWhenPlacing bCollideWorld bCorona bDifficulty0 bDifficulty1
		bDifficulty2 bDifficulty3 bDirectional bEdShouldSnap bFilterByVolume bFixedRotationDir bForceStasis bGameRelevant
		bHidden bHiddenEd bHighDetail bIsItemGoal bIsKillGoal bIsSecretGoal bLensFlare bMeshCurvy bMeshEnviroMap bMovable bNet
		bNetOptional bNetSpecial bNetTemporary bNoDelete bNoSmooth bOnlyOwnerSee bOwnerNoSee bParticles bProjTarget
		bRandomFrame bRotateToDesired bShadowCast bSinglePlayer bSpecialLit bStasis bStatic bTravel bUnlit Buoyancy
		CollisionHeight CollisionRadius DesiredRotation DrawScale DrawType Event Fatness Group InitialState LifeSpan
		LightBrightness LightCone LightEffect LightHue LightPeriod LightPhase LightRadius LightSaturation LightType Location
		LODBias Mass Mesh MultiSkins NetPriority NetUpdateFrequency OddsOfAppearing Physics RemoteRole RenderIteratorClass
		Rotation RotationRate ScaleGlow Skin SoundPitch SoundRadius SoundVolume Sprite SpriteProjForward Style Tag Texture
		TransientSoundRadius TransientSoundVolume Velocity VisibilityHeight VisibilityRadius VolumeBrightness VolumeFog
		VolumeRadius`,
	// Brush
	`bColored Brush BrushColor CsgOper Level MainScale Name PolyFlags PostScale PrePivot Region`,
	// Mover
	`BasePos BaseRot bDamageTriggered bDynamicLightMover BrushRaytraceKey bSlave bTriggerOnceOnly BumpEvent BumpType
		bUseTriggered ClosedSound ClosingSound DamageThreshold DelayTime EncroachDamage KeyNum KeyPos KeyRot MoveAmbientSound
		MoverEncroachType MoverGlideType MoveTime NumKeys OpenedSound OpeningSound OtherTime PlayerBumpEvent ReturnGroup
		StayOpenTime WorldRaytraceKey`,
	// ZoneInfo
	`AmbientBrightness AmbientHue AmbientSaturation bBounceVelocity bDestructive bFogZone bGravityZone bKillZone
		bMoveProjectiles bNeutralZone bNoInventory bPainZone bRaytraceReverb bReverbZone bWaterZone CutoffHz DamagePerSec
		DamageString DamageType Delay EntryActor EntrySound EnvironmentMap ExitActor ExitSound FogColor FogDistance Gain
		LensFlare LensFlareOffset LensFlareScale MasterGain MaxCarcasses MaxLightCount MaxLightingPolyCount MinLightCount
		MinLightingPolyCount SpeedOfSound TexUPanSpeed TexVPanSpeed ViewFlash ViewFog ZoneFluidFriction ZoneGravity
		ZoneGroundFriction ZoneName ZonePlayerEvent ZoneTag ZoneTerminalVelocity ZoneVelocity`,
	// LevelInfo
	`Author bCheckWalkSurfaces bHumansOnly bLonePlayer bNeverPrecache Brightness CdTrack DefaultGameType IdealPlayerCount
		LevelEnterText LocalizedPkg PlayerDoppler RecommendedEnemies RecommendedTeammates Screenshot Song SongSection
		TimeDilation Title`,
	// NavigationPoint, PlayerStart
	`bCoopStart bEnabled bNeverUseStrafing bOneWayPath bPlayerOnly bSinglePlayerStart ExtraCost ownerTeam TeamNumber`,
	// Trigger
	`bInitiallyActive ClassProximityType Message RepeatTriggerTime ReTriggerDelay TriggerType`,
}, " "))

// engineNames are properties of the engine's own classes: those of actors, and those of textures. The class itself need
// not be at hand.
var engineNames = slices.Concat(actorNames, derived, []string{"AnimNext", "DetailTexture", "MacroTexture", "BumpMap", "Diffuse", "Specular", "Alpha",
	"Scale", "Friction", "MaxFrameRate", "MinFrameRate", "PrimeCount", "FootstepSound", "HitSound", "bTransparent", "bHighColorQuality"})
