/** Types of the sections of the Family page. Each section loads and saves its own data. */
import type { ComponentType } from 'react'
import type { Profile } from '../../lib/contract/profiles.ts'

/** Settings of one profile of the account. */
export interface ProfileSection {
  /** Identifies the section among those of a profile. */
  id: string
  Section: ComponentType<{ profile: Profile }>
  /** Missing when the section is shown for every profile. */
  isShownFor?: (profile: Profile) => boolean
}

/** Settings of the whole account. */
export interface AccountSection {
  id: string
  /** Whether the section is shown below the profiles instead of above them. */
  isBelowProfiles?: boolean
  Section: ComponentType
}

/** A step of the setup of a child. It saves its own settings for the profile and then calls `onDone`. */
export interface SetupStep {
  id: string
  Step: ComponentType<{ profile: Profile; ageYears: number; onDone: () => void }>
}
