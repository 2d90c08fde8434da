/** Types of the sections of the Family tab. Each section loads and saves its own data. */

import type { ReadableAtom } from 'nanostores'
import type { ComponentType } from 'react'
import type { Profile } from '../../lib/contract/profiles.ts'
import type { ReadState } from '../../lib/stores/query.ts'

/** A section about one profile of the account. */
export interface ProfileSection {
  /** Unique among the sections of a profile. */
  id: string
  Section: ComponentType<{ profile: Profile }>
  /** Returns the store with the data on which the height of the section depends. */
  getReadStore: (profileId: string) => ReadableAtom<ReadState<unknown>>
  /** Returns true for profiles that have the section. If absent, all profiles have it. */
  isShownFor?: (profile: Profile) => boolean
}

/** A section about the whole account. */
export interface AccountSection {
  id: string
  /** True if the section is below the profiles instead of above them. */
  isBelowProfiles?: boolean
  Section: ComponentType
}

/** A step of the setup of a child. It saves its own settings for the profile and then calls `onDone`. */
export interface SetupStep {
  id: string
  Step: ComponentType<{ profile: Profile; ageYears: number; onDone: () => void }>
}
