/** Who is watching: the picker, its dialogs, and the first steps of a new household. */
import type { Stage } from './stage.ts'
import type { State } from './states.ts'

const manage = async ({ page, w }: Stage) => {
  await page.getByRole('button', { name: w('profiles:manage') }).click()
}
const tile = ({ page, household }: Stage, name: string) =>
  page.locator(`[data-profile="${household.profiles[name]}"]`)

const pin = async (stage: Stage) => {
  await tile(stage, 'Robin').click()
  await stage.page.locator('dialog input').first().waitFor()
}

const onboarding = (step: 'language' | 'profile' | 'genres'): State => ({
  name: `onboarding-${step}`,
  path: '/onboarding/',
  who: 'guest',
  before: async ({ page }) => {
    await page.evaluate((value) => sessionStorage.setItem('marquee-onboarding', value), step)
  },
})

export const profileStates: State[] = [
  { name: 'profiles', path: '/profiles/' },
  { name: 'profiles-manage', path: '/profiles/', act: manage },
  {
    name: 'profiles-edit',
    path: '/profiles/',
    act: async (stage) => {
      await manage(stage)
      await tile(stage, 'Sunny').click()
    },
  },
  {
    name: 'profiles-lock',
    path: '/profiles/',
    act: async (stage) => {
      await manage(stage)
      await tile(stage, 'Sunny').click()
      await stage.page.getByRole('button', { name: stage.w('profiles:setPin') }).click()
    },
  },
  {
    name: 'profiles-delete',
    path: '/profiles/',
    act: async (stage) => {
      await manage(stage)
      await tile(stage, 'Sunny').click()
      await stage.page.getByRole('button', { name: stage.w('common:delete'), exact: true }).click()
    },
  },
  { name: 'profiles-pin', path: '/profiles/', act: pin },
  {
    name: 'profiles-pin-wrong',
    path: '/profiles/',
    before: async ({ page }) => {
      const json = { type: 'invalid_pin', status: 403, message: 'Invalid PIN', errors: {} }
      await page.route('**/unlock', (route) => route.fulfill({ status: 403, json }))
    },
    act: async (stage) => {
      await pin(stage)
      await stage.page.keyboard.type('0000')
      await stage.page.getByText(stage.w('profiles:invalidPin')).waitFor()
    },
  },
  onboarding('language'),
  onboarding('profile'),
  onboarding('genres'),
]
