/**
 * Random sequences of steps in one browser by an adult who knows the secrets and by a child who knows none. While no
 * adult profile is open, the page must never receive or show the account, the dashboard, or a title that is unsafe for
 * kids. `npm run test:access` runs 200 sequences; ACCESS_SEED repeats one of them.
 */
import { expect, type Page, test } from '@playwright/test'
import { createIntegerGenerator } from '../tests/support/random.ts'
import { ADULT_NAMES, createHousehold, type Household, KID_NAME, PASSWORD } from './access-model-household.ts'
import {
  ADULT_STEPS,
  CHILD_STEPS,
  openPath,
  recordLeaks,
  type StepState,
  UNSAFE_SLUG,
  UNSAFE_TITLE,
} from './access-model-steps.ts'
import { signInByRequest } from './journey-helpers.ts'

const STEPS_PER_SEQUENCE = 6

const sequenceCount = Number(process.env['ACCESS_SEQUENCES'] ?? 3)
const requestedSeed = process.env['ACCESS_SEED']
const firstSeed = requestedSeed === undefined ? 1 : Number(requestedSeed)
const seeds = Array.from(
  { length: requestedSeed === undefined ? sequenceCount : 1 },
  (_, index) => firstSeed + index,
)

/**
 * Returns the adult content that the page shows. Repeats the check if a navigation interrupts it. Throws if
 * MAX_ATTEMPTS checks were interrupted.
 */
async function listVisibleLeaksWithRetries(page: Page, email: string): Promise<string[]> {
  const MAX_ATTEMPTS = 3
  for (let attempt = 1; ; attempt++) {
    try {
      return await listVisibleLeaks(page, email)
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !String(error).includes('context was destroyed')) throw error
      await page.waitForLoadState()
    }
  }
}

function listVisibleLeaks(page: Page, email: string): Promise<string[]> {
  return page.evaluate(
    ({ title, slug, email }) => {
      // biome-ignore lint/performance/useDomNodeTextContent: hidden text does not count
      const visibleText = document.body.innerText
      const links = [...document.querySelectorAll(`main a[href*="${slug}"]`)].filter((link) =>
        link.checkVisibility(),
      )
      return [
        // Excludes the search page: it shows the query, and the child may have typed the title.
        ...(visibleText.includes(title) && !location.pathname.endsWith('/search/')
          ? [`the title in ${location.pathname}`]
          : []),
        ...(visibleText.includes(email) ? [`the email address in ${location.pathname}`] : []),
        ...links.map(() => `a link to the title in ${location.pathname}`),
      ]
    },
    { title: UNSAFE_TITLE, slug: UNSAFE_SLUG, email },
  )
}

test.use({ serviceWorkers: 'allow' })
test.setTimeout(120_000)
let household: Household
test.beforeAll(async ({ playwright, baseURL }) => {
  const device = await playwright.request.newContext({ baseURL: baseURL ?? '' })
  household = await createHousehold(device)
  await device.dispose()
})

for (const seed of seeds)
  test(`in random action sequence ${seed}, a child reaches no content of the adult profiles`, async ({
    context,
    page,
  }) => {
    const stepState: StepState = {
      household,
      context,
      page,
      isAdultProfileOpen: false,
      leaks: [],
      drawInteger: createIntegerGenerator(seed),
    }
    recordLeaks(stepState, page)
    const credentials = { email: household.email, password: PASSWORD }
    await signInByRequest(page.request, credentials)
    await openPath(page, '/')
    const stepLog: string[] = []
    for (let stepNumber = 0; stepNumber < STEPS_PER_SEQUENCE; stepNumber++) {
      const isAdultStep = stepState.drawInteger(4) === 0
      const steps = isAdultStep ? ADULT_STEPS : CHILD_STEPS
      const stepNames = Object.keys(steps)
      const stepName = stepNames[stepState.drawInteger(stepNames.length)] ?? ''
      stepLog.push(`${isAdultStep ? 'the adult' : 'the child'} ${stepName}`)
      await steps[stepName]?.(stepState)
      stepState.isAdultProfileOpen = false
      expect(
        [...stepState.leaks, ...(await listVisibleLeaksWithRetries(stepState.page, household.email))],
        stepLog.join('\n'),
      ).toEqual([])
    }
    const headers = await signInByRequest(context.request, credentials)
    const profilesResponse = await context.request.get('/api/profile', { headers })
    const { results } = (await profilesResponse.json()) as {
      results: { name: string; kids: boolean; locked: boolean }[]
    }
    expect(results.map(({ name, kids, locked }) => [name, kids, locked])).toEqual([
      ...ADULT_NAMES.map((adultName) => [adultName, false, true]),
      [KID_NAME, true, false],
    ])
  })
