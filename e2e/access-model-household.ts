/** The household of the access model: two adult profiles, each with a PIN, and one kids profile. */
import { type APIRequestContext, expect } from '@playwright/test'
import { signInByRequest } from './journey-helpers.ts'

export const PASSWORD = 'Lumiere1895'
export const PIN = '4711'
export const KID_NAME = 'Kim'
export const ADULT_NAMES = ['Ana', 'Ben'] as const

export interface Household {
  email: string
  profileIds: Record<string, string>
}
/** Creates an account with two adult profiles, each with a PIN, and one kids profile. */
export async function createHousehold(device: APIRequestContext): Promise<Household> {
  const email = `access-${Date.now()}@example.com`
  const adminHeaders = await signInByRequest(device)
  const { results } = await (await device.get('/api/profile', { headers: adminHeaders })).json()
  const mainId =
    (results as { profile_id: string; main: boolean }[]).find(({ main }) => main)?.profile_id ?? ''
  const createResponse = await device.post('/api/auth/user', {
    headers: { ...adminHeaders, 'X-Profile-Id': mainId },
    data: { email, password: PASSWORD },
  })
  expect(createResponse.status()).toBe(201)
  const headers = await signInByRequest(device, { email, password: PASSWORD })
  await device.put('/api/auth/user', { headers, data: { onboarded: true } })
  const profileIds: Record<string, string> = {}
  for (const name of [...ADULT_NAMES, KID_NAME]) {
    const profileFields = { name, avatar: 1, kids: name === KID_NAME, password: PASSWORD }
    const response = await device.post('/api/profile', { headers, data: profileFields })
    expect(response.status()).toBe(201)
    profileIds[name] = ((await response.json()) as { profile_id: string }).profile_id
  }
  for (const name of ADULT_NAMES) {
    const pinFields = { pin: PIN, password: PASSWORD }
    const response = await device.post(`/api/profile/${profileIds[name]}/lock`, { headers, data: pinFields })
    expect(response.status()).toBe(200)
  }
  return { email, profileIds }
}
