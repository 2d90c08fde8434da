/** Subtitle preferences of the acting profile on this device, and subtitle state of the current playback. */
import {
  type CaptionPreferences,
  DEFAULT_CAPTION_PREFERENCES,
  parseCaptionPreferences,
} from '../rules/player-captions.ts'
import { CAPTIONS_KEY_PREFIX } from '../storage-keys.ts'
import { perProfile } from './per-profile.ts'
import { $profileId } from './profile.ts'

const getCaptionsStorageKey = () => CAPTIONS_KEY_PREFIX + ($profileId.get() ?? '')

export const $captionPreferences = perProfile(loadStoredPreferences)

function loadStoredPreferences(): CaptionPreferences {
  try {
    return parseCaptionPreferences(localStorage.getItem(getCaptionsStorageKey()))
  } catch {
    return DEFAULT_CAPTION_PREFERENCES
  }
}

export function saveCaptionPreferences(change: Partial<CaptionPreferences>): void {
  const newPreferences = { ...$captionPreferences.get(), ...change }
  $captionPreferences.set(newPreferences)
  try {
    localStorage.setItem(getCaptionsStorageKey(), JSON.stringify(newPreferences))
  } catch {
    // Storage is full or not available: the change applies while the profile acts in this tab.
  }
}

/** A subtitle file from this device, opened for one movie or episode. The file is never sent to the server. */
export interface DeviceCaption {
  /** `ReadyPlayerState.key` of the movie or episode. */
  playerKey: string
  /** False while another track is chosen, or subtitles are off. */
  isSelected: boolean
  lang: string
  label: string
  webVtt: string
  /** The text of an ASS or SSA file, which the player can draw with its styles; null for other formats. */
  styledScript: string | null
}
export const $deviceCaption = perProfile<DeviceCaption | null>(() => null)

/**
 * Delay of subtitles in seconds, by title id. All episodes of a series share a delay, because their subtitle files
 * often have the same offset.
 */
export const $captionDelaysByTitleId = perProfile<Record<string, number>>(() => ({}))
