/**
 * Sections of the Family page about requests, viewing time and activity, which `FamilyTab.tsx` shows after its own, and
 * steps that `ChildSetupDialog.tsx` shows after it has created the profile of a child.
 */
import type { AccountSection, ProfileSection, SetupStep } from './section-types.ts'

export const ADDITIONAL_PROFILE_SECTIONS: readonly ProfileSection[] = Object.freeze([])
export const ADDITIONAL_ACCOUNT_SECTIONS: readonly AccountSection[] = Object.freeze([])
export const ADDITIONAL_SETUP_STEPS: readonly SetupStep[] = Object.freeze([])
