/** States that the gallery takes screenshots of: the Family tab, viewing time, requests of children, and groups. */

import type { ViewingTime } from '../../src/lib/contract/viewing-time.ts'
import type { GalleryState } from './gallery-state.ts'
import { REQUESTED_TITLE } from './household.ts'
import { changeResponse, clickButton, fulfilRequests, scrollToHeading } from './state-actions.ts'
import type { GalleryWindow } from './window.ts'

const WATCH_PATH = '/watch/?type=movie&slug=arrival&redirect=%2Fmovies%2Farrival'
const FAMILY_PATH = '/account/?tab=family'
const VIEWING_TIME_OVER: ViewingTime = {
  status: 'over',
  reason: 'minutes',
  remaining_seconds: 0,
  played_seconds: 3_600,
  allowed_seconds: 3_600,
  can_finish_episode: true,
  quiet_until: null,
}

const createViewingTimeState = (name: string, viewingTime: ViewingTime): GalleryState => ({
  name,
  path: WATCH_PATH,
  prepare: fulfilRequests({ '**/viewing-time': viewingTime }),
  interact: async ({ page }) => {
    await page.locator('[role=alertdialog], [role=status] .lucide-hourglass').first().waitFor()
  },
})

/** Creates a state in which the setup of a child is open. Responses are mocked, so that no profile is created. */
const createSetupState = (stepNumber: 1 | 2 | 3 | 4): GalleryState => ({
  name: `account-family-setup-${stepNumber}`,
  path: FAMILY_PATH,
  prepare: async (galleryWindow) => {
    const { page, household } = galleryWindow
    const childId = household.profileIds['Sunny'] ?? ''
    await page.route('**/api/profile', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      const response = await route.fetch({ method: 'GET', postData: '' })
      const { results } = (await response.json()) as { results: { profile_id: string }[] }
      await route.fulfill({ status: 201, json: results.find(({ profile_id }) => profile_id === childId) })
    })
    const kidsLimits = { max_age: 7, guide: {}, accepts_unknown_guide: true }
    await page.route('**/limits', (route) =>
      route.request().method() === 'PUT' ? route.fulfill({ json: kidsLimits }) : route.continue(),
    )
  },
  interact: async (galleryWindow) => {
    const { page, translate } = galleryWindow
    await clickButton('family:setUp')(galleryWindow)
    if (stepNumber === 1) return
    await page.getByLabel(translate('family:setUpName')).fill('Mia')
    await clickButton('common:next')(galleryWindow)
    if (stepNumber >= 3) await clickButton('family:setUpFinish')(galleryWindow)
    if (stepNumber === 4) await clickButton('viewingtime:withoutLimits')(galleryWindow)
  },
})

const selectGroupProfiles = async (galleryWindow: GalleryWindow) => {
  const { page, household } = galleryWindow
  await clickButton('profiles:together')(galleryWindow)
  for (const profileName of ['Alex', 'Sunny'])
    await page.locator(`[data-profile="${household.profileIds[profileName]}"]`).click()
}

/** Mocks a device on which two profiles watch together: the response of the profile list names them as the group. */
const joinGroup = async (galleryWindow: GalleryWindow) => {
  const { Alex, Sunny } = galleryWindow.household.profileIds
  await changeResponse<{ group: unknown }>('**/api/profile', (reply) => ({ ...reply, group: [Alex, Sunny] }))(
    galleryWindow,
  )
}

export const familyStates: GalleryState[] = [
  { name: 'account-family', path: FAMILY_PATH, shouldCaptureBelow: true },
  { name: 'account-family-child', path: FAMILY_PATH, interact: scrollToHeading('family:titleRules') },
  { name: 'account-family-time', path: FAMILY_PATH, interact: scrollToHeading('viewingtime:title') },
  { name: 'account-family-activity', path: FAMILY_PATH, interact: scrollToHeading('viewingtime:activity') },
  { name: 'account-family-hidden', path: FAMILY_PATH, interact: scrollToHeading('taste:hidden') },
  { name: 'account-exit-pin', path: FAMILY_PATH, interact: clickButton('viewingtime:setExitPin') },
  createSetupState(1),
  createSetupState(2),
  createSetupState(3),
  createSetupState(4),
  { name: 'search-ask', path: '/search/?q=The%20Prestige', viewer: 'kids' },
  { name: 'search-ask-only', path: '/search/?q=Perfect%20Days', viewer: 'kids' },
  { name: 'search-asked', path: `/search/?q=${REQUESTED_TITLE}`, viewer: 'kids' },
  {
    name: 'search-answer',
    path: `/search/?q=${REQUESTED_TITLE}`,
    viewer: 'kids',
    // A parent can answer on the device of a child only with the PIN of a main profile. The mocked response therefore
    // contains main profiles with a PIN.
    prepare: changeResponse<{ results: { main: boolean }[] }>('**/api/profile', ({ results, ...reply }) => ({
      ...reply,
      results: results.map((profile) => (profile.main ? { ...profile, locked: true } : profile)),
    })),
    interact: clickButton('requests:answerHere'),
  },
  { name: 'account-kids', path: '/account/', viewer: 'kids' },
  { name: 'movie-family', path: '/movies/arrival', interact: clickButton('titlerules:forTitle') },
  { name: 'profiles-together', path: '/profiles/', interact: selectGroupProfiles },
  {
    name: 'home-group',
    path: '/',
    prepare: joinGroup,
    interact: ({ page }) => page.locator('header button[aria-expanded]').last().click(),
  },
  createViewingTimeState('watch-time-over', VIEWING_TIME_OVER),
  createViewingTimeState('watch-time-quiet', {
    ...VIEWING_TIME_OVER,
    reason: 'quiet_hours',
    can_finish_episode: false,
    quiet_until: 420,
  }),
  createViewingTimeState('watch-time-left', {
    ...VIEWING_TIME_OVER,
    status: 'allowed',
    remaining_seconds: 290,
  }),
]
