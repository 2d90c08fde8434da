/** A Playwright fixture that signs in as a new profile, which has no history, no lists and no ratings. */
import { test as base, expect, type Page } from '@playwright/test'
import {
  collectPageProblems,
  readDemoCredentials,
  signInByRequest,
  storeActingProfile,
} from './journey-helpers.ts'

export interface NewProfile {
  problems: string[]
  /** Start of the paths of the profile's calls: `/api/profile/<id of the profile>`. */
  profilePath: string
  /** Sends a call with the new profile as the acting profile, and returns the reply. */
  callApi: (method: string, path: string, data?: object) => ReturnType<Response['json']>
}

interface Fixtures {
  /** Signs in as a new profile and opens no page. The profile is deleted afterwards: an account can have only a few. */
  signInAsNewProfile: (page: Page, name: string) => Promise<NewProfile>
}

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright requires a pattern
  signInAsNewProfile: async ({}, use) => {
    const profileDeletions: (() => Promise<unknown>)[] = []
    await use(async (page, name) => {
      const { problems } = collectPageProblems(page)
      const headers = await signInByRequest(page.request)
      const { password } = readDemoCredentials()
      const createResponse = await page.request.post('/api/profile', { headers, data: { name, password } })
      const { profile_id } = await createResponse.json()
      expect(profile_id).toBeTruthy()
      const profilePath = `/api/profile/${profile_id}`
      const profileHeaders = { ...headers, 'X-Profile-Id': profile_id }
      const callApi: NewProfile['callApi'] = async (method, path, data) => {
        const response = await page.request.fetch(path, {
          method,
          headers: profileHeaders,
          ...(data && { data }),
        })
        expect(response.ok(), path).toBe(true)
        return response.json()
      }
      profileDeletions.push(() => page.request.delete(profilePath, { headers, data: { password } }))
      await storeActingProfile(page, profile_id)
      return { problems, profilePath, callApi }
    })
    for (const deleteProfile of profileDeletions) await deleteProfile()
  },
})
