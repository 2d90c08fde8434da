/** States of the profile picker, its dialogs, and onboarding. */

import type { GalleryState } from './gallery-state.ts'
import type { GalleryWindow } from './window.ts'

const startManaging = async ({ page, translate }: GalleryWindow) => {
  await page.getByRole('button', { name: translate('profiles:manage') }).click()
}
const findProfileTile = ({ page, household }: GalleryWindow, name: string) =>
  page.locator(`[data-profile="${household.profileIds[name]}"]`)

const openPinDialog = async (window: GalleryWindow) => {
  await findProfileTile(window, 'Robin').click()
  await window.page.locator('dialog input').first().waitFor()
}

const createOnboardingState = (stepName: 'language' | 'profile' | 'genres'): GalleryState => ({
  name: `onboarding-${stepName}`,
  path: '/onboarding/',
  viewer: 'invited',
  prepare: async ({ page }) => {
    await page.evaluate((stepValue) => sessionStorage.setItem('marquee-onboarding', stepValue), stepName)
  },
})

export const profileStates: GalleryState[] = [
  { name: 'profiles', path: '/profiles/' },
  { name: 'profiles-manage', path: '/profiles/', act: startManaging },
  {
    name: 'profiles-edit',
    path: '/profiles/',
    act: async (window) => {
      await startManaging(window)
      await findProfileTile(window, 'Sunny').click()
    },
  },
  {
    name: 'profiles-lock',
    path: '/profiles/',
    act: async (window) => {
      await startManaging(window)
      await findProfileTile(window, 'Sunny').click()
      await window.page.getByRole('button', { name: window.translate('profiles:setPin') }).click()
    },
  },
  {
    name: 'profiles-delete',
    path: '/profiles/',
    act: async (window) => {
      await startManaging(window)
      await findProfileTile(window, 'Sunny').click()
      await window.page.getByRole('button', { name: window.translate('common:delete'), exact: true }).click()
    },
  },
  { name: 'profiles-pin', path: '/profiles/', act: openPinDialog },
  {
    name: 'profiles-pin-wrong',
    path: '/profiles/',
    prepare: async ({ page }) => {
      const errorBody = { type: 'invalid_pin', status: 403, message: 'Invalid PIN', errors: {} }
      await page.route('**/unlock', (route) => route.fulfill({ status: 403, json: errorBody }))
    },
    act: async (window) => {
      await openPinDialog(window)
      await window.page.keyboard.type('0000')
      await window.page.getByText(window.translate('profiles:invalidPin')).waitFor()
    },
  },
  createOnboardingState('language'),
  createOnboardingState('profile'),
  createOnboardingState('genres'),
]
