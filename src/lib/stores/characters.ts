/** Characters of titles that a kids profile may see. */
import { computed } from 'nanostores'
import { listCharacters } from '../contract/characters.ts'
import { $profile } from './profile.ts'
import { createReadStore } from './query.ts'

export const $characters = createReadStore(
  listCharacters,
  computed($profile, (profile) => (profile?.kids ? { params: { id: profile.profile_id } } : null)),
)
