/** The titles that were added to the library last. */
import { computed } from 'nanostores'
import { listNewestLibraryTitles } from '../contract/availability.ts'
import { $profile } from './profile.ts'
import { createReadStore } from './query.ts'

/** The list is empty if neither a media folder nor a media server is set up. */
export const $newestOfLibrary = createReadStore(
  listNewestLibraryTitles,
  computed($profile, (profile) => profile && {}),
)
