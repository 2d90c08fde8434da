/**
 * Random sequences of steps in one browser by an adult who knows the secrets and by a child who knows none. While no adult
 * profile is open, the page must never receive or show a title that is not safe for kids, the account, or the dashboard.
 * `npm run test:access` runs 200 sequences; ACCESS_SEED repeats one of them.
 */
import {
  type APIRequestContext,
  type BrowserContext,
  expect,
  type Locator,
  type Page,
  test,
} from '@playwright/test'
import { createIntegerGenerator } from '../tests/support/random.ts'
import { getTranslation, signInByRequest } from './journey-helpers.ts'
import { waitUntilSettled } from './page-navigation.ts'

const t = (key: string, name = '') => getTranslation('en', key).replace('{{name}}', name)
const PASSWORD = 'Lumiere1895'
const PIN = '4711'
const WRONG_PIN = '0000'
const KID_NAME = 'Kim'
const ADULT_NAMES = ['Ana', 'Ben'] as const
const UNSAFE_SLUG = 'pulp-fiction'
const UNSAFE_TITLE = 'Pulp Fiction'
const STEPS_PER_SEQUENCE = 6

const sequenceCount = Number(process.env['ACCESS_SEQUENCES'] ?? 3)
const onlySeed = process.env['ACCESS_SEED']
const firstSeed = onlySeed === undefined ? 1 : Number(onlySeed)
const seeds = Array.from(
  { length: onlySeed === undefined ? sequenceCount : 1 },
  (_, index) => firstSeed + index,
)

interface Household {
  email: string
  profileIds: Record<string, string>
}
let household: Household

/** Creates an account with two adult profiles with a PIN and one kids profile. */
async function createHousehold(device: APIRequestContext): Promise<Household> {
  const email = `access-${Date.now()}@example.com`
  const adminHeaders = await signInByRequest(device)
  const { results } = await (await device.get('/api/profile', { headers: adminHeaders })).json()
  const mainId =
    (results as { profile_id: string; main: boolean }[]).find(({ main }) => main)?.profile_id ?? ''
  const created = await device.post('/api/auth/user', {
    headers: { ...adminHeaders, 'X-Profile-Id': mainId },
    data: { email, password: PASSWORD },
  })
  expect(created.status()).toBe(201)
  const headers = await signInByRequest(device, { email, password: PASSWORD })
  await device.put('/api/auth/user', { headers, data: { onboarded: true } })
  const profileIds: Record<string, string> = {}
  for (const name of [...ADULT_NAMES, KID_NAME]) {
    const data = { name, avatar: 1, kids: name === KID_NAME, password: PASSWORD }
    const response = await device.post('/api/profile', { headers, data })
    expect(response.status()).toBe(201)
    profileIds[name] = ((await response.json()) as { profile_id: string }).profile_id
  }
  for (const name of ADULT_NAMES) {
    const data = { pin: PIN, password: PASSWORD }
    const response = await device.post(`/api/profile/${profileIds[name]}/lock`, { headers, data })
    expect(response.status()).toBe(200)
  }
  return { email, profileIds }
}

interface World {
  context: BrowserContext
  page: Page
  /** True from the entry of a right PIN until an adult leaves the profile. */
  isAdultOpen: boolean
  /** Replies that a child must not receive. */
  leaks: string[]
  random: (limit: number) => number
}

const FORBIDDEN_PATHS =
  /\/api\/(auth\/(devices|activities|user-account)|admin\/|profile\/[^/]+\/(import|export))/

function watchReplies(world: World, page: Page): void {
  // A step that is not possible in this state ends soon.
  page.setDefaultTimeout(3_000)
  page.setDefaultNavigationTimeout(5_000)
  page.on('response', async (response) => {
    const { pathname } = new URL(response.url())
    if (world.isAdultOpen || !pathname.startsWith('/api/') || !response.ok()) return
    if (FORBIDDEN_PATHS.test(pathname)) world.leaks.push(pathname)
    const text = await response.text().catch(() => '')
    if (text.includes('"safe_for_kids":false')) world.leaks.push(`${pathname} has an unsafe title`)
    if (text.includes(household.email)) world.leaks.push(`${pathname} has the email address`)
  })
}

const isOn = (page: Page, path: string) => new URL(page.url()).pathname.startsWith(path)
const settle = (page: Page) => waitUntilSettled(page, 3_000).catch(() => {})
async function open(page: Page, path: string): Promise<void> {
  await page.goto(path, { waitUntil: 'commit' }).catch(() => {})
  await settle(page)
}
const getTile = (page: Page, name: string) =>
  page
    .locator('main, body')
    .first()
    .getByRole('button', { name: new RegExp(`^${name}`) })
    .first()
