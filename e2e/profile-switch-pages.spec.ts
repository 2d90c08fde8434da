/**
 * Switching from an adult to a kids profile on each page: no content of the adult profile stays visible or is
 * requested.
 */
import { expect, type Locator, type Page, test } from '@playwright/test'
import { expectHomeOf, getProfileOption, openAccountMenu } from './account-menu.ts'
import {
  ADULT_NAME,
  type AdultContent,
  KID_NAME,
  listVisibleAdultContent,
  readAdultContent,
  recordRequests,
  SEARCH_QUERY,
} from './adult-content.ts'
import { signInByRequest, storeActingProfile } from './journey-helpers.ts'
import { goBack, goForward, waitUntilSettled } from './page-navigation.ts'

test.use({ serviceWorkers: 'allow' })

/** Follows a link on the open page to a person, or to a title that is not safe for kids. */
async function followAdultLink(page: Page, adultContent: AdultContent, path: RegExp): Promise<void> {
  const slugs = adultContent.titles.map(({ slug }) => slug)
  const links = await page
    .locator('main a[href]')
    .evaluateAll((elements) => elements.map((link) => link.getAttribute('href') ?? ''))
  const targetPath = links.find(
    (link) => path.test(link) && (link.includes('/actor/') || slugs.includes(link.split('/')[2] ?? '')),
  )
  await page.locator(`main a[href="${targetPath}"]`).first().click()
  await page.waitForURL((url) => url.pathname === targetPath)
}

const openTitleFromHome = async (page: Page, adultContent: AdultContent) => {
  await page.goto('/')
  await expectHomeOf(page, ADULT_NAME)
  await followAdultLink(page, adultContent, /^\/movies\/./)
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
  await waitUntilSettled(page)
}

/**
 * Opens each page as the adult profile. The title page is opened from the home page, and the actor page from the title
 * page.
 */
const PAGE_OPENERS_BY_NAME: Record<string, (page: Page, adultContent: AdultContent) => Promise<unknown>> = {
  home: async (page) => {
    await page.goto('/tvshows/')
    await waitUntilSettled(page)
    await page.goto('/')
  },
  movies: async (page) => page.goto('/movies/?includeGenres=80'),
  'TV shows': async (page) => page.goto('/tvshows/?sort=rating.desc'),
  search: async (page) => {
    await page.goto('/search/')
    await page.getByRole('textbox').fill(SEARCH_QUERY)
    await expect(page.locator('.card-grid a').first()).toBeVisible()
    await expect(page).toHaveURL(new RegExp(`q=${SEARCH_QUERY}`))
  },
  'a title': openTitleFromHome,
  'an actor': async (page, adultContent) => {
    await openTitleFromHome(page, adultContent)
    await followAdultLink(page, adultContent, /^\/actor\/./)
  },
  'My List': async (page) => page.goto('/mylist/?type=movie'),
  history: async (page) => page.goto('/history/?type=movie'),
  statistics: async (page) => page.goto('/statistics/'),
  calendar: async (page) => page.goto('/calendar/?type=tv'),
  'watch next': async (page) => page.goto('/watch-next/?minutes=120'),
  account: async (page) => page.goto('/account/'),
  watch: async (page, adultContent) => {
    const { slug } =
      adultContent.titles.find(({ slug }) => slug === 'arrival') ?? adultContent.titles[0] ?? {}
    await page.goto(`/watch/?type=movie&slug=${slug}`)
    const getCurrentTimeSeconds = () =>
      page.locator('#picture').evaluate((video: HTMLVideoElement) => video.currentTime)
    await expect.poll(getCurrentTimeSeconds).toBeGreaterThan(0)
  },
}

/**
 * Opens the account menu or, in the player, which has no menu, the profile picker. Returns the button there that
 * switches to the kids profile.
 */
async function findKidOption(page: Page): Promise<Locator> {
  if (new URL(page.url()).pathname.startsWith('/watch/')) {
    await page.goto('/profiles/')
    return page.getByRole('button', { name: KID_NAME }).first()
  }
  await waitUntilSettled(page)
  await openAccountMenu(page)
  return getProfileOption(page, KID_NAME)
}

test('after a switch to a kids profile on any page, no content of the adult profile is visible or requested', async ({
  context,
  request,
}) => {
  test.setTimeout(240_000)
  const adultContent = await readAdultContent(request)
  await signInByRequest(context.request)
  for (const [pageName, openAsAdult] of Object.entries(PAGE_OPENERS_BY_NAME)) {
    await test.step(pageName, async () => {
      // Each page has its own tab, so that the history contains no pages of earlier steps.
      const page = await context.newPage()
      await storeActingProfile(page, adultContent.profileId)
      await openAsAdult(page, adultContent)
      const kidOption = await findKidOption(page)
      await expect(kidOption).toBeVisible()
      const requestLog = recordRequests(page, adultContent)
      const expectNoAdultContent = (stepName: string) =>
        test.step(stepName, async () => {
          expect(await listVisibleAdultContent(page, adultContent)).toEqual([])
          expect(await requestLog.findAdultRequests()).toEqual([])
        })
      await kidOption.click()
      await expectHomeOf(page, KID_NAME)
      await expectNoAdultContent('after the switch')
      await goBack(page)
      // The player has no menu, so the kids profile was selected on /profiles/. Back returns to that page,
      // which belongs to no profile.
      if (pageName === 'watch') await waitUntilSettled(page)
      else await expectHomeOf(page, KID_NAME)
      await expectNoAdultContent('after Back')
      await goForward(page)
      await waitUntilSettled(page)
      await expectNoAdultContent('after Forward')
      await page.close()
    })
  }
})
