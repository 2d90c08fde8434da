/** A parent sets up a child by the screens alone, hides a title from it, and watches together with it. */
import { expect, type Page, test } from '@playwright/test'
import { collectPageProblems, expectAccessible, getTranslation, signIn } from './journey-helpers.ts'
import { waitUntilSettled } from './page-navigation.ts'

const CHILD_NAME = 'Mia'
const t = (key: string, values: Record<string, string> = {}) => getTranslation('en', key, values)
const pressKey = async (page: Page, name: string) => {
  await page.getByRole('button', { name, exact: true }).focus()
  await page.keyboard.press('Enter')
}

test('a parent sets up a child with the keyboard, hides a title from it and watches together with it', async ({
  page,
}) => {
  const { problems } = collectPageProblems(page)
  await signIn(page, 'en')
  await page.getByRole('button', { name: /Alex/ }).click()
  await expect(page.getByRole('heading', { name: t('home:popularMovies') })).toBeVisible()
  await page.goto('/account/?tab=family')
  await expect(page.getByRole('tab', { name: t('family:title') })).toHaveAttribute('aria-selected', 'true')
  await pressKey(page, t('family:setUp'))
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(t('family:setUpName')).focus()
  await page.keyboard.type(CHILD_NAME)
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('switch', { name: t('family:setUpKids') })).toBeChecked()
  await expect(dialog.getByRole('switch', { name: t('family:setUpKids') })).toBeFocused()
  await expect(dialog.getByLabel(t('family:ageLimit'))).toHaveValue('7')
  await expectAccessible(page)
  await pressKey(page, t('family:setUpFinish'))
  await pressKey(page, t('viewingtime:withoutLimits'))
  await pressKey(page, t('profiles:protectLater'))
  const child = page.getByRole('button', { name: new RegExp(CHILD_NAME) })
  await child.click()
  await expect(child).toHaveAttribute('aria-expanded', 'true')

  await page.goto('/movies/')
  await page.locator('.card-grid a').first().click()
  await page.getByRole('button', { name: t('titlerules:forTitle') }).click()
  await dialog.getByLabel(t('titlerules:ruleFor', { name: CHILD_NAME })).selectOption('deny')
  await expect(dialog.getByText(t('titlerules:hiddenNow', { name: CHILD_NAME }))).toBeVisible()

  await page.goto('/profiles/')
  await page.getByRole('button', { name: t('profiles:together') }).click()
  const start = page.getByRole('button', { name: t('profiles:togetherStart') })
  await page.getByRole('button', { name: /Alex/ }).click()
  await expect(start).toBeDisabled()
  await page.getByRole('button', { name: new RegExp(CHILD_NAME) }).click()
  await expectAccessible(page)
  await start.click()
  await expect(page.getByRole('heading', { name: t('home:popularMovies') })).toBeVisible()
  const menu = page.getByRole('button', { name: t('header:group', { names: `Alex, ${CHILD_NAME}` }) })
  await waitUntilSettled(page)
  await menu.click()
  await page.getByRole('button', { name: t('header:endGroup') }).click()
  await expect(page.getByRole('button', { name: t('header:menu', { name: 'Alex' }) })).toBeVisible()
  expect(problems).toEqual([])
})
