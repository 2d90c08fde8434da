/** The synopsis of the hero on the home page. Cards do not contain it, so the details are loaded. */
import { atom, computed } from 'nanostores'
import type { MediaCard } from '../contract/media.ts'
import { createDetailsStore } from './preview.ts'

export const $heroTitle = atom<MediaCard | null>(null)
const $details = createDetailsStore($heroTitle)
export const $heroSynopsis = computed([$heroTitle, $details], (media, details) =>
  details?.id === media?.id ? (details?.overview ?? null) : null,
)
