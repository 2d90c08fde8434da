/**
 * Sections of `FamilyTab.tsx` about requests, viewing time, options, hidden titles and activity. Also steps that
 * `ChildSetupDialog.tsx` shows after it has created the profile of a child.
 */

import { getHiddenTitlesStore } from '../../lib/stores/family.ts'
import {
  getActivityStore,
  getChildOptionsStore,
  getViewingLimitsStore,
} from '../../lib/stores/viewing-limits.ts'
import { AccountTimeSection } from './AccountTimeSection.tsx'
import { ActivitySection } from './ActivitySection.tsx'
import { ChildOptionsSection } from './ChildOptionsSection.tsx'
import { HiddenTitlesSection } from './HiddenTitlesSection.tsx'
import { RequestsSection } from './RequestsSection.tsx'
import type { AccountSection, ProfileSection, SetupStep } from './section-types.ts'
import { ViewingTimeSection } from './ViewingTimeSection.tsx'
import { ViewingTimeStep } from './ViewingTimeStep.tsx'

export const ADDITIONAL_PROFILE_SECTIONS: readonly ProfileSection[] = [
  {
    id: 'time',
    Section: ViewingTimeSection,
    getReadStore: getViewingLimitsStore,
    isShownFor: ({ main }) => !main,
  },
  {
    id: 'options',
    Section: ChildOptionsSection,
    getReadStore: getChildOptionsStore,
    isShownFor: ({ main }) => !main,
  },
  {
    id: 'hidden',
    Section: HiddenTitlesSection,
    getReadStore: getHiddenTitlesStore,
    isShownFor: ({ main, restricted }) => !main && restricted,
  },
  {
    id: 'activity',
    Section: ActivitySection,
    getReadStore: getActivityStore,
    isShownFor: ({ main, restricted }) => !main && restricted,
  },
]
export const ADDITIONAL_ACCOUNT_SECTIONS: readonly AccountSection[] = [
  { id: 'requests', Section: RequestsSection },
  { id: 'time', Section: AccountTimeSection, isBelowProfiles: true },
]
export const ADDITIONAL_SETUP_STEPS: readonly SetupStep[] = [{ id: 'time', Step: ViewingTimeStep }]
