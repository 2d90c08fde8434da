import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { interceptTransactions } from '../support/intercept-transactions.ts'
import { insertTestAccount, startTestServer, TEST_PASSWORD, type TestServer } from '../support/server.ts'
import { TestClient } from '../support/test-client.ts'

let server: TestServer
let device: TestClient
beforeEach(async () => {
  server = await startTestServer()
  await insertTestAccount(server, 'alice@example.com')
  device = await signIn()
})
afterEach(() => server.close())

async function signIn(): Promise<TestClient> {
  const device = new TestClient(server)
  await device.login('alice@example.com')
  return device
}

const createProfile = async (body: object) => (await device.post('/api/profile', body)).body
const buildProfilePath = (profile: { profile_id: string }, suffix = '') =>
  `/api/profile/${profile.profile_id}${suffix}`
const hasAllValues = (values: Record<string, unknown>, expectedValues: object) =>
  Object.entries(expectedValues).every(([key, value]) => values[key] === value)

describe('profiles', () => {
  it('the first profile becomes the main profile, which can neither be deleted nor become a kids profile, and a ninth profile is rejected with 409', async () => {
    const mainProfile = await createProfile({ name: '  Alice  ' })
    expect(mainProfile).toMatchObject({
      name: 'Alice',
      main: true,
      kids: false,
      locked: false,
      unlocked: true,
    })
    expect(mainProfile.avatar).toBeGreaterThanOrEqual(1)
    for (let profileNumber = 2; profileNumber <= 8; profileNumber++)
      expect((await createProfile({ name: `P${profileNumber}` })).main).toBe(false)
    expect((await device.post('/api/profile', { name: 'Ninth' })).status).toBe(409)
    expect((await device.delete(buildProfilePath(mainProfile))).status).toBe(409)
    expect((await device.put(buildProfilePath(mainProfile), { kids: true })).body.errors).toEqual({
      kids: ['main_cannot_be_kids'],
    })
  })

  it.each([
    ['', 'empty'],
    ['   ', 'empty'],
    ['\u200b\u200d', 'empty'],
    ['\u200f\u061c', 'empty'],
    ['a\u2067b', 'forbidden_characters'],
    ['a\u202eb', 'forbidden_characters'],
    ['a\u0007b', 'forbidden_characters'],
    ['x'.repeat(41), 'too_long'],
  ])('a profile name %j is rejected with the error %s', async (name, code) => {
    const response = await device.post('/api/profile', { name })
    expect([response.status, response.body.errors]).toEqual([422, { name: [code] }])
  })

  it.each(['أمي', 'أمي\u200f C++', '👩‍👩‍👧‍👦', 'Zoë', `e${'\u0301'.repeat(30)}`, '李小龍'])(
    'a profile name %j is stored in Unicode NFC',
    async (name) => {
      expect((await createProfile({ name })).name).toBe(name.normalize('NFC'))
    },
  )

  it('a request for a profile of another account gets the same 404 response as a request for a missing profile', async () => {
    const ownProfile = await createProfile({ name: 'Alice' })
    await insertTestAccount(server, 'mallory@example.com')
    const otherDevice = new TestClient(server)
    await otherDevice.login('mallory@example.com')
    const foreignResponse = await otherDevice.get(buildProfilePath(ownProfile))
    const missingResponse = await otherDevice.get('/api/profile/nobody')
    expect([foreignResponse.status, foreignResponse.body]).toEqual([404, missingResponse.body])
  })
})

