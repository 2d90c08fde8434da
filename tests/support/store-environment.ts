/**
 * Runs the stores of the site against the real server, which runs in this process with a SQLite file.
 * browser-globals.ts replaces the globals of the browser. `fetch` is replaced by a function that calls the server and
 * records every request.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, vi } from 'vitest'
import { DATABASE_FILE_NAME } from '../../server/db/database.ts'
import { findJobWorker } from '../../server/services/jobs/job-queue.ts'
import type { MediaCard } from '../../src/lib/contract/media.ts'
import { installBrowserGlobals, type TestBrowser } from './browser-globals.ts'
import { openMigratedFile } from './databases.ts'
import { insertTestAccount, startTestServer, TEST_PASSWORD, type TestServer } from './server.ts'
import { importStoreTestTitles, type StoreTestTitle } from './store-titles.ts'
import { TestClient } from './test-client.ts'

export interface RecordedRequest {
  method: string
  /** Path and query. */
  url: string
  /** Value of the `X-Profile-Id` header. */
  profile: string | null
  body: string
}
type HoldStage = 'request' | 'reply'
interface RequestHold {
  stage: HoldStage
  isHeld: (request: RecordedRequest) => boolean
  releasePromise: Promise<void>
  release: () => void
}

/** Number of turns of the event loop without a request, after which the stores of a file count as stopped. */
const MIN_IDLE_TURNS_AT_END = 30

/** The network between the stores and the server. */
export class TestNetwork {
  /** Requests in the order in which they were sent. */
  readonly requests: RecordedRequest[] = []
  readonly #server: TestServer
  readonly #browser: TestBrowser
  readonly #failures: { pattern: RegExp; status: number; html: string | undefined }[] = []
  readonly #lostReplies: RegExp[] = []
  readonly #holds = new Set<RequestHold>()
  #isOffline = false
  readonly #cookies = new Map<string, string>()
  #inProgressCount = 0
  /**
   * True when the test file has been loaded. Before that, waiting for dynamic imports would wait for the test file
   * itself.
   */
  canAwaitImports = false

  constructor(server: TestServer, browser: TestBrowser) {
    this.#server = server
    this.#browser = browser
    globalThis.fetch = (input, init) => this.#fetch(String(input), init)
  }

  /** While offline, connections fail and `navigator.onLine` is false. */
  setOffline(isOffline: boolean): void {
    this.#isOffline = isOffline
    this.#browser.setOnline(!isOffline)
  }

  /**
   * Answers the next request whose method and URL match `pattern` with the error `status`. The request does not reach
   * the server. If `status` is 0, the connection fails. With `html`, the response body is this HTML page, as from a
   * proxy.
   */
  failNext(pattern: RegExp, status: number, html?: string): void {
    this.#failures.push({ pattern, status, html })
  }

  /**
   * Loses the reply to the next request whose method and URL match `pattern`: the server handles the request, but the
   * connection fails before the reply arrives.
   */
  loseNextReply(pattern: RegExp): void {
    this.#lostReplies.push(pattern)
  }

  /**
   * Holds requests whose method and URL match `pattern`, until the returned function is called. In the stage `request`,
   * a held request does not reach the server. In the stage `reply`, the server answers, but the reply does not arrive.
   * After `maxCount` held requests, further requests are not held.
   */
  hold(pattern: RegExp, stage: HoldStage = 'request', maxCount = Number.POSITIVE_INFINITY): () => void {
    const { promise, resolve } = Promise.withResolvers<void>()
    let heldCount = 0
    const hold = {
      stage,
      isHeld: ({ method, url }: RecordedRequest) => {
        if (heldCount >= maxCount || !pattern.test(`${method} ${url}`)) return false
        heldCount += 1
        return true
      },
      releasePromise: promise,
      release: () => {
        this.#holds.delete(hold)
        resolve()
      },
    }
    this.#holds.add(hold)
    return hold.release
  }