async function clickIfVisible(page: Page, name: string): Promise<boolean> {
  const button = getTile(page, name)
  if (!(await button.isVisible())) return false
  await button.click({ timeout: 2_000 }).catch(() => {})
  await settle(page)
  return true
}
/** A control that is not visible now would only cost the time limit of the click. */
async function clickNowIfVisible(control: Locator): Promise<void> {
  if (await control.isVisible()) await control.click({ timeout: 2_000 }).catch(() => {})
}
async function switchInMenu(page: Page, name: string): Promise<void> {
  const opener = page.locator('header button[aria-expanded]').last()
  if (!(await opener.isVisible())) return
  await opener.click({ timeout: 2_000 }).catch(() => {})
  await clickNowIfVisible(page.getByRole('button', { name: t('header:switchTo', name) }))
  await settle(page)
}
async function typePin(page: Page, pin: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  if (!(await dialog.isVisible())) return
  await page.keyboard.type(pin)
  await settle(page)
}

type BrowserStep = (world: World) => Promise<void>
const CHILD_STEPS: Record<string, BrowserStep> = {
  'opens a page': async ({ page, random }) => {
    const paths = [
      '/',
      '/movies/',
      `/movies/${UNSAFE_SLUG}`,
      `/search/?q=${encodeURIComponent(UNSAFE_TITLE)}`,
      `/watch/?type=movie&slug=${UNSAFE_SLUG}`,
      '/account/?tab=security',
      '/account/?tab=transfer',
      '/dashboard/',
      '/mylist/',
      '/history/',
      '/calendar/',
      '/watch-next/',
      '/statistics/',
      '/profiles/?manage=1',
      '/onboarding/',
    ]
    await open(page, paths[random(paths.length)] ?? '/')
  },
  'selects the kids profile': async ({ page }) => {
    if (!isOn(page, '/profiles')) await open(page, '/profiles/')
    await clickIfVisible(page, KID_NAME)
  },
  'selects a locked profile and guesses': async ({ page, random }) => {
    if (!isOn(page, '/profiles')) await open(page, '/profiles/')
    await clickIfVisible(page, ADULT_NAMES[random(2)] ?? 'Ana')
    if (random(4) === 0) await typePin(page, WRONG_PIN)
    await page.keyboard.press('Escape')
  },
  'selects a locked profile in the menu': async ({ page, random }) =>
    switchInMenu(page, ADULT_NAMES[random(2)] ?? 'Ana'),
  'adds a profile without a password': async ({ page }) => {
    await open(page, '/profiles/')
    await clickNowIfVisible(page.getByRole('button', { name: t('profiles:add') }))
    const nameField = page.getByLabel(t('profiles:name'))
    if (await nameField.isVisible()) await nameField.fill('Intruder', { timeout: 2_000 }).catch(() => {})
    await clickNowIfVisible(page.getByRole('button', { name: t('common:save') }))
    await settle(page)
    await page.keyboard.press('Escape')
  },
  'turns the kids profile into an adult one': async ({ page }) => {
    await open(page, '/profiles/?manage=1')
    await clickIfVisible(page, `.*${KID_NAME}`)
    await clickNowIfVisible(page.getByRole('switch', { name: t('profiles:kidsProfile') }))
    await clickNowIfVisible(page.getByRole('button', { name: t('common:save') }))
    await settle(page)
    await page.keyboard.press('Escape')
  },
  'goes back': async ({ page }) => {
    await page.goBack({ waitUntil: 'commit' }).catch(() => {})
    await settle(page)
  },
  'goes forward': async ({ page }) => {
    await page.goForward({ waitUntil: 'commit' }).catch(() => {})
    await settle(page)
  },
  'opens another tab': async (world) => {
    const page = await world.context.newPage()
    watchReplies(world, page)
    await world.page.close()
    world.page = page
    await open(page, '/')
  },
  'writes the id of an adult profile into the storage': async ({ page, random }) => {
    const id = household.profileIds[ADULT_NAMES[random(2)] ?? 'Ana'] ?? ''
    await page
      .evaluate((profileId) => {
        sessionStorage.setItem('marquee-profile', profileId)
        localStorage.setItem('marquee-profile', profileId)
        sessionStorage.setItem('marquee-unlocked', profileId)
      }, id)
      .catch(() => {})
    await open(page, '/')
  },
  'reloads without a network': async ({ context, page }) => {
    await context.setOffline(true)
    await page.reload({ waitUntil: 'commit' }).catch(() => {})
    await settle(page)
    await context.setOffline(false)
  },
}

