/** The characters that the home page of a kids profile shows. They occur in titles that the profile may see. */
import { computed } from 'nanostores'
import { listCharacters } from '../contract/characters.ts'
import { $profile } from './profile.ts'
import { createReadStore } from './query.ts'

export const $characters = createReadStore(
  listCharacters,
  computed($profile, (profile) => (profile?.kids ? { params: { id: profile.profile_id } } : null)),
)
