/** Subtitle preferences of the acting profile on this device. */
import {
  type CaptionPreferences,
  DEFAULT_CAPTION_PREFERENCES,
  parseCaptionPreferences,
} from '../rules/player-captions.ts'
import { CAPTIONS_KEY_PREFIX } from '../storage-keys.ts'
import { perProfile } from './per-profile.ts'
import { $profileId } from './profile.ts'

const getStorageKey = () => CAPTIONS_KEY_PREFIX + ($profileId.get() ?? '')

export const $captionPreferences = perProfile(loadStoredPreferences)

function loadStoredPreferences(): CaptionPreferences {
  try {
    return parseCaptionPreferences(localStorage.getItem(getStorageKey()))
  } catch {
    return DEFAULT_CAPTION_PREFERENCES
  }
}

export function saveCaptionPreferences(change: Partial<CaptionPreferences>): void {
  const preferences = { ...$captionPreferences.get(), ...change }
  $captionPreferences.set(preferences)
  try {
    localStorage.setItem(getStorageKey(), JSON.stringify(preferences))
  } catch {
    // Storage is full or not available: the change applies while the profile acts in this tab.
  }
}