async function enterAsAdult(world: World, name: string): Promise<void> {
  await open(world.page, '/profiles/')
  if (!(await clickIfVisible(world.page, name))) return
  world.isAdultOpen = true
  await typePin(world.page, PIN)
  await world.page
    .waitForURL((url) => !url.pathname.startsWith('/profiles'), { timeout: 5_000 })
    .catch(() => {})
  await settle(world.page)
}
/** The adult leaves at once: the child acts only after the profile was left. */
const ADULT_STEPS: Record<string, BrowserStep> = {
  'enters, watches and opens the profile picker': async (world) => {
    await enterAsAdult(world, 'Ana')
    await open(world.page, `/movies/${UNSAFE_SLUG}`)
    await open(world.page, '/profiles/')
  },
  'enters, opens the account and switches to the kids profile': async (world) => {
    await enterAsAdult(world, 'Ben')
    await open(world.page, '/account/?tab=devices')
    await open(world.page, '/')
    await switchInMenu(world.page, KID_NAME)
    if (!(await world.page.getByRole('button', { name: t('header:menu', KID_NAME) }).isVisible()))
      await open(world.page, '/profiles/')
  },
}

/** Returns what the page shows although no adult profile is open. Looks again when the page was left meanwhile. */
async function findVisibleLeaks(page: Page): Promise<string[]> {
  const LOOKS = 3
  for (let look = 1; ; look++) {
    try {
      return await listVisibleLeaks(page)
    } catch (error) {
      if (look === LOOKS || !String(error).includes('context was destroyed')) throw error
      await page.waitForLoadState()
    }
  }
}

function listVisibleLeaks(page: Page): Promise<string[]> {
  return page.evaluate(
    ({ title, slug, email }) => {
      // biome-ignore lint/performance/useDomNodeTextContent: hidden text does not count
      const text = document.body.innerText
      const links = [...document.querySelectorAll(`main a[href*="${slug}"]`)].filter((link) =>
        link.checkVisibility(),
      )
      return [
        // The search page repeats the query, which the child typed.
        ...(text.includes(title) && !location.pathname.endsWith('/search/')
          ? [`the title in ${location.pathname}`]
          : []),
        ...(text.includes(email) ? [`the email address in ${location.pathname}`] : []),
        ...links.map(() => `a link to the title in ${location.pathname}`),
      ]
    },
    { title: UNSAFE_TITLE, slug: UNSAFE_SLUG, email: household.email },
  )
}

test.use({ serviceWorkers: 'allow' })
test.setTimeout(120_000)
test.beforeAll(async ({ playwright, baseURL }) => {
  const device = await playwright.request.newContext({ baseURL: baseURL ?? '' })
  household = await createHousehold(device)
  await device.dispose()
})

for (const seed of seeds)
  test(`a child reaches nothing of the adults in sequence ${seed}`, async ({ context, page }) => {
    const world: World = {
      context,
      page,
      isAdultOpen: false,
      leaks: [],
      random: createIntegerGenerator(seed),
    }
    watchReplies(world, page)
    const credentials = { email: household.email, password: PASSWORD }
    await signInByRequest(page.request, credentials)
    await open(page, '/')
    const log: string[] = []
    for (let number = 0; number < STEPS_PER_SEQUENCE; number++) {
      const isAdultStep = world.random(4) === 0
      const steps = isAdultStep ? ADULT_STEPS : CHILD_STEPS
      const names = Object.keys(steps)
      const name = names[world.random(names.length)] ?? ''
      log.push(`${isAdultStep ? 'the adult' : 'the child'} ${name}`)
      await steps[name]?.(world)
      world.isAdultOpen = false
      expect([...world.leaks, ...(await findVisibleLeaks(world.page))], log.join('\n')).toEqual([])
    }
    const headers = await signInByRequest(context.request, credentials)
    const list = await context.request.get('/api/profile', { headers })
    const { results } = (await list.json()) as { results: { name: string; kids: boolean; locked: boolean }[] }
    expect(results.map(({ name, kids, locked }) => [name, kids, locked])).toEqual([
      ...ADULT_NAMES.map((adultName) => [adultName, false, true]),
      [KID_NAME, true, false],
    ])
  })
