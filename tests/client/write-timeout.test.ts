/** Writes and file downloads that the server does not answer. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { callApi } from '../../src/lib/client/call.ts'
import { fetchFile } from '../../src/lib/client/fetch-file.ts'
import { deleteOwnAccount } from '../../src/lib/contract/account.ts'
import { exportAccount, startHistoryImport } from '../../src/lib/contract/history-transfer.ts'
import { buildEndpointUrl } from '../../src/lib/endpoint-url.ts'
import { waitFor } from '../support/wait-for.ts'

const USER = { user_id: 'u', email: null, role: 'user' }
const TOKENS = { access_token: 'a.b.c', token_type: 'Bearer', expires_in: 600, user: USER }

/**
 * URLs of the requests that this file tests. Other requests are ignored: modules of an earlier test file in this
 * process may send requests late.
 */
const TESTED_URLS = [
  buildEndpointUrl(deleteOwnAccount, {}),
  buildEndpointUrl(startHistoryImport, { params: { id: 'p' } }),
  buildEndpointUrl(exportAccount, {}),
]

const sentSignals: (AbortSignal | null | undefined)[] = []
vi.stubGlobal('fetch', (url: string, init?: RequestInit) => {
  if (url.endsWith('/auth/refresh')) return Promise.resolve(Response.json(TOKENS))
  if (TESTED_URLS.includes(url)) sentSignals.push(init?.signal)
  return new Promise((_, reject) =>
    init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error)),
  )
})

/** Makes all simulated timeouts of thirty seconds expire immediately. */
let expireTimeouts: () => void
beforeEach(() => {
  const controller = new AbortController()
  expireTimeouts = () => controller.abort(new DOMException('', 'TimeoutError'))
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((durationMs) =>
    durationMs === 30_000 ? controller.signal : new AbortController().signal,
  )
})
afterEach(() => {
  vi.restoreAllMocks()
  sentSignals.splice(0)
})
const waitUntilSent = () => waitFor(() => expect(sentSignals).toHaveLength(1))

it('a write without a response fails with a network error after thirty seconds', async () => {
  const failure = callApi(deleteOwnAccount, { body: { password: 'secret' } }).catch((error: unknown) => error)
  await waitUntilSent()
  expireTimeouts()
  expect(await failure).toMatchObject({ type: 'network_error', status: 0 })
})

it('a write with `writeTimeoutMs` has this timeout instead of thirty seconds', async () => {
  void callApi(deleteOwnAccount, { body: { password: 'secret' }, writeTimeoutMs: 4_000 })
  await waitUntilSent()
  expect(vi.mocked(AbortSignal.timeout).mock.calls).toEqual([[4_000]])
  expect(sentSignals).toEqual([vi.mocked(AbortSignal.timeout).mock.results[0]?.value])
})

it('an upload and a download have no timeout', async () => {
  void callApi(startHistoryImport, { params: { id: 'p' }, file: new Blob(['a']) })
  await waitUntilSent()
  void fetchFile(exportAccount)
  await waitFor(() => expect(sentSignals).toEqual([null, null]))
})
