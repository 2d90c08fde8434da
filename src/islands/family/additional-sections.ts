/** Sections of the Family page about requests, viewing time and activity. `FamilyTab.tsx` shows them after its own. */
import type { AccountSection, ProfileSection } from './section-types.ts'

export const ADDITIONAL_PROFILE_SECTIONS: readonly ProfileSection[] = []
export const ADDITIONAL_ACCOUNT_SECTIONS: readonly AccountSection[] = []