describe('PINs', () => {
  it('setting a PIN locks the profile on every other device immediately', async () => {
    const mainProfile = await createProfile({ name: 'Alice' })
    const otherDevice = await signIn()
    expect((await otherDevice.get(buildProfilePath(mainProfile, '/watchlist'))).status).not.toBe(403)
    expect((await device.post(buildProfilePath(mainProfile, '/lock'), { pin: '4711' })).body).toMatchObject({
      locked: true,
      unlocked: true,
    })
    const rejectedResponse = await otherDevice.put(buildProfilePath(mainProfile), { name: 'Mallory' })
    expect([rejectedResponse.status, rejectedResponse.body.type]).toEqual([403, 'profile_locked'])
    expect((await otherDevice.post(buildProfilePath(mainProfile, '/unlock'), { pin: '4711' })).status).toBe(
      200,
    )
    expect((await otherDevice.put(buildProfilePath(mainProfile), { name: 'Alice 2' })).status).toBe(200)
    expect(JSON.stringify((await otherDevice.get('/api/profile')).body)).not.toMatch(/pin_hash|argon2/)
  })

  it('after five wrong PINs, the right PIN is rejected, but the account password can remove the PIN of the profile', async () => {
    const mainProfile = await createProfile({ name: 'Alice' })
    await device.post(buildProfilePath(mainProfile, '/lock'), { pin: '4711' })
    const otherDevice = await signIn()
    for (let attempt = 0; attempt < 5; attempt++) {
      const response = await otherDevice.post(buildProfilePath(mainProfile, '/unlock'), {
        pin: `000${attempt}`,
      })
      expect([response.status, response.body.message]).toEqual([403, 'Invalid PIN'])
    }
    const rightPinResponse = await otherDevice.post(buildProfilePath(mainProfile, '/unlock'), { pin: '4711' })
    expect([rightPinResponse.status, rightPinResponse.body.type]).toEqual([403, 'invalid_pin'])
    expect(Number(rightPinResponse.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(
      (await otherDevice.put(buildProfilePath(mainProfile, '/remove-lock'), { password: 'Wrong12345' }))
        .status,
    ).toBe(403)
    expect(
      (await otherDevice.put(buildProfilePath(mainProfile, '/remove-lock'), { password: TEST_PASSWORD })).body
        .locked,
    ).toBe(false)
  })

  it('recent security activities list the setting of a PIN and of an exit PIN as successful, and a wrong PIN and a wrong exit PIN as failed', async () => {
    const mainProfile = await createProfile({ name: 'Alice' })
    await device.put('/api/user/family/exit-pin', { pin: '7391' })
    const kidsProfile = await createProfile({ name: 'Kid', kids: true })
    await device.get(buildProfilePath(kidsProfile, '/watchlist'))
    expect((await device.post(buildProfilePath(mainProfile, '/unlock'), { pin: '0000' })).status).toBe(403)
    await device.post(buildProfilePath(mainProfile, '/unlock'), { pin: '7391' })
    await device.post(buildProfilePath(mainProfile, '/lock'), { pin: '4711' })
    expect((await device.post(buildProfilePath(mainProfile, '/unlock'), { pin: '0000' })).status).toBe(403)
    const { body } = await device.get('/api/auth/activities')
    const events = body.results.map(
      ({ action, outcome }: { action: string; outcome: string }) => `${action} ${outcome}`,
    )
    expect(events).toEqual(
      expect.arrayContaining(['pin_fail failed', 'pin_set ok', 'exit_pin_fail failed', 'exit_pin_set ok']),
    )
  })

  it('at most ten wrong PINs are checked in the first hour, across all devices', async () => {
    const mainProfile = await createProfile({ name: 'Alice' })
    await device.post(buildProfilePath(mainProfile, '/lock'), { pin: '4711' })
    const devices = await Promise.all([signIn(), signIn(), signIn(), signIn()])
    for (let minute = 0; minute < 60; minute++) {
      await Promise.all(
        devices.map((device) => device.post(buildProfilePath(mainProfile, '/unlock'), { pin: '0000' })),
      )
      server.advanceClock(60_000)
    }
    const attemptRow = await server.database.primary
      .selectFrom('pin_attempt')
      .selectAll()
      .executeTakeFirstOrThrow()
    expect(attemptRow.failures).toBeLessThanOrEqual(10)
  })

  it('a profile is locked again when the device switches profiles or the PIN changes', async () => {
    const mainProfile = await createProfile({ name: 'Alice' })
    const secondProfile = await createProfile({ name: 'Bob' })
    await device.post(buildProfilePath(mainProfile, '/lock'), { pin: '4711' })
    const otherDevice = await signIn()
    await otherDevice.post(buildProfilePath(mainProfile, '/unlock'), { pin: '4711' })
    otherDevice.profileId = mainProfile.profile_id
    expect((await otherDevice.get(buildProfilePath(mainProfile))).body.unlocked).toBe(true)
    expect(
      (
        await device.put(buildProfilePath(mainProfile, '/update-lock'), {
          current_pin: '4711',
          new_pin: '1234',
        })
      ).status,
    ).toBe(200)
    otherDevice.profileId = null
    expect((await otherDevice.get(buildProfilePath(mainProfile))).body.unlocked).toBe(false)
    await otherDevice.post(buildProfilePath(mainProfile, '/unlock'), { pin: '1234' })
    otherDevice.profileId = secondProfile.profile_id
    await otherDevice.put(buildProfilePath(secondProfile), { name: 'Bob 2' })
    otherDevice.profileId = null
    expect((await otherDevice.get(buildProfilePath(mainProfile))).body.unlocked).toBe(false)
  })
})

describe('a device with an active kids profile', () => {
  it('a device with an active kids profile cannot create a profile, or lock, delete or unrestrict the kids profile, without the account password', async () => {
    const mainProfile = await createProfile({ name: 'Alice' })
    const kidsProfile = await createProfile({ name: 'Kid', kids: true })
    await device.post(buildProfilePath(mainProfile, '/lock'), { pin: '4711' })
    const tablet = await signIn()
    tablet.profileId = kidsProfile.profile_id
    await tablet.put(buildProfilePath(kidsProfile), { avatar: 3 })
    const requests = [
      tablet.put(buildProfilePath(kidsProfile), { kids: false }),
      tablet.post('/api/profile', { name: 'Adult' }),
      tablet.post(buildProfilePath(kidsProfile, '/lock'), { pin: '1111' }),
      tablet.delete(buildProfilePath(kidsProfile)),
    ]
    for (const response of await Promise.all(requests)) expect(response.status).toBe(403)
    tablet.profileId = null
    expect((await tablet.post('/api/profile', { name: 'Adult' })).status).toBe(403)
    expect(
      (await tablet.put(buildProfilePath(kidsProfile), { kids: false, password: TEST_PASSWORD })).body.kids,
    ).toBe(false)
  })
})

describe('display preferences', () => {
  it('concurrent changes to different preferences are all stored, and at least one response contains all changes', async () => {
    const mainProfile = await createProfile({ name: 'Alice' })
    const preferenceChanges = [
      { high_contrast: true },
      { less_motion: true },
      { simple_home: true },
      { text_size: 150 },
    ]
    const responses = await Promise.all(
      preferenceChanges.map((preferences) => device.put(buildProfilePath(mainProfile), { preferences })),
    )
    const allChanges = Object.assign({}, ...preferenceChanges)
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(
      responses.some(({ body }) =>
        preferenceChanges.every((change) => hasAllValues(body.preferences, change)),
      ),
    ).toBe(true)
    expect((await device.get(buildProfilePath(mainProfile))).body.preferences).toMatchObject(allChanges)
  })

  const defaultPreferences = {
    text_size: 100,
    high_contrast: false,
    less_motion: false,
    captions: false,
    simple_home: false,
  }
  it('changing a profile returns 404 when another device deletes the profile at the same time', async () => {
    const mainProfile = await createProfile({ name: 'Alice' })
    const profile = await createProfile({ name: 'Ben' })
    const otherDevice = await signIn()
    otherDevice.profileId = mainProfile.profile_id
    const { deps, database } = server
    const primary = interceptTransactions(database.primary, async () => {
      deps.database = database
      expect((await otherDevice.delete(buildProfilePath(profile))).status).toBe(204)
    })
    deps.database = { ...database, primary }
    expect((await device.put(buildProfilePath(profile), { name: 'Benny' })).status).toBe(404)
  })

  it('display preferences and the captions preference are the same on every device of the profile', async () => {
    const aliceProfile = await createProfile({ name: 'Alice', preferences: { text_size: 115 } })
    expect(aliceProfile.preferences).toMatchObject({ ...defaultPreferences, text_size: 115 })
    device.profileId = aliceProfile.profile_id
    const preferences = {
      text_size: 150,
      high_contrast: true,
      less_motion: true,
      captions: true,
      simple_home: true,
    }
    expect(
      (await device.put(buildProfilePath(aliceProfile), { preferences })).body.preferences,
    ).toMatchObject(preferences)
    const television = await signIn()
    expect((await television.get(buildProfilePath(aliceProfile))).body.preferences).toMatchObject(preferences)
    await device.put(buildProfilePath(aliceProfile), { preferences: { captions: false } })
    expect((await television.get(buildProfilePath(aliceProfile))).body.preferences).toMatchObject({
      ...preferences,
      captions: false,
    })
  })

  it('the preferences that the server returns for a kids profile can be saved unchanged, and the original content genres return when the profile becomes an adult profile again', async () => {
    device.profileId = (await createProfile({ name: 'Alice' })).profile_id
    const path = buildProfilePath(await createProfile({ name: 'Bob' }))
    const contentGenres = { movie: [27, 53], tv: [16, 10_762, 80] }
    await device.put(path, { preferences: { content_genres: contentGenres } })
    const { preferences } = (await device.put(path, { kids: true })).body
    expect(preferences.content_genres).toEqual({ movie: [], tv: [16, 10_762] })
    const { body: adultProfile } = await device.put(path, { kids: false })
    expect(adultProfile.preferences.content_genres).toEqual(contentGenres)
    await device.put(path, { kids: true })
    expect((await device.put(path, { preferences })).status).toBe(200)
  })

  it('an unsupported text size is rejected with 422', async () => {
    const aliceProfile = await createProfile({ name: 'Alice' })
    device.profileId = aliceProfile.profile_id
    for (const text_size of [99, 400, '115', null])
      expect((await device.put(buildProfilePath(aliceProfile), { preferences: { text_size } })).status).toBe(
        422,
      )
  })
})
