import { describe, expect, it } from 'vitest'
import { createResolverChain, type Resolver } from '../../../server/providers/resolver-chain.ts'
import { UpstreamBusyError } from '../../../server/providers/upstream.ts'
import type { UpstreamReply } from '../../../server/providers/upstream-reply.ts'

const reply = { streams: [] } as unknown as UpstreamReply

/** Creates a resolver that fails with `result` if it is an error, and otherwise returns `result`. */
const createResolver = (id: string, result: UpstreamReply | Error | null): Resolver => ({
  id,
  upstream: {
    lookupStreams: async () => {
      if (result instanceof Error) throw result
      return result
    },
  } as unknown as Resolver['upstream'],
})

/** Asks the resolvers, and returns the outcome and the errors that were reported. */
async function lookup(results: (UpstreamReply | Error | null)[]) {
  const reported: unknown[] = []
  const resolvers = results.map((result, index) => createResolver(`r${index}`, result))
  const chain = createResolverChain(resolvers, (error) => reported.push(error))
  const outcome = await chain.lookupStreams({} as never, 'account').catch((error: unknown) => ({ error }))
  return { outcome, reported }
}

describe('a chain of resolvers', () => {
  const [first, second] = [new Error('first'), new Error('second')]

  it('returns the first reply, without an error', async () => {
    const { outcome, reported } = await lookup([null, reply, reply])
    expect(outcome).toMatchObject({ resolver: { id: 'r1' }, reply })
    expect(reported).toEqual([])
  })

  it('returns null when no resolver has streams', async () => {
    expect(await lookup([null, null])).toEqual({ outcome: null, reported: [] })
  })

  it('reports the errors of all resolvers before the one that replies', async () => {
    const { outcome, reported } = await lookup([first, null, second, reply])
    expect(outcome).toMatchObject({ resolver: { id: 'r3' } })
    expect(reported).toEqual([first, second])
  })

  it('throws the last error when a resolver failed and no other has streams, and reports the others', async () => {
    expect(await lookup([first, second, null])).toEqual({ outcome: { error: second }, reported: [first] })
  })

  it('asks no further resolver while a resolver refuses because it is busy', async () => {
    const busy = new UpstreamBusyError('busy')
    expect(await lookup([busy, reply])).toEqual({ outcome: { error: busy }, reported: [] })
  })
})
