/** Checks that every API field for a language accepts every interface language. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LOCALES } from '../../src/lib/i18n/locales.ts'
import { TITLE_LANGUAGES } from '../../src/lib/rules/title-options.ts'
import { insertTestAccount, startTestServer, type TestServer } from '../support/server.ts'
import { TestClient } from '../support/test-client.ts'

let server: TestServer
let admin: TestClient
beforeAll(async () => {
  server = await startTestServer()
  await insertTestAccount(server, 'admin@example.com', 'admin')
  admin = new TestClient(server)
  await admin.login('admin@example.com')
  admin.profileId = (await admin.post('/api/profile', { name: 'Main' })).body.profile_id
})
afterAll(() => server.close())

describe.each(LOCALES)('the locale %s', (locale) => {
  it('the locale is accepted as interface language of an account', async () => {
    const preferences = { interface_language: locale }
    const { status, body } = await admin.put('/api/auth/user', { preferences })
    expect([status, body.preferences.interface_language]).toEqual([200, locale])
  })

  it('the locale is accepted as language of a profile', async () => {
    const { status, body } = await admin.post('/api/profile', {
      name: `Profile ${locale}`,
      preferences: { language: locale },
    })
    expect([status, body.preferences.language]).toEqual([201, locale])
  })

  it('the locale is accepted as language of an invitation', async () => {
    const invitation = await admin.post('/api/auth/register/invite', { language: locale })
    expect(invitation.status).toBe(201)
    const token = new URL(invitation.body.url).searchParams.get('token')
    const { body } = await new TestClient(server).send('POST', '/api/auth/validate-invitation', undefined, {
      Authorization: `Bearer ${token}`,
    })
    expect(body).toMatchObject({ valid: true, language: locale })
  })

  it('the locale is accepted as default language of new accounts', async () => {
    const { status } = await admin.post('/api/settings', { key: 'default_language', value: locale })
    expect(status).toBe(200)
    expect((await admin.get('/api/settings/default_language')).body.value).toBe(locale)
  })

  it('titles can have names in the language of the locale', () => {
    expect(TITLE_LANGUAGES).toContain(locale)
  })
})

it('an unknown interface language is rejected with 422', async () => {
  const { status } = await admin.put('/api/auth/user', { preferences: { interface_language: 'xx' } })
  expect(status).toBe(422)
})
