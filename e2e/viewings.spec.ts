/** Marking as seen with Undo on a title page, on a card and in My List, and the history page. */
import { expect } from '@playwright/test'
import { formatLocalDay } from '../src/lib/rules/calendar-days.ts'
import { countClicks, expectAccessible, getTranslation, openTitlePage } from './journey-helpers.ts'
import { test } from './new-profile.ts'
import { pressKeys } from './remote-control.ts'

const t = (key: string, values?: Record<string, string>) => getTranslation('en', key, values)

test('one click marks a movie or a season as seen, and on the history page the viewings are listed, moved to another date and removed', async ({
  page,
  signInAsNewProfile,
}) => {
  const { problems, callApi, profilePath } = await signInAsNewProfile(page, 'Diary')
  const clickCounter = await countClicks(page)
  await openTitlePage(page, '/movies/arrival')
  const main = page.getByRole('main')
  await clickCounter.reset()
  await main.getByRole('button', { name: t('common:markSeen'), exact: true }).click()
  await expect(page.getByText(t('common:markedSeen_one'), { exact: true })).toBeVisible()
  expect(await clickCounter.read()).toBe(1)
  await expect(main.getByRole('button', { name: t('common:seen'), exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await page.getByRole('button', { name: t('common:undo') }).click()
  await expect(main.getByRole('button', { name: t('common:markSeen'), exact: true })).toBeVisible()

  await page.clock.install()
  // The message stays while Undo has the focus. After Undo, the focus returns to the control that had it before.
  await main.getByRole('button', { name: t('common:markSeen'), exact: true }).press('Enter')
  const seenButton = main.getByRole('button', { name: t('common:seen'), exact: true })
  await expect(seenButton).toBeFocused()
  const undoButton = page.getByRole('button', { name: t('common:undo') })
  await undoButton.hover()
  await undoButton.focus()
  await page.mouse.move(0, 0)
  // This time exceeds the display time of a message with Undo.
  await page.clock.fastForward(11_000)
  await expect(undoButton).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(undoButton).toHaveCount(0)
  await expect(main.getByRole('button', { name: t('common:markSeen'), exact: true })).toBeFocused()

  // Marks the title as seen on a chosen day, by keyboard.
  const title = (await page.getByRole('heading', { level: 1 }).textContent()) ?? ''
  await page.getByRole('button', { name: t('seen:options', { title }) }).press('Enter')
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: t('seen:onDay') }).press('Enter')
  await page.getByLabel(t('seen:day')).fill('2024-05-06')
  await page.getByLabel(t('seen:day')).press('Enter')
  await expect(main.getByRole('button', { name: t('common:seen'), exact: true })).toBeVisible()

  await page.goto('/history/')
  await expect(page.getByRole('heading', { name: '06/05/2024' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: t('history:edit', { title }) }).click()
  await page.getByLabel(t('seen:day')).fill('2023-01-02')
  await page.getByRole('button', { name: t('common:save') }).click()
  await expect(page.getByRole('heading', { name: '02/01/2023' })).toBeVisible()
  await page.getByRole('button', { name: t('history:edit', { title }) }).press('Enter')
  await page.getByLabel(t('history:note'), { exact: true }).fill('With Ada,\tin the rain.')
  await expectAccessible(page)
  await page.getByRole('button', { name: t('common:save') }).press('Enter')
  const noteText = main.getByText('With Ada, in the rain.')
  await expect(noteText).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: t('history:edit', { title }) }).click()
  await page.getByRole('button', { name: t('history:removeNote') }).click()
  await expect(noteText).toHaveCount(0)
  await page.getByRole('button', { name: t('common:undo') }).click()
  await expect(noteText).toBeVisible()
  await page.getByRole('button', { name: t('history:remove', { title }) }).click()
  await expect(page.getByText(t('history:empty'))).toBeVisible()
  await page.getByRole('button', { name: t('common:undo') }).click()
  await expect(page.getByRole('heading', { name: '02/01/2023' })).toBeVisible()

  await openTitlePage(page, '/tvshows/stranger-things')
  await clickCounter.reset()
  await page.getByRole('button', { name: t('seen:markSeason') }).click()
  await expect(page.getByRole('button', { name: t('seen:seasonSeen') })).toBeVisible()
  expect(await clickCounter.read()).toBeLessThanOrEqual(2)
  await page.getByRole('button', { name: t('common:undo') }).click()
  const markSeasonButton = page.getByRole('button', { name: t('seen:markSeason') })
  await expect(markSeasonButton).toBeEnabled()
  const episodeButtons = page
    .getByRole('region', { name: t('detail:episodesTab') })
    .getByRole('listitem')
    .getByRole('button')
  await episodeButtons.nth(1).click()
  await page.getByRole('button', { name: t('seen:upToHere') }).click()
  await expect(page.getByText(t('common:markedSeen_other', { count: '2' }))).toBeVisible()

  // From the home page, two clicks lead to the viewings of the previous month.
  const lastMonthDay = formatLocalDay(new Date(new Date().setDate(0)))
  const { results } = await callApi('GET', '/api/movies?search=arrival&limit=1')
  await callApi('POST', `${profilePath}/viewings`, {
    key: 'last-month',
    scopes: [{ type: 'movie', media_id: results[0].id, scope: 'title' }],
    date: 'chosen',
    day: lastMonthDay,
    again: true,
  })
  await page.goto('/')
  await expect(page.getByRole('heading', { name: t('home:popularMovies') })).toBeVisible()
  await clickCounter.reset()
  await page.locator('header button[aria-expanded]').last().click()
  await page.getByRole('link', { name: t('header:history') }).click()
  const [year, month, day] = lastMonthDay.split('-')
  await expect(page.getByRole('heading', { name: `${day}/${month}/${year}` })).toBeVisible()
  expect(await clickCounter.read()).toBeLessThanOrEqual(2)
  expect(problems).toEqual([])
})

