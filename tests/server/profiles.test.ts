import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Device } from '../support/client.ts'
import { addAccount, PASSWORD, startServer, type TestServer } from '../support/server.ts'

let server: TestServer
let device: Device
beforeEach(async () => {
  server = await startServer()
  await addAccount(server, 'alice@example.com')
  device = await signIn()
})
afterEach(() => server.close())

async function signIn(): Promise<Device> {
  const one = new Device(server)
  await one.login('alice@example.com')
  return one
}

const create = async (body: object) => (await device.post('/api/profile', body)).body
const path = (profile: { profile_id: string }, rest = '') => `/api/profile/${profile.profile_id}${rest}`
const contains = (whole: Record<string, unknown>, part: object) =>
  Object.entries(part).every(([key, value]) => whole[key] === value)

describe('profiles', () => {
  it('makes the first one main, at most eight, and never deletes the main one', async () => {
    const main = await create({ name: '  Alice  ' })
    expect(main).toMatchObject({ name: 'Alice', main: true, kids: false, locked: false, unlocked: true })
    expect(main.avatar).toBeGreaterThanOrEqual(1)
    for (let i = 2; i <= 8; i++) expect((await create({ name: `P${i}` })).main).toBe(false)
    expect((await device.post('/api/profile', { name: 'Ninth' })).status).toBe(409)
    expect((await device.delete(path(main))).status).toBe(409)
    expect((await device.put(path(main), { kids: true })).body.errors).toEqual({
      kids: ['main_cannot_be_kids'],
    })
  })

  it.each([
    ['', 'empty'],
    ['   ', 'empty'],
    ['\u200b\u200d', 'empty'],
    ['a\u202eb', 'forbidden_characters'],
    ['a\u0007b', 'forbidden_characters'],
    ['x'.repeat(41), 'too_long'],
  ])('refuses the name %j', async (name, code) => {
    const answer = await device.post('/api/profile', { name })
    expect([answer.status, answer.body.errors]).toEqual([422, { name: [code] }])
  })

  it.each(['أمي', '👩‍👩‍👧‍👦', 'Zoë', `e${'\u0301'.repeat(30)}`, '李小龍'])(
    'keeps the name %j',
    async (name) => {
      expect((await create({ name })).name).toBe(name.normalize('NFC'))
    },
  )

  it("hides another account's profiles as if they were not there", async () => {
    const mine = await create({ name: 'Alice' })
    await addAccount(server, 'mallory@example.com')
    const other = new Device(server)
    await other.login('mallory@example.com')
    const foreign = await other.get(path(mine))
    const absent = await other.get('/api/profile/nobody')
    expect([foreign.status, foreign.body]).toEqual([404, absent.body])
  })
})

describe('PINs', () => {
  it('locks a profile on every other device at once', async () => {
    const main = await create({ name: 'Alice' })
    const other = await signIn()
    expect((await other.get(path(main, '/watchlist'))).status).not.toBe(403)
    expect((await device.post(path(main, '/lock'), { pin: '4711' })).body).toMatchObject({
      locked: true,
      unlocked: true,
    })
    const refused = await other.put(path(main), { name: 'Mallory' })
    expect([refused.status, refused.body.type]).toEqual([403, 'profile_locked'])
    expect((await other.post(path(main, '/unlock'), { pin: '4711' })).status).toBe(200)
    expect((await other.put(path(main), { name: 'Alice 2' })).status).toBe(200)
    expect(JSON.stringify((await other.get('/api/profile')).body)).not.toMatch(/pin_hash|argon2/)
  })

  it('checks five wrong PINs, then refuses even the right one; the password frees it', async () => {
    const main = await create({ name: 'Alice' })
    await device.post(path(main, '/lock'), { pin: '4711' })
    const other = await signIn()
    for (let i = 0; i < 5; i++) {
      const answer = await other.post(path(main, '/unlock'), { pin: `000${i}` })
      expect([answer.status, answer.body.message]).toEqual([403, 'Invalid PIN'])
    }
    const right = await other.post(path(main, '/unlock'), { pin: '4711' })
    expect([right.status, right.body.type]).toEqual([403, 'invalid_pin'])
    expect(Number(right.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await other.put(path(main, '/remove-lock'), { password: 'Wrong12345' })).status).toBe(403)
    expect((await other.put(path(main, '/remove-lock'), { password: PASSWORD })).body.locked).toBe(false)
  })

  it('checks at most ten guesses in the first hour, however many come from however many devices', async () => {
    const main = await create({ name: 'Alice' })
    await device.post(path(main, '/lock'), { pin: '4711' })
    const devices = await Promise.all([signIn(), signIn(), signIn(), signIn()])
    let minutes = 0
    for (; minutes < 60; minutes++) {
      await Promise.all(devices.map((one) => one.post(path(main, '/unlock'), { pin: '0000' })))
      server.advance(60_000)
    }
    const row = await server.database.primary.selectFrom('pin_attempt').selectAll().executeTakeFirstOrThrow()
    expect(row.failures).toBeLessThanOrEqual(10)
  })

  it('drops the unlock when the device acts as another profile, and when the PIN changes', async () => {
    const main = await create({ name: 'Alice' })
    const second = await create({ name: 'Bob' })
    await device.post(path(main, '/lock'), { pin: '4711' })
    const other = await signIn()
    await other.post(path(main, '/unlock'), { pin: '4711' })
    other.profileId = main.profile_id
    expect((await other.get(path(main))).body.unlocked).toBe(true)
    expect(
      (await device.put(path(main, '/update-lock'), { current_pin: '4711', new_pin: '1234' })).status,
    ).toBe(200)
    other.profileId = null
    expect((await other.get(path(main))).body.unlocked).toBe(false)
    await other.post(path(main, '/unlock'), { pin: '1234' })
    other.profileId = second.profile_id
    await other.put(path(second), { name: 'Bob 2' })
    other.profileId = null
    expect((await other.get(path(main))).body.unlocked).toBe(false)
  })
})

