/** Every route and state that the gallery shows, in order. */
import type { GalleryState } from './gallery-state.ts'
import { accountStates } from './states-account.ts'
import { dashboardStates } from './states-dashboard.ts'
import { familyStates } from './states-family.ts'
import { homeStates } from './states-home.ts'
import { playerStates } from './states-player.ts'
import { profileStates } from './states-profiles.ts'
import { signInStates } from './states-sign-in.ts'
import { titleStates } from './states-titles.ts'
import { viewingStates } from './states-viewing.ts'
import { workStates } from './states-work.ts'

const ERROR_STATES: GalleryState[] = [
  { name: 'error-offline', path: '/offline/' },
  { name: 'error-404', path: '/nowhere/' },
  { name: 'error-not-authorized', path: '/not-authorized/' },
]

export const STATES: readonly GalleryState[] = [
  ...homeStates,
  ...titleStates,
  ...viewingStates,
  ...profileStates,
  ...accountStates,
  ...familyStates,
  ...dashboardStates,
  ...workStates,
  ...signInStates,
  ...playerStates,
  ...ERROR_STATES,
]
