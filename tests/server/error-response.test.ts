/** Tests which errors of requests the server logs. */
import { Hono } from 'hono'
import { expect, it } from 'vitest'
import { createLog } from '../../server/core/log.ts'
import { Problem } from '../../server/core/problem.ts'
import { createErrorResponse } from '../../server/http/error-response.ts'
import type { Deps } from '../../server/services/deps.ts'

/** Returns the status of a request that fails with `error`, and the messages of the log. */
async function simulateFailedRequest(error: Error) {
  const logLines: string[] = []
  const deps = {
    database: { storage: { getFault: () => null } },
    log: createLog('info', (line) => logLines.push(line)),
  } as unknown as Deps
  const app = new Hono()
  app.get('/', () => {
    throw error
  })
  app.onError((thrownError, c) => createErrorResponse(c, thrownError, deps, 'request id'))
  const { status } = await app.request('/')
  return { status, errors: logLines.map((line) => JSON.parse(line).error as string) }
}

it.each([
  ['an unexpected error', new Error('bug'), 500, ['bug']],
  [
    'an unavailable database',
    Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }),
    503,
    ['refused'],
  ],
  [
    'an unreadable folder',
    new Problem('overloaded', { cause: new Error('unreadable') }),
    503,
    ['unreadable'],
  ],
  [
    'a request that is rejected because too many wait',
    new Problem('overloaded', { retryAfterSeconds: 1 }),
    503,
    [],
  ],
  ['a missing title', new Problem('not_found'), 404, []],
])(
  'an error is logged only if an operator can remove the cause of the error: %s',
  async (_name, error, status, errors) => {
    expect(await simulateFailedRequest(error)).toEqual({ status, errors })
  },
)
