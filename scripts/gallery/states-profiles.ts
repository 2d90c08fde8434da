/** States that the gallery takes screenshots of: the profile picker, its dialogs, and onboarding. */

import { ONBOARDING_STEP_KEY } from '../../src/lib/storage-keys.ts'
import type { GalleryState } from './gallery-state.ts'
import { fulfilRequests } from './state-actions.ts'
import type { GalleryWindow } from './window.ts'

const openProfileManagement = async ({ page, translate }: GalleryWindow) => {
  await page.getByRole('button', { name: translate('profiles:manage') }).click()
}
const findProfileTile = ({ page, household }: GalleryWindow, name: string) =>
  page.locator(`[data-profile="${household.profileIds[name]}"]`)

const openPinDialog = async (galleryWindow: GalleryWindow) => {
  await findProfileTile(galleryWindow, 'Robin').click()
  await galleryWindow.page.locator('dialog input').first().waitFor()
}

const createOnboardingState = (stepName: 'language' | 'profile'): GalleryState => ({
  name: `onboarding-${stepName}`,
  path: '/onboarding/',
  viewer: 'invited',
  prepare: async ({ page }) => {
    await page.evaluate(([key, stepValue]) => sessionStorage.setItem(key, stepValue), [
      ONBOARDING_STEP_KEY,
      stepName,
    ] as const)
  },
})

/**
 * The last step of onboarding, which needs a main profile. The profile is mocked, because an account with a stored main
 * profile skips the earlier steps, and their screenshots would then show the wrong step.
 */
const GENRES_STATE: GalleryState = {
  name: 'onboarding-genres',
  path: '/onboarding/',
  viewer: 'invited',
  prepare: fulfilRequests({
    '**/api/profile': {
      results: [
        { profile_id: 'sample', name: 'Sam', avatar: 1, main: true, unlocked: true, preferences: {} },
      ],
    },
  }),
}

export const profileStates: GalleryState[] = [
  { name: 'profiles', path: '/profiles/' },
  { name: 'profiles-manage', path: '/profiles/', interact: openProfileManagement },
  {
    name: 'profiles-edit',
    path: '/profiles/',
    interact: async (galleryWindow) => {
      await openProfileManagement(galleryWindow)
      await findProfileTile(galleryWindow, 'Sunny').click()
    },
  },
  {
    name: 'profiles-lock',
    path: '/profiles/',
    interact: async (galleryWindow) => {
      await openProfileManagement(galleryWindow)
      await findProfileTile(galleryWindow, 'Sunny').click()
      await galleryWindow.page
        .getByRole('button', { name: galleryWindow.translate('profiles:setPin') })
        .click()
    },
  },
  {
    name: 'profiles-delete',
    path: '/profiles/',
    interact: async (galleryWindow) => {
      await openProfileManagement(galleryWindow)
      await findProfileTile(galleryWindow, 'Sunny').click()
      await galleryWindow.page
        .getByRole('button', { name: galleryWindow.translate('common:delete'), exact: true })
        .click()
    },
  },
  { name: 'profiles-pin', path: '/profiles/', interact: openPinDialog },
  {
    name: 'profiles-pin-wrong',
    path: '/profiles/',
    prepare: async ({ page }) => {
      const errorBody = { type: 'invalid_pin', status: 403, message: 'Invalid PIN', errors: {} }
      await page.route('**/unlock', (route) => route.fulfill({ status: 403, json: errorBody }))
    },
    interact: async (galleryWindow) => {
      await openPinDialog(galleryWindow)
      await galleryWindow.page.keyboard.type('0000')
      await galleryWindow.page.getByText(galleryWindow.translate('profiles:invalidPin')).waitFor()
    },
  },
  createOnboardingState('language'),
  createOnboardingState('profile'),
  GENRES_STATE,
]
