/**
 * Sections of `FamilyTab.tsx` about requests, viewing time, options, hidden titles and activity. Also steps that
 * `ChildSetupDialog.tsx` shows after it has created the profile of a child.
 */

import { AccountTimeSection } from './AccountTimeSection.tsx'
import { ActivitySection } from './ActivitySection.tsx'
import { ChildOptionsSection } from './ChildOptionsSection.tsx'
import { HiddenTitlesSection } from './HiddenTitlesSection.tsx'
import { RequestsSection } from './RequestsSection.tsx'
import type { AccountSection, ProfileSection, SetupStep } from './section-types.ts'
import { ViewingTimeSection } from './ViewingTimeSection.tsx'
import { ViewingTimeStep } from './ViewingTimeStep.tsx'

export const ADDITIONAL_PROFILE_SECTIONS: readonly ProfileSection[] = [
  { id: 'time', Section: ViewingTimeSection, isShownFor: ({ main }) => !main },
  { id: 'options', Section: ChildOptionsSection, isShownFor: ({ main }) => !main },
  { id: 'hidden', Section: HiddenTitlesSection, isShownFor: ({ main, restricted }) => !main && restricted },
  { id: 'activity', Section: ActivitySection, isShownFor: ({ main, restricted }) => !main && restricted },
]
export const ADDITIONAL_ACCOUNT_SECTIONS: readonly AccountSection[] = [
  { id: 'requests', Section: RequestsSection },
  { id: 'time', Section: AccountTimeSection, isBelowProfiles: true },
]
export const ADDITIONAL_SETUP_STEPS: readonly SetupStep[] = [{ id: 'time', Step: ViewingTimeStep }]
