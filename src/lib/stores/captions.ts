/** Subtitle preferences of the acting profile on this device. */
import { atom, computed } from 'nanostores'
import {
  type CaptionPreferences,
  DEFAULT_CAPTION_PREFERENCES,
  parseCaptionPreferences,
} from '../rules/player-captions.ts'
import { CAPTIONS_KEY_PREFIX } from '../storage-keys.ts'
import { $profileId } from './profile.ts'

const storageKey = (profileId: string | null) => CAPTIONS_KEY_PREFIX + (profileId ?? '')
/** Preferences changed since the page was loaded, by profile. They apply also when local storage is not available. */
const $changedPreferences = atom<ReadonlyMap<string | null, CaptionPreferences>>(new Map())

export const $captionPreferences = computed(
  [$profileId, $changedPreferences],
  (id, changed) => changed.get(id) ?? loadStored(id),
)

function loadStored(profileId: string | null): CaptionPreferences {
  try {
    return parseCaptionPreferences(localStorage.getItem(storageKey(profileId)))
  } catch {
    return DEFAULT_CAPTION_PREFERENCES
  }
}

export function saveCaptionPreferences(change: Partial<CaptionPreferences>): void {
  const id = $profileId.get()
  const preferences = { ...$captionPreferences.get(), ...change }
  $changedPreferences.set(new Map([...$changedPreferences.get(), [id, preferences]]))
  try {
    localStorage.setItem(storageKey(id), JSON.stringify(preferences))
  } catch {
    // Storage is full or not available: the change applies until the page is closed.
  }
}