describe('a device that acts as a kids profile', () => {
  it('changes nothing about limits without the main profile or the password', async () => {
    const main = await create({ name: 'Alice' })
    const kid = await create({ name: 'Kid', kids: true })
    await device.post(path(main, '/lock'), { pin: '4711' })
    const tablet = await signIn()
    tablet.profileId = kid.profile_id
    await tablet.put(path(kid), { avatar: 3 })
    const tries = [
      tablet.put(path(kid), { kids: false }),
      tablet.post('/api/profile', { name: 'Adult' }),
      tablet.post(path(kid, '/lock'), { pin: '1111' }),
      tablet.delete(path(kid)),
    ]
    for (const answer of await Promise.all(tries)) expect(answer.status).toBe(403)
    tablet.profileId = null
    expect((await tablet.post('/api/profile', { name: 'Adult' })).status).toBe(403)
    expect((await tablet.put(path(kid), { kids: false, password: PASSWORD })).body.kids).toBe(false)
  })
})

describe('comfort', () => {
  it('keeps all of what is changed at one time, and the last answer tells it', async () => {
    const main = await create({ name: 'Alice' })
    const wishes = [{ high_contrast: true }, { less_motion: true }, { simple_home: true }, { text_size: 150 }]
    const answers = await Promise.all(wishes.map((preferences) => device.put(path(main), { preferences })))
    const all = Object.assign({}, ...wishes)
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(answers.some(({ body }) => wishes.every((one) => contains(body.preferences, one)))).toBe(true)
    expect((await device.get(path(main))).body.preferences).toMatchObject(all)
  })

  const usual = {
    text_size: 100,
    high_contrast: false,
    less_motion: false,
    captions: false,
    simple_home: false,
  }
  it('follows the profile to every device', async () => {
    const alice = await create({ name: 'Alice', preferences: { text_size: 115 } })
    expect(alice.preferences).toMatchObject({ ...usual, text_size: 115 })
    device.profileId = alice.profile_id
    const wish = { text_size: 150, high_contrast: true, less_motion: true, captions: true, simple_home: true }
    expect((await device.put(path(alice), { preferences: wish })).body.preferences).toMatchObject(wish)
    const television = await signIn()
    expect((await television.get(path(alice))).body.preferences).toMatchObject(wish)
    await device.put(path(alice), { preferences: { captions: false } })
    expect((await television.get(path(alice))).body.preferences).toMatchObject({ ...wish, captions: false })
  })

  it('takes only the sizes there are', async () => {
    const alice = await create({ name: 'Alice' })
    device.profileId = alice.profile_id
    for (const text_size of [99, 400, '115', null])
      expect((await device.put(path(alice), { preferences: { text_size } })).status).toBe(422)
  })
})
