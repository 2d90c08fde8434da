/**
 * A model of the access rules. The model computes which requests of a device are allowed.
 * A test compares the model with the server.
 */

const UNLOCK_DURATION_MS = 12 * 3_600_000
const MIN_UNLOCK_EXTENSION_INTERVAL_MS = 10 * 60_000

export interface ModelProfile {
  isMain: boolean
  isKids: boolean
  pin: string | null
  /** Number of changes of the PIN. */
  pinVersion: number
}
export interface ModelDevice {
  actingProfileId: string | null
  unlock: { profileId: string; pinVersion: number; untilMs: number } | null
}
/** The result of a request. `actingProfile` is the profile that acts afterwards, or null when no profile acts. */
type RequestOutcome = { isAllowed: false } | { isAllowed: true; actingProfile: ModelProfile | null }
interface RequestRules {
  /**
   * Id of the profile in the path. This profile acts if the request has no X-Profile-Id and `acceptsLockedProfile` is
   * false.
   */
  pathProfileId?: string
  /** True if the request is also allowed while the profile that the request names is locked. */
  acceptsLockedProfile?: boolean
}

export class AccessModel {
  readonly profiles = new Map<string, ModelProfile>()
  nowMs = 0

  /**
   * Returns whether the device may act as the profile. A profile without a PIN is open to every device.
   * A profile with a PIN must be the acting profile. The device must also have unlocked the profile since the last
   * change of the PIN, and the unlock must not have expired.
   */
  canEnter({ actingProfileId, unlock }: ModelDevice, id: string): boolean {
    const profile = this.profiles.get(id)
    if (!profile) return false
    if (profile.pin === null) return true
    const isUnlocked = unlock?.profileId === id && unlock.pinVersion === profile.pinVersion
    return actingProfileId === id && isUnlocked && unlock.untilMs > this.nowMs
  }

  /** Applies a request to the state of the device. Returns whether the request is allowed and which profile acts. */
  applyRequest(
    device: ModelDevice,
    headerProfileId: string | null,
    rules: RequestRules = {},
  ): RequestOutcome {
    const { pathProfileId, acceptsLockedProfile = false } = rules
    if (pathProfileId !== undefined && !this.profiles.has(pathProfileId)) return { isAllowed: false }
    const namedProfileId = headerProfileId ?? (acceptsLockedProfile ? null : (pathProfileId ?? null))
    if (namedProfileId === null) {
      const { actingProfileId } = device
      const isEnterable = actingProfileId !== null && this.canEnter(device, actingProfileId)
      return {
        isAllowed: true,
        actingProfile: isEnterable ? (this.profiles.get(actingProfileId) ?? null) : null,
      }
    }
    const namedProfile = this.profiles.get(namedProfileId)
    if (!namedProfile) return { isAllowed: false }
    if (!this.canEnter(device, namedProfileId))
      return acceptsLockedProfile ? { isAllowed: true, actingProfile: null } : { isAllowed: false }
    this.chooseProfile(device, namedProfileId)
    const isPathLocked =
      !acceptsLockedProfile && pathProfileId !== undefined && !this.canEnter(device, pathProfileId)
    return isPathLocked ? { isAllowed: false } : { isAllowed: true, actingProfile: namedProfile }
  }

  /**
   * Makes the profile with `id` the acting profile. With null, no profile acts afterwards. A change of the acting
   * profile ends the unlock. Choosing the acting profile again extends the unlock, but at most once per
   * `MIN_UNLOCK_EXTENSION_INTERVAL_MS`.
   */
  chooseProfile(device: ModelDevice, id: string | null): void {
    if (device.actingProfileId !== id) Object.assign(device, { actingProfileId: id, unlock: null })
    const untilMs = this.nowMs + UNLOCK_DURATION_MS
    if (device.unlock && device.unlock.untilMs < untilMs - MIN_UNLOCK_EXTENSION_INTERVAL_MS)
      device.unlock.untilMs = untilMs
  }

  unlockProfile(device: ModelDevice, id: string): void {
    const pinVersion = this.profiles.get(id)?.pinVersion ?? 0
    device.actingProfileId = id
    device.unlock = { profileId: id, pinVersion, untilMs: this.nowMs + UNLOCK_DURATION_MS }
  }

  /**
   * Returns true if an adult profile acts.
   * If no profile acts, returns true only if the account has neither kids profiles nor PINs.
   */
  isAdultProven(actingProfile: ModelProfile | null): boolean {
    if (actingProfile) return !actingProfile.isKids
    return ![...this.profiles.values()].some((profile) => profile.isKids || profile.pin !== null)
  }

  /**
   * Returns whether unsafe titles are visible. An acting profile sees unsafe titles if the profile is an adult profile.
   * If no profile acts, unsafe titles are visible if the device can enter at least one adult profile.
   */
  canSeeUnsafeTitles(device: ModelDevice, actingProfile: ModelProfile | null): boolean {
    if (actingProfile) return !actingProfile.isKids
    return [...this.profiles].some(([id, profile]) => !profile.isKids && this.canEnter(device, id))
  }
}
