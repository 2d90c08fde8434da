/** The model with which the server is compared: the requests that the rules allow to a device. */

const UNLOCK_MS = 12 * 3_600_000
const EXTEND_EVERY_MS = 10 * 60_000

export interface ModelProfile {
  isMain: boolean
  isKids: boolean
  pin: string | null
  /** Number of changes of the PIN. */
  pinVersion: number
}
export interface ModelDevice {
  actingId: string | null
  unlock: { profileId: string; pinVersion: number; untilMs: number } | null
}
/** Whether a request is allowed, and the profile that acts; null when no profile acts. */
type Outcome = { isAllowed: false } | { isAllowed: true; actingProfile: ModelProfile | null }
interface RequestRules {
  /** The request concerns this profile. The profile acts if no header names another profile. */
  pathId?: string
  /** The request also works while its profile is locked. */
  acceptsLocked?: boolean
}

export class AccessModel {
  readonly profiles = new Map<string, ModelProfile>()
  nowMs = 0

  /** A profile can be entered if it has no PIN, or if its current PIN was the last PIN entered on the device. */
  canEnter({ actingId, unlock }: ModelDevice, id: string): boolean {
    const profile = this.profiles.get(id)
    if (!profile) return false
    if (profile.pin === null) return true
    const isUnlocked = unlock?.profileId === id && unlock.pinVersion === profile.pinVersion
    return actingId === id && isUnlocked && unlock.untilMs > this.nowMs
  }

  /** Applies the X-Profile-Id of a request to the device, and returns whether the request is allowed. */
  applyRequest(device: ModelDevice, headerId: string | null, rules: RequestRules = {}): Outcome {
    const { pathId, acceptsLocked = false } = rules
    if (pathId !== undefined && !this.profiles.has(pathId)) return { isAllowed: false }
    const namedId = headerId ?? (acceptsLocked ? null : (pathId ?? null))
    if (namedId === null) {
      const { actingId } = device
      const isEnterable = actingId !== null && this.canEnter(device, actingId)
      return { isAllowed: true, actingProfile: isEnterable ? (this.profiles.get(actingId) ?? null) : null }
    }
    const namedProfile = this.profiles.get(namedId)
    if (!namedProfile) return { isAllowed: false }
    if (!this.canEnter(device, namedId))
      return acceptsLocked ? { isAllowed: true, actingProfile: null } : { isAllowed: false }
    this.chooseProfile(device, namedId)
    const isPathLocked = !acceptsLocked && pathId !== undefined && !this.canEnter(device, pathId)
    return isPathLocked ? { isAllowed: false } : { isAllowed: true, actingProfile: namedProfile }
  }

  /** Choosing another profile ends the unlock of the device. Choosing the acting profile extends the unlock. */
  chooseProfile(device: ModelDevice, id: string | null): void {
    if (device.actingId !== id) Object.assign(device, { actingId: id, unlock: null })
    const untilMs = this.nowMs + UNLOCK_MS
    if (device.unlock && device.unlock.untilMs < untilMs - EXTEND_EVERY_MS) device.unlock.untilMs = untilMs
  }

  unlockProfile(device: ModelDevice, id: string): void {
    const pinVersion = this.profiles.get(id)?.pinVersion ?? 0
    device.actingId = id
    device.unlock = { profileId: id, pinVersion, untilMs: this.nowMs + UNLOCK_MS }
  }

  /** True when an adult profile acts. Without an acting profile, true if the account has neither kids profiles nor PINs. */
  isAdultProven(actingProfile: ModelProfile | null): boolean {
    if (actingProfile) return !actingProfile.isKids
    return ![...this.profiles.values()].some((profile) => profile.isKids || profile.pin !== null)
  }

  /** Unsafe titles are visible to an acting adult profile. If no profile acts, an adult profile must be open without a PIN. */
  canSeeUnsafeTitles(device: ModelDevice, actingProfile: ModelProfile | null): boolean {
    if (actingProfile) return !actingProfile.isKids
    return [...this.profiles].some(([id, profile]) => !profile.isKids && this.canEnter(device, id))
  }
}