test('when saving the note of a viewing fails, the dialog keeps the note until the note is saved', async ({
  page,
  signInAsNewProfile,
}) => {
  const { callApi, profilePath } = await signInAsNewProfile(page, 'Critic')
  const { results } = await callApi('GET', '/api/movies?search=arrival&limit=1')
  await callApi('POST', `${profilePath}/viewings`, {
    key: 'seen-once',
    scopes: [{ type: 'movie', media_id: results[0].id, scope: 'title' }],
  })
  await page.goto('/history/')
  await page.getByRole('button', { name: t('history:edit', { title: results[0].title }) }).click()
  const noteField = page.getByLabel(t('history:note'), { exact: true })
  // In Arabic text, the left arrow moves the caret forward and the right arrow moves it back.
  await noteField.fill('لا تنس')
  await pressKeys(page, 'Home', 'ArrowLeft')
  const getCaretIndex = () => noteField.evaluate((field: HTMLTextAreaElement) => field.selectionStart)
  expect(await getCaretIndex()).toBe(1)
  await pressKeys(page, 'End', 'ArrowRight')
  expect(await getCaretIndex()).toBe('لا تنس'.length - 1)
  await noteField.fill('Not to be lost.')
  await page.route('**/viewings/note', (route) =>
    route.fulfill({ status: 500, json: { type: 'internal', message: 'broken' } }),
  )
  await page.getByRole('button', { name: t('common:save') }).click()
  await expect(page.getByText(t('errors:failed'))).toBeVisible()
  await expect(noteField).toHaveValue('Not to be lost.')
  await page.unroute('**/viewings/note')
  await page.getByRole('button', { name: t('common:save') }).click()
  await expect(page.getByRole('main').getByText('Not to be lost.')).toBeVisible()
  await expect(noteField).toHaveCount(0)
})
