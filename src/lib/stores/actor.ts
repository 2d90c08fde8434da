/** The actor or crew member whose page is open. */
import { computed } from 'nanostores'
import * as catalogue from '../contract/catalogue.ts'
import { perProfile } from './per-profile.ts'
import { $profile } from './profile.ts'
import { createReadStore } from './query.ts'

export const $actorSlug = perProfile<string | null>(() => null)
export const $actor = createReadStore(
  catalogue.getActorBySlug,
  computed([$actorSlug, $profile], (slug, profile) => (slug && profile ? { params: { slug } } : null)),
)
/**
 * The person with all movies and series. The request contains the id of the person. A request by slug returns the
 * person without titles, and the endpoints that list the titles by slug return only one page at a time.
 */
export const $actorWithTitles = createReadStore(
  catalogue.getActor,
  computed([$actor, $profile], ({ data }, profile) => (data && profile ? { params: { id: data.id } } : null)),
)
