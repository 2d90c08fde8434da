/**
 * A phone as remote control. The stores of the television and of the phone are tested with another device of the
 * account.
 */
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { openPairing } from '../../src/lib/contract/remote.ts'
import { signInHousehold } from '../support/store-environment.ts'
import { waitFor } from '../support/wait-for.ts'

const { otherDevice, profiles, network, server } = await signInHousehold()
const televisionStore = await import('../../src/lib/stores/remote-television.ts')
const phoneStore = await import('../../src/lib/stores/remote-phone.ts')
const { callApi } = await import('../../src/lib/client/call.ts')
const { $toast } = await import('../../src/lib/stores/toast.ts')
const { signOut } = await import('../../src/lib/stores/sign-out.ts')
const { $televisionPairing, openTelevisionPairing, endTelevisionPairing, resumeTelevisionPairing } =
  televisionStore
const { $phonePairing, claimTelevision, endPhonePairing, resumePhonePairing, sendCommand, sendText } =
  phoneStore

type RemoteInputs = Parameters<Parameters<typeof openTelevisionPairing>[0]>[0][]
let receivedInputs: RemoteInputs = []
const onInput = (input: RemoteInputs[number]) => void receivedInputs.push(input)
afterAll(() => signOut())
beforeEach(async () => {
  receivedInputs = []
  await server.database.primary.deleteFrom('rate_limit').execute()
  otherDevice.profileId = profiles.adult
  await otherDevice.get(`/api/profile/${profiles.adult}/watchlist`)
})

describe('the television', () => {
  const pairWithPhone = async () => {
    await openTelevisionPairing(onInput)
    const pairingState = $televisionPairing.get()
    const code = pairingState.status === 'waiting' ? pairingState.code : ''
    const { status, body } = await otherDevice.post('/api/remote/claim', { code })
    expect(status).toBe(200)
    await waitFor(() => expect($televisionPairing.get().status).toBe('paired'))
    return `/api/remote/pairings/${body.pairing_id}`
  }

  it('the television receives keys and texts in order until the phone ends the pairing', async () => {
    const pairingPath = await pairWithPhone()
    await otherDevice.post(`${pairingPath}/command`, { command: 'down' })
    await otherDevice.post(`${pairingPath}/text`, { text: 'dune' })
    await otherDevice.post(`${pairingPath}/command`, { command: 'ok' })
    await waitFor(() =>
      expect(receivedInputs).toEqual([{ command: 'down' }, { text: 'dune' }, { command: 'ok' }]),
    )
    await otherDevice.delete(pairingPath)
    await waitFor(() => expect($televisionPairing.get().status).toBe('ended'))
    expect(sessionStorage.getItem('marquee-phone')).toBe('')
  })

  it('the television notifies the server when its page closes, and does not resume a pairing that has ended', async () => {
    const pairingPath = await pairWithPhone()
    dispatchEvent(new Event('pagehide'))
    await waitFor(() => expect(network.requests.at(-1)?.body).toBe('{"closing":true}'))
    const pairingId = sessionStorage.getItem('marquee-phone') ?? ''
    expect(pairingPath).toContain(pairingId)
    await endTelevisionPairing()
    // The pairing has ended, so the next page must not continue it.
    sessionStorage.setItem('marquee-phone', pairingId)
    await resumeTelevisionPairing(onInput)
    expect($televisionPairing.get().status).toBe('ended')
  })

  it('the television shows no message after a reload when no phone has used the code', async () => {
    const { resumePairing } = await import('../../src/islands/remote/television-pairing.ts')
    const { pairing_id } = await callApi(openPairing)
    sessionStorage.setItem('marquee-phone', pairing_id)
    // Simulates a new page, which starts without a pairing.
    $televisionPairing.set({ status: 'none' })
    $toast.set(null)
    await resumePairing()
    expect($televisionPairing.get().status).toBe('none')
    expect($toast.get()).toBeNull()
  })

  it('the television reports a failed request for a code', async () => {
    network.failNext(/POST .*pairings$/, 500)
    await openTelevisionPairing(onInput)
    expect($televisionPairing.get().status).toBe('failed')
  })
})

describe('the phone', () => {
  const pairWithTelevision = async () => {
    const { body } = await otherDevice.post('/api/remote/pairings')
    await claimTelevision(body.code)
    return `/api/remote/pairings/${body.pairing_id}`
  }

  it('the phone sends keys and texts one after the other, and nothing after the end of the pairing', async () => {
    await pairWithTelevision()
    expect($phonePairing.get().status).toBe('paired')
    network.clearRequests()
    const areInputsSent = await Promise.all([sendCommand('up'), sendText('dune'), sendCommand('ok')])
    expect(areInputsSent).toEqual([true, true, true])
    expect(network.requests.map(({ body }) => body)).toEqual([
      '{"command":"up"}',
      '{"text":"dune"}',
      '{"command":"ok"}',
    ])
    await endPhonePairing()
    expect(await sendCommand('ok')).toBe(false)
  })

  it('the phone skips repetitions of a held key while a key is being sent', async () => {
    await pairWithTelevision()
    const releaseRequest = network.hold(/command$/)
    network.clearRequests()
    const firstCommandPromise = sendCommand('down')
    phoneStore.repeatCommand('down')
    releaseRequest()
    await firstCommandPromise
    expect(network.requests).toHaveLength(1)
    await endPhonePairing()
  })

  it('the phone drops keys that were pressed while the network was interrupted for several seconds', async () => {
    await pairWithTelevision()
    const releaseRequest = network.hold(/command$/, 'request', 1)
    network.clearRequests()
    vi.useFakeTimers({ toFake: ['Date'] })
    const commandPromises = [sendCommand('play_pause'), sendCommand('play_pause'), sendCommand('ok')]
    await network.waitUntilIdle()
    vi.setSystemTime(Date.now() + 10_000)
    commandPromises.push(sendCommand('down'))
    releaseRequest()
    expect(await Promise.all(commandPromises)).toEqual([true, false, false, true])
    vi.useRealTimers()
    expect(network.requests.map(({ body }) => body)).toEqual([
      '{"command":"play_pause"}',
      '{"command":"down"}',
    ])
    await endPhonePairing()
  })

  it('the phone resumes its pairing after a reload only while the television is still paired', async () => {
    const pairingPath = await pairWithTelevision()
    expect(await resumePhonePairing()).toBe(true)
    await otherDevice.delete(pairingPath)
    await waitFor(() => expect($phonePairing.get()).toEqual({ status: 'ended', reason: 'ended' }))
    expect(await resumePhonePairing()).toBe(false)
  })

  it('the phone reports that the pairing ended because the television changed to a profile with a PIN', async () => {
    await pairWithTelevision()
    await otherDevice.post(`/api/profile/${profiles.guest}/lock`, { pin: '1234' })
    await otherDevice.post(`/api/profile/${profiles.guest}/unlock`, { pin: '1234' })
    otherDevice.profileId = profiles.guest
    await otherDevice.get(`/api/profile/${profiles.guest}/watchlist`)
    expect(await sendCommand('ok')).toBe(false)
    expect($phonePairing.get()).toEqual({ status: 'ended', reason: 'locked-profile' })
  })

  it('the phone keeps the pairing when a key could not be sent', async () => {
    otherDevice.profileId = profiles.adult
    await otherDevice.get(`/api/profile/${profiles.adult}/watchlist`)
    await pairWithTelevision()
    network.failNext(/command$/, 0)
    expect(await sendCommand('ok')).toBe(false)
    expect($phonePairing.get().status).toBe('paired')
    await endPhonePairing()
  })
})
