/** The synopsis of the hero on the home page. Cards do not contain the synopsis, so the details are loaded. */
import { computed } from 'nanostores'
import type { MediaCard } from '../contract/media.ts'
import { perProfile } from './per-profile.ts'
import { createDetailsStore } from './preview.ts'

export const $heroTitle = perProfile<MediaCard | null>(() => null)
const $heroDetails = createDetailsStore($heroTitle)
export const $heroSynopsis = computed([$heroTitle, $heroDetails], (media, details) =>
  details?.id === media?.id && details?.overview
    ? { text: details.overview, lang: details.overview_lang }
    : null,
)
