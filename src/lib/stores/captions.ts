/** How this profile reads subtitles on this device. */
import { atom, computed } from 'nanostores'
import { type CaptionMemory, NO_MEMORY, readCaptionMemory } from '../rules/player-captions.ts'
import { $profileId } from './profile.ts'

const keyOf = (profileId: string | null) => `marquee-captions:${profileId ?? ''}`
/** What was chosen on this page, by profile: it counts even where nothing can be stored. */
const $chosen = atom<ReadonlyMap<string | null, CaptionMemory>>(new Map())

export const $captionMemory = computed([$profileId, $chosen], (id, chosen) => chosen.get(id) ?? stored(id))

function stored(profileId: string | null): CaptionMemory {
  try {
    return readCaptionMemory(localStorage.getItem(keyOf(profileId)))
  } catch {
    return NO_MEMORY
  }
}

export function rememberCaptions(change: Partial<CaptionMemory>): void {
  const id = $profileId.get()
  const memory = { ...$captionMemory.get(), ...change }
  $chosen.set(new Map([...$chosen.get(), [id, memory]]))
  try {
    localStorage.setItem(keyOf(id), JSON.stringify(memory))
  } catch {
    /* Storage is full or forbidden: it lasts as long as the page. */
  }
}
