import { describe, expect, it } from 'vitest'
import { createResolverChain, type ResolverWithUpstream } from '../../../server/providers/resolver-chain.ts'
import { UpstreamBusyError } from '../../../server/providers/upstream.ts'
import type { UpstreamReply } from '../../../server/providers/upstream-reply.ts'

const reply = { streams: [] } as unknown as UpstreamReply

/** Returns a resolver whose lookups throw `result` if `result` is an Error, and otherwise return `result`. */
const createResolver = (id: string, result: UpstreamReply | Error | null): ResolverWithUpstream => ({
  id,
  upstream: {
    lookupStreams: async () => {
      if (result instanceof Error) throw result
      return result
    },
  } as unknown as ResolverWithUpstream['upstream'],
})

/**
 * Looks up streams in a chain of resolvers with these results. Returns the outcome and the reported errors.
 * The outcome is the reply of a resolver, null without streams, or an object with the thrown `error`.
 */
async function lookUpStreams(results: (UpstreamReply | Error | null)[]) {
  const reportedErrors: unknown[] = []
  const resolvers = results.map((result, index) => createResolver(`r${index}`, result))
  const resolverChain = createResolverChain(resolvers, (error) => reportedErrors.push(error))
  const outcome = await resolverChain
    .lookupStreams({} as never, 'account')
    .catch((error: unknown) => ({ error }))
  return { outcome, reportedErrors }
}

describe('a chain of stream resolvers', () => {
  const [firstError, secondError] = [new Error('first'), new Error('second')]

  it('returns the reply of the first resolver that has streams, and reports no error', async () => {
    const { outcome, reportedErrors } = await lookUpStreams([null, reply, reply])
    expect(outcome).toMatchObject({ resolver: { id: 'r1' }, reply })
    expect(reportedErrors).toEqual([])
  })

  it('returns null when no resolver has streams', async () => {
    expect(await lookUpStreams([null, null])).toEqual({ outcome: null, reportedErrors: [] })
  })

  it('reports the errors of the resolvers that were asked before the resolver that replied', async () => {
    const { outcome, reportedErrors } = await lookUpStreams([firstError, null, secondError, reply])
    expect(outcome).toMatchObject({ resolver: { id: 'r3' } })
    expect(reportedErrors).toEqual([firstError, secondError])
  })

  it('throws the last error when no resolver has streams, and reports the earlier errors', async () => {
    expect(await lookUpStreams([firstError, secondError, null])).toEqual({
      outcome: { error: secondError },
      reportedErrors: [firstError],
    })
  })

  it('throws the busy error of a resolver without asking further resolvers', async () => {
    const busyError = new UpstreamBusyError('busy')
    expect(await lookUpStreams([busyError, reply])).toEqual({
      outcome: { error: busyError },
      reportedErrors: [],
    })
  })

  it('reports an earlier error when a later resolver throws a busy error', async () => {
    const busyError = new UpstreamBusyError('busy')
    expect(await lookUpStreams([firstError, busyError, reply])).toEqual({
      outcome: { error: busyError },
      reportedErrors: [firstError],
    })
  })
})