  /** Resets the network after a test: releases held requests, removes pending failures and goes online. */
  async reset(): Promise<void> {
    for (const hold of this.#holds) hold.release()
    this.#failures.length = 0
    this.#lostReplies.length = 0
    if (this.#isOffline) this.setOffline(false)
    await this.waitUntilIdle()
  }

  /**
   * Resolves when no request and no dynamic import is in progress, and no further request has started for
   * `minIdleTurns` turns of the event loop. Held requests do not count.
   */
  async waitUntilIdle(minIdleTurns = 5): Promise<void> {
    let requestCount: number
    do {
      requestCount = this.requests.length
      // Many stores load code before they send a request. On a busy machine, loading takes more than a few turns.
      if (this.canAwaitImports) await vi.dynamicImportSettled()
      await this.#waitForIdleTurns(minIdleTurns)
    } while (this.requests.length > requestCount)
  }

  async #waitForIdleTurns(minIdleTurns: number): Promise<void> {
    for (let idleTurnCount = 0; idleTurnCount < minIdleTurns; idleTurnCount++) {
      await new Promise((resolve) => setTimeout(resolve, 1))
      if (this.#inProgressCount > 0) idleTurnCount = -1
    }
  }

  clearRequests(): void {
    this.requests.length = 0
  }

  async #fetch(url: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    const method = init.method ?? 'GET'
    init.signal?.throwIfAborted()
    const body = typeof init.body === 'string' ? init.body : ''
    const request = { method, url, profile: headers.get('X-Profile-Id'), body }
    this.requests.push(request)
    const abortPromise = new Promise<never>((_, reject) =>
      init.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error)),
    )
    abortPromise.catch(() => {})
    const waitWhileHeld = async (stage: HoldStage) => {
      for (const hold of this.#holds)
        if (hold.stage === stage && hold.isHeld(request))
          await Promise.race([hold.releasePromise, abortPromise])
    }
    await waitWhileHeld('request')
    if (this.#isOffline) throw new TypeError('Failed to fetch')
    const failureIndex = this.#failures.findIndex(({ pattern }) => pattern.test(`${method} ${url}`))
    const [failure] = failureIndex >= 0 ? this.#failures.splice(failureIndex, 1) : []
    if (failure?.status === 0) throw new TypeError('Failed to fetch')
    if (failure?.html) return new Response(failure.html, { status: failure.status })
    if (failure) return Response.json({ type: 'server_error', message: 'Failed' }, { status: failure.status })
    const response = await Promise.race([this.#send(url, { ...init, headers, signal: null }), abortPromise])
    await waitWhileHeld('reply')
    const lostReplyIndex = this.#lostReplies.findIndex((pattern) => pattern.test(`${method} ${url}`))
    if (lostReplyIndex < 0) return response
    this.#lostReplies.splice(lostReplyIndex, 1)
    throw new TypeError('Failed to fetch')
  }

  async #send(url: string, init: RequestInit & { headers: Headers }): Promise<Response> {
    if (this.#cookies.size > 0)
      init.headers.set('Cookie', [...this.#cookies].map((cookie) => cookie.join('=')).join('; '))
    this.#inProgressCount += 1
    try {
      const response = await this.#server.request(url, init)
      for (const line of response.headers.getSetCookie()) {
        const [name = '', value = ''] = line.split(';')[0]?.split('=') ?? []
        if (value) this.#cookies.set(name, value)
        else this.#cookies.delete(name)
      }
      return response
    } finally {
      this.#inProgressCount -= 1
    }
  }
}

export interface TestHousehold {
  server: TestServer
  browser: TestBrowser
  network: TestNetwork
  /** Credentials of the account of the household. The account is an administrator. */
  credentials: { email: string; password: string }
  /** Ids of the profiles. The adult is the main profile. The guest is an adult too. */
  profiles: { adult: string; kid: string; guest: string }
  /** Titles by name (store-titles.ts). */
  titles: Record<string, StoreTestTitle>
  /** Returns an incomplete card of the test title with this name. It has only the fields that the stores read. */
  getCard: (name: string) => MediaCard
  /** A client of the same account that acts as another device. */
  otherDevice: TestClient
}

/**
 * Starts a server with one household and installs the browser's globals. Must be called before the stores are imported.
 */
export async function startHousehold(url?: string, env: Record<string, string> = {}): Promise<TestHousehold> {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-stores-'))
  const server = await startTestServer({
    database: await openMigratedFile(join(folder, DATABASE_FILE_NAME)),
    env: { DEMO: '1', DATA_DIR: folder, ...env },
  })
  const titlesByName = await importStoreTestTitles(server.deps)
  const credentials = { email: 'alex@example.org', password: TEST_PASSWORD }
  await insertTestAccount(server, credentials.email, 'admin')
  const otherDevice = new TestClient(server)
  await otherDevice.login(credentials.email)
  await otherDevice.put('/api/auth/user', { onboarded: true })
  const createProfile = async (name: string, isKids = false): Promise<string> =>
    (await otherDevice.post('/api/profile', { name, kids: isKids, avatar: 1 })).body.profile_id
  const adultId = await createProfile('Alex')
  otherDevice.profileId = adultId
  const profileIds = {
    adult: adultId,
    kid: await createProfile('Kim', true),
    guest: await createProfile('Robin'),
  }
  const browser = installBrowserGlobals(url)
  const network = new TestNetwork(server, browser)
  const getCard = (name: string) => {
    const title = titlesByName[name]
    if (!title) throw new Error(`There is no title ${name}`)
    return { ...title, title: name, genres: [] } as unknown as MediaCard
  }
  beforeAll(() => {
    network.canAwaitImports = true
  })
  afterAll(async () => {
    // Ends the session, so that the stores of this test file send no requests while the next test file runs.
    const { clearSession } = await import('../../src/lib/client/auth.ts')
    const { startProfileSession } = await import('../../src/lib/client/profile-session.ts')
    startProfileSession(null)
    clearSession()
    await network.waitUntilIdle(MIN_IDLE_TURNS_AT_END)
    await findJobWorker(server.deps)?.stop()
    await server.deps.searchIndex.whenIdle()
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    server,
    browser,
    network,
    credentials,
    profiles: profileIds,
    titles: titlesByName,
    getCard,
    otherDevice,
  }
}

/**
 * Starts a household and signs in as its adult. The stores are imported in this function and not at the top of the
 * file, because the globals must be installed first.
 */
export async function signInHousehold(url?: string, env: Record<string, string> = {}) {
  const household = await startHousehold(url, env)
  const { signIn } = await import('../../src/lib/stores/sign-in.ts')
  const { startProfileSession } = await import('../../src/lib/client/profile-session.ts')
  const { $profile, loadProfiles, selectProfile } = await import('../../src/lib/stores/profile.ts')
  await signIn(household.credentials)
  await loadProfiles()
  // Listens to the acting profile, as every page of the site does.
  $profile.listen(() => {})
  const { network, profiles } = household
  /** Selects a profile. Afterwards `network.requests` contains the requests since the switch. */
  const switchTo = async (name: keyof typeof profiles) => {
    network.clearRequests()
    selectProfile(profiles[name])
    await network.waitUntilIdle()
  }
  /** Starts a new session for a profile, even for the profile that already acts, and clears the recorded requests. */
  const actAs = async (name: keyof typeof profiles) => {
    startProfileSession(null)
    await switchTo(name)
    network.clearRequests()
  }
  afterEach(() => network.reset())
  /** Describes each request that was sent for the adult, or that contains the adult's id or a title for adults. */
  const findAdultRequests = () => {
    const adultTitles = ['Night Harbour', 'Cold Verdict', 'Iron Ledger'].map(household.getCard)
    const adultTexts = [profiles.adult, ...adultTitles.flatMap(({ id, slug, title }) => [id, slug, title])]
    return network.requests
      .filter(({ url, body, profile }) => {
        const requestText = `${profile} ${decodeURIComponent(url)} ${body}`
        return adultTexts.some((text) => requestText.includes(text))
      })
      .map(({ method, url }) => `${method} ${url}`)
  }
  await actAs('adult')
  return { ...household, actAs, switchTo, findAdultRequests }
}

/** Starts the outbox immediately, as on a page that is opened without a network. */
export async function startOutboxImmediately({ network }: TestHousehold): Promise<void> {
  const { startOutbox } = await import('../../src/lib/stores/lazy-outbox.ts')
  network.setOffline(true)
  startOutbox()
  await import('../../src/lib/stores/outbox.ts')
  await network.waitUntilIdle()
  network.setOffline(false)
  await network.waitUntilIdle()
}
