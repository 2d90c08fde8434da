/**
 * Pairs a phone with a television of the same account, so that the phone controls the television. The tests run on
 * SQLite and PostgreSQL.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ATTEMPT_LIMITS } from '../../server/services/auth/attempt-limit.ts'
import { formatPairingCode, parsePairingCode } from '../../src/lib/rules/remote-commands.ts'
import { DATABASES, type TestServer } from '../support/server.ts'
import type { TestClient, TestResponse } from '../support/test-client.ts'
import { createHousehold, type Household, PIN, useHouseholds } from './security/household.ts'

describe('the pairing code', () => {
  it('the pairing code is accepted with spaces, separators, direction marks, and full-width and Arabic digits', () => {
    const typedCodes = [
      '482913',
      ' 482 913 ',
      '482-913',
      '482.913',
      '\u2066482 913\u2069',
      '４８２９１３',
      '٤٨٢٩١٣',
    ]
    expect(typedCodes.map(parsePairingCode)).toEqual(Array(typedCodes.length).fill('482913'))
    expect(formatPairingCode('482913')).toBe('482 913')
  })

  it.each(['', '48291', '4829133', '48291a'])('the pairing code is rejected when the text is %j', (text) => {
    expect(parsePairingCode(text)).toBeNull()
  })
})

describe.each(DATABASES)('a phone as remote control on %s', (_name, openTestDatabase) => {
  let server: TestServer
  let household: Household
  let television: TestClient
  let phone: TestClient
  const readers: { stop: () => Promise<void> }[] = []
  useHouseholds(openTestDatabase, (newServer, newHousehold) => {
    server = newServer
    household = newHousehold
  })
  beforeEach(async () => {
    ;[television, phone] = [await household.signIn(), await household.signIn()]
    television.profileId = phone.profileId = household.kidId
    // A request for a profile makes the profile the acting profile of the device.
    for (const device of [television, phone]) await device.get(`/api/profile/${household.kidId}`)
  })
  afterEach(async () => {
    for (const reader of readers.splice(0)) await reader.stop()
  })

  /**
   * Opens the event stream of the device. Returns a function that waits for the next event and returns its data.
   * The function returns null when the event stream has ended.
   */
  async function listenToEvents(device: TestClient): Promise<() => Promise<string | null>> {
    const response = await server.request('/api/events', {
      headers: { Authorization: `Bearer ${device.accessToken}` },
    })
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    readers.push({ stop: () => reader.cancel() })
    let buffer = ''
    return async () => {
      for (;;) {
        const match = /data: (.*)\n\n/.exec(buffer)
        if (match) {
          buffer = buffer.slice(match.index + match[0].length)
          return match[1] ?? ''
        }
        const { done, value } = await reader.read()
        if (done) return null
        buffer += new TextDecoder().decode(value)
      }
    }
  }
  const openPairing = async (device = television) => {
    const { status, body } = await device.post('/api/remote/pairings')
    expect(status).toBe(201)
    return body as { pairing_id: string; code: string; renew_seconds: number }
  }
  const claimCode = (device: TestClient, code: string) => device.post('/api/remote/claim', { code })
  const pairDevices = async () => {
    const { pairing_id: id, code } = await openPairing()
    expect((await claimCode(phone, code)).status).toBe(200)
    return id
  }
  /** Creates an adult profile without a PIN, and returns its id. */
  const createGuestProfile = async (): Promise<string> =>
    (await household.adult.post('/api/profile', { name: 'Guest', avatar: 1 })).body.profile_id
  const sendKey = (device: TestClient, id: string, command = 'ok') =>
    device.post(`/api/remote/pairings/${id}/command`, { command })
  /** Expects that a key press is rejected because the phone may not enter the profile of the television. */
  const expectPairingToEndForLockedProfile = async (id: string) => {
    const { status, body } = await sendKey(phone, id)
    expect([status, body.errors]).toEqual([404, { pairing: ['locked_profile'] }])
  }
  const sendText = (device: TestClient, id: string, text: string) =>
    device.post(`/api/remote/pairings/${id}/text`, { text })

  it('passes key presses and texts to the television only', async () => {
    const otherDevice = await household.signIn()
    const [readTelevisionEvent, readOtherEvent] = [
      await listenToEvents(television),
      await listenToEvents(otherDevice),
    ]
    const { pairing_id, code } = await openPairing()
    expect(code).toMatch(/^\d{6}$/)
    const { body } = await claimCode(phone, formatPairingCode(code))
    expect(body).toMatchObject({ pairing_id, device_name: expect.any(String) })
    expect(JSON.parse((await readTelevisionEvent()) ?? '')).toMatchObject({
      kind: 'remote',
      state: 'paired',
      pairing_id,
    })
    expect((await sendKey(phone, pairing_id, 'left')).status).toBe(204)
    expect((await sendText(phone, pairing_id, 'dune "part" two')).status).toBe(204)
    expect(JSON.parse((await readTelevisionEvent()) ?? '')).toEqual({
      kind: 'remote',
      pairing_id,
      command: 'left',
    })
    const textEvent = { kind: 'remote', pairing_id, text: 'dune "part" two' }
    expect(JSON.parse((await readTelevisionEvent()) ?? '')).toEqual(textEvent)
    server.deps.bus.publish('catalogue', {})
    expect(await readOtherEvent()).toBe('{"kind":"catalogue"}')
  })

  it('delivers a text within 300 ms', async () => {
    const readTelevisionEvent = await listenToEvents(television)
    const id = await pairDevices()
    await readTelevisionEvent()
    const startedAtMs = performance.now()
    await sendText(phone, id, 'x')
    await readTelevisionEvent()
    expect(performance.now() - startedAtMs).toBeLessThan(300)
  })

  it('texts of the phone are stored neither in the pairing nor in the audit log', async () => {
    const id = await pairDevices()
    const secretText = `text-${crypto.randomUUID()}`
    await sendText(phone, id, secretText)
    const row = await server.database.primary
      .selectFrom('remote_pairing')
      .selectAll()
      .executeTakeFirstOrThrow()
    const auditEvents = await server.database.primary.selectFrom('audit_event').selectAll().execute()
    expect(JSON.stringify([row, auditEvents])).not.toContain(secretText)
  })

  it('a pairing code is accepted once, and only from another device of the same account', async () => {
    const { code } = await openPairing()
    const strangerDevice = (await createHousehold(server)).adult
    for (const device of [strangerDevice, television])
      expect((await claimCode(device, code)).status).toBe(404)
    const replies = await Promise.all(
      [phone, await household.signIn()].map((device) => claimCode(device, code)),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 404])
  })

  it.each([
    ['another device of the account', () => household.signIn()],
    ['another account', async () => (await createHousehold(server)).adult],
    ['the television itself', async () => television],
  ])('key presses and texts of %s are rejected with 404', async (_device, getDevice) => {
    const id = await pairDevices()
    const device = await getDevice()
    expect((await sendKey(device, id)).status).toBe(404)
    expect((await sendText(device, id, 'x')).status).toBe(404)
    if (device !== television) expect((await device.delete(`/api/remote/pairings/${id}`)).status).toBe(404)
    if (device !== television)
      expect((await device.post(`/api/remote/pairings/${id}/renew`, {})).status).toBe(404)
    expect((await sendKey(phone, id)).status).toBe(204)
  })

  it.each(['television', 'phone'] as const)(
    'the pairing ends when the %s ends it, and both devices receive a message',
    async (endingSide) => {
      const [readTelevisionEvent, readPhoneEvent] = [
        await listenToEvents(television),
        await listenToEvents(phone),
      ]
      const id = await pairDevices()
      await readTelevisionEvent()
      const device = endingSide === 'phone' ? phone : television
      expect((await device.delete(`/api/remote/pairings/${id}`)).status).toBe(204)
      const endedMessage = JSON.stringify({ kind: 'remote', pairing_id: id, state: 'ended' })
      expect(await readTelevisionEvent()).toBe(endedMessage)
      expect(await readPhoneEvent()).toBe(endedMessage)
      expect((await sendKey(phone, id)).status).toBe(404)
    },
  )

  it('the pairing ends within seven seconds after the television page closes, unless the next page renews it', async () => {
    const id = await pairDevices()
    const renewPairing = (body: object) => television.post(`/api/remote/pairings/${id}/renew`, body)
    await renewPairing({ closing: true })
    server.advanceClock(3_000)
    expect((await renewPairing({})).body).toEqual({ device_name: expect.any(String) })
    server.advanceClock(20_000)
    expect((await sendKey(phone, id)).status).toBe(204)
    await renewPairing({ closing: true })
    server.advanceClock(7_000)
    expect((await sendKey(phone, id)).status).toBe(404)
    expect((await renewPairing({})).status).toBe(404)
  })

  it('the pairing ends within seven seconds after the phone page closes, unless the next page renews it', async () => {
    const id = await pairDevices()
    const renewPairing = (device: TestClient, body: object) =>
      device.post(`/api/remote/pairings/${id}/renew`, body)
    await renewPairing(phone, { closing: true })
    server.advanceClock(3_000)
    expect((await renewPairing(phone, {})).status).toBe(200)
    server.advanceClock(20_000)
    expect((await renewPairing(television, {})).status).toBe(200)
    await renewPairing(phone, { closing: true })
    server.advanceClock(7_000)
    expect((await renewPairing(television, {})).status).toBe(404)
  })

  it('the pairing ends when no device renews it, and when the television or the phone signs out', async () => {
    let id = await pairDevices()
    server.advanceClock(36_000)
    expect((await sendKey(phone, id)).status).toBe(404)
    id = await pairDevices()
    await television.post('/api/auth/logout')
    expect((await sendKey(phone, id)).status).toBe(404)
    television = await household.signIn()
    id = await pairDevices()
    await phone.post('/api/auth/logout')
    expect((await television.post(`/api/remote/pairings/${id}/renew`, {})).status).toBe(404)
  })

  it('the pairing ends when the television switches to a profile with a PIN, unless the phone has selected the same profile', async () => {
    const { kidId, mainId } = household
    let id = await pairDevices()
    const enterMainProfile = async (device: TestClient) => {
      await device.post(`/api/profile/${mainId}/unlock`, { pin: PIN })
      device.profileId = mainId
      expect((await device.get(`/api/profile/${mainId}/watchlist`)).status).toBe(200)
    }
    await enterMainProfile(television)
    await expectPairingToEndForLockedProfile(id)
    // The television displays a new code while the main profile acts. The person at the television thus allows
    // the phone to control this profile.
    id = await pairDevices()
    expect((await sendKey(phone, id)).status).toBe(204)
    television.profileId = kidId
    await television.get(`/api/profile/${kidId}/watchlist`)
    id = await pairDevices()
    await enterMainProfile(television)
    await enterMainProfile(phone)
    expect((await sendKey(phone, id)).status).toBe(204)
  })

  it('the pairing ends when another device sets a PIN for the profile of the television, even if the television then enters this PIN', async () => {
    const guestPin = '8642'
    const guestId = await createGuestProfile()
    television.profileId = guestId
    await television.get(`/api/profile/${guestId}/watchlist`)
    const id = await pairDevices()
    expect((await sendKey(phone, id)).status).toBe(204)
    await household.adult.post(`/api/profile/${guestId}/lock`, { pin: guestPin })
    await television.post(`/api/profile/${guestId}/unlock`, { pin: guestPin })
    await expectPairingToEndForLockedProfile(id)
  })

  it('the pairing ends when the television changes to a profile that the phone may enter only with the exit PIN', async () => {
    const exitPin = '9753'
    const guestId = await createGuestProfile()
    const { kidId } = household
    const enterGuestProfile = async (device: TestClient) => {
      await device.post(`/api/profile/${guestId}/unlock`, { pin: exitPin })
      device.profileId = guestId
      expect((await device.get(`/api/profile/${guestId}/watchlist`)).status).toBe(200)
    }
    await household.adult.put('/api/user/family/exit-pin', { pin: exitPin })
    let id = await pairDevices()
    expect((await sendKey(phone, id)).status).toBe(204)
    await enterGuestProfile(television)
    await expectPairingToEndForLockedProfile(id)
    television.profileId = kidId
    await television.get(`/api/profile/${kidId}/watchlist`)
    id = await pairDevices()
    await enterGuestProfile(phone)
    await enterGuestProfile(television)
    expect((await sendKey(phone, id)).status).toBe(204)
  })

  it('a phone loses control of a profile when an exit PIN is set that the phone would need to enter the profile', async () => {
    const guestId = await createGuestProfile()
    television.profileId = guestId
    await television.get(`/api/profile/${guestId}/watchlist`)
    const id = await pairDevices()
    expect((await sendKey(phone, id)).status).toBe(204)
    await household.adult.put('/api/user/family/exit-pin', { pin: '9753' })
    await expectPairingToEndForLockedProfile(id)
  })

  it('opening a new pairing on a television ends its previous pairing', async () => {
    const id = await pairDevices()
    await openPairing()
    expect((await sendKey(phone, id)).status).toBe(404)
  })

  it('parallel guesses of pairing codes are limited, and key presses after the first 240 are rejected with 429', async () => {
    const id = await pairDevices()
    await openPairing(await household.signIn())
    const { allowedCount } = ATTEMPT_LIMITS.pairingDevice
    const guessReplies = await Promise.all(
      Array.from({ length: allowedCount + 10 }, () => claimCode(phone, '000000')),
    )
    const checkedGuesses = guessReplies.filter(({ status }) => status !== 429)
    expect(checkedGuesses.length).toBeLessThanOrEqual(allowedCount)
    const keyReplies: TestResponse[] = []
    while (keyReplies.length < 250)
      keyReplies.push(...(await Promise.all(Array.from({ length: 25 }, () => sendKey(phone, id)))))
    expect(keyReplies.filter(({ status }) => status === 204).length).toBe(240)
    expect(keyReplies.at(-1)?.status).toBe(429)
  })
})
