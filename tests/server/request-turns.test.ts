/** Clients take turns, so that a burst of requests from one address does not delay the others. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { MAX_WAITING_MS, MAX_WAITING_PER_ADDRESS, takeTurns } from '../../server/http/request-turns.ts'

afterEach(() => vi.restoreAllMocks())

/** Sends requests to a listener that records their names, and records the status of rejected ones. */
function createTurns() {
  const handled: string[] = []
  const rejected: string[] = []
  const addresses = new Map<IncomingMessage, string>()
  const listener = takeTurns((request) => handled.push(request.headers['x-name'] as string), {
    findAddress: (request) => addresses.get(request) ?? '',
  })
  const send = (address: string, name: string, { url = '/api/movies', destroyed = false } = {}) => {
    const request = { url, method: 'GET', headers: { 'x-name': name } } as unknown as IncomingMessage
    addresses.set(request, address)
    const response = {
      destroyed,
      writeHead: (status: number) => {
        rejected.push(`${name} ${status}`)
        return response
      },
      end: () => {},
    } as unknown as ServerResponse
    listener(request, response)
  }
  return { handled, rejected, send }
}

async function runTurns(count: number) {
  for (let turn = 0; turn < count; turn += 1) await nextTurn()
}

describe('takeTurns', () => {
  it('handles a request at once when none came before it in this turn', async () => {
    const { handled, send } = createTurns()
    send('a', 'first')
    expect(handled).toEqual(['first'])
    await runTurns(2)
    send('a', 'second')
    expect(handled).toEqual(['first', 'second'])
  })

  it('handles a burst in its order', async () => {
    const { handled, send } = createTurns()
    for (let index = 0; index < 5; index += 1) send('a', `${index}`)
    expect(handled).toHaveLength(1)
    await nextTurn()
    await runTurns(10)
    expect(handled).toEqual(['0', '1', '2', '3', '4'])
  })

  it('handles a request of another address before the rest of a burst', async () => {
    const { handled, send } = createTurns()
    for (let index = 0; index < 100; index += 1) send('burst', `burst ${index}`)
    for (const address of ['b', 'c']) send(address, address)
    await runTurns(4)
    expect(handled.indexOf('b')).toBeLessThanOrEqual(2)
    expect(handled.indexOf('c')).toBeLessThanOrEqual(3)
    await runTurns(110)
    expect(handled).toHaveLength(102)
  })

  it('rejects calls, but neither pages nor health checks, of an address with too many waiting requests', async () => {
    const { handled, rejected, send } = createTurns()
    for (let index = 0; index <= MAX_WAITING_PER_ADDRESS; index += 1) send('a', `${index}`)
    send('a', 'call')
    send('a', 'page', { url: '/movies/' })
    send('a', 'health', { url: '/api/health/ready' })
    send('b', 'other')
    expect(rejected).toEqual(['call 503'])
    await runTurns(MAX_WAITING_PER_ADDRESS + 10)
    expect(handled).toEqual(expect.arrayContaining(['page', 'health', 'other']))
  })

  it('rejects calls that have waited too long while many wait, and handles the last ones', async () => {
    const { handled, rejected, send } = createTurns()
    const now = vi.spyOn(performance, 'now').mockReturnValue(0)
    for (let index = 0; index < 400; index += 1) send('a', `${index}`)
    now.mockReturnValue(MAX_WAITING_MS + 1)
    await runTurns(420)
    expect(rejected.length).toBeGreaterThan(150)
    expect(handled.length).toBeGreaterThan(150)
    expect(handled.length + rejected.length).toBe(400)
    expect(handled.at(-1)).toBe('399')
  })

  it('leaves out requests whose client has gone', async () => {
    const { handled, rejected, send } = createTurns()
    send('a', 'first')
    send('a', 'gone', { destroyed: true })
    send('a', 'last')
    await runTurns(4)
    expect(handled).toEqual(['first', 'last'])
    expect(rejected).toEqual([])
  })
})
