/**
 * While the database is unavailable, every route that needs the database returns 503 with Retry-After in the error
 * format of the API. The requests are generated from the routes of the running app, so that new routes outside the
 * contract are tested too.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp, ROUTES } from '../../../server/app.ts'
import { buildRemoteArtPath } from '../../../server/services/catalogue/artwork.ts'
import { type MediaClaim, signStreamFolder } from '../../../server/services/playback/media-url.ts'
import { ALL_ENDPOINTS, createRequiredQuery, getEndpointName } from '../../support/endpoints.ts'
import { failAllStatements } from '../../support/storage-faults.ts'
import { buildWriteRequest, createWriteCaller, type WriteCaller } from '../../support/write-calls.ts'
import { createTempFolder, type MediaTestServer, startMediaTestServer } from '../media/media-test-server.ts'

const METRICS_TOKEN = 'metrics-token-of-at-least-32-characters'
const SQLITE_CANTOPEN = 14
const OUTAGES: [name: string, createError: () => Error][] = [
  [
    'the database server refuses connections',
    () => Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }),
  ],
  ['the database server restarts', () => Object.assign(new Error('terminating'), { code: '57P01' })],
  [
    'the database file cannot be opened',
    () => Object.assign(new Error('open'), { errcode: SQLITE_CANTOPEN }),
  ],
]
const OVERLOAD_PROBLEM = {
  type: 'overloaded',
  status_code: 503,
  message: 'The server is busy. Try again shortly.',
  errors: {},
}

/** Calls that do not return 503: they need no database, or are rejected earlier because they have no session. */
const REPLIES_WITHOUT_DATABASE = [
  'GET /api/auth/providers/{id}/callback: 303',
  'GET /api/health/live: 200',
  'POST /api/auth/passkey/options: 200',
  'POST /api/auth/refresh: 401',
]

const CONTRACT_PATHS = new Set(
  ROUTES.map(({ endpoint }) => endpoint.base + endpoint.path.replace(/\{(\w+)\}/g, ':$1')),
)

describe('while the database is unavailable', () => {
  const mediaFolder = createTempFolder({ 'Heat (1995) 1080p.mp4': 'heat' })
  let mediaServer: MediaTestServer
  let caller: WriteCaller
  let movieId = ''
  let mountPoints: { method: string; path: string }[] = []
  /** Path of a test request, by the path of its route. The path is signed if the route requires a signed URL. */
  const testPathsByRoute = new Map<string, string>()

  beforeAll(async () => {
    mediaServer = await startMediaTestServer({ MEDIA_DIR: mediaFolder.path, METRICS_TOKEN }, [
      { title: 'Heat', year: 1995, imdb: 'tt0000001' },
    ])
    const { server, adult, adultId } = mediaServer
    const { deps } = server
    caller = await createWriteCaller(server)
    const [movie] = (await adult.get('/api/movies')).body.results
    movieId = movie.id
    const stream = await mediaServer.lookUpStream('movie/tt0000001')
    const mediaUrl = stream.body.sources[0]?.url ?? ''
    const claim: MediaClaim = {
      location: { source: 'thumbnails', name: 'none' },
      titleId: Number(movieId),
      expiresAtMs: deps.now() + 3_600_000,
      sid: new URL(mediaUrl, mediaServer.baseUrl).searchParams.get('l') ?? '',
      profileId: adultId,
      pinGeneration: 0,
    }
    const art = { kind: 'poster' as const, key: movieId, lang: 'en', imagePath: '/poster.jpg' }
    testPathsByRoute.set('/images/:width/drawn/:kind/:file', `/images/w342${movie.poster_path}`)
    testPathsByRoute.set(
      '/images/:width/art/:kind/:owner/:file',
      `/images/w342${buildRemoteArtPath(deps, art)}`,
    )
    testPathsByRoute.set('/proxy/m/*', mediaUrl)
    testPathsByRoute.set('/proxy/hls/*', `${signStreamFolder(deps, claim)}0.jpg`)
    testPathsByRoute.set('/api/admin/backups/:id/file', '/api/admin/backups/any/file?token=any')
    testPathsByRoute.set('/api/metrics', '/api/metrics')
    testPathsByRoute.set('/api/openapi.json', '/api/openapi.json')
    testPathsByRoute.set('/api/docs', '/api/docs')
    mountPoints = createApp(deps).routes.filter(
      ({ method, path }) => method !== 'ALL' && !CONTRACT_PATHS.has(path),
    )
  }, 60_000)
  afterAll(async () => {
    await mediaServer.close()
    mediaFolder.remove()
  })

  const sendDuringOutage = async (createError: () => Error, path: string, init: RequestInit) => {
    const endOutage = failAllStatements(createError)
    try {
      const response = await mediaServer.server.request(path, init)
      const { status, headers } = response
      const text = await response.text()
      const isJson = headers.get('content-type')?.startsWith('application/json') === true
      return {
        status,
        retryAfter: headers.get('Retry-After'),
        body: isJson && text ? JSON.parse(text) : text,
      }
    } finally {
      endOutage()
    }
  }

  it('each route outside the contract has a request in this test', () => {
    expect([...new Set(mountPoints.map(({ path }) => path))].sort()).toEqual(
      [...testPathsByRoute.keys()].sort(),
    )
  })

  it.each(OUTAGES)(
    'routes outside the contract that need the database return 503 when %s',
    async (_name, createError) => {
      const pathsWithoutDatabase = new Set(['/api/openapi.json', '/api/docs'])
      for (const { method, path } of mountPoints) {
        // Results of access checks are cached for a second.
        mediaServer.server.advanceClock(2_000)
        const reply = await sendDuringOutage(createError, testPathsByRoute.get(path) ?? '', {
          method,
          headers: { Authorization: `Bearer ${METRICS_TOKEN}` },
        })
        const expectedReply = pathsWithoutDatabase.has(path)
          ? { status: 200 }
          : { status: 503, retryAfter: '2', body: method === 'HEAD' ? '' : OVERLOAD_PROBLEM }
        expect({ method, path, ...reply }).toMatchObject({ method, path, ...expectedReply })
      }
    },
  )

  it.each(OUTAGES)('calls of the contract return 503 when %s', async (_name, createError) => {
    const repliesWithout503: string[] = []
    for (const endpoint of ALL_ENDPOINTS) {
      const { path, init } = buildWriteRequest(endpoint, caller, movieId)
      const { body, ...otherInit } = init
      const query = createRequiredQuery(endpoint, { q: 'heat', from: '2026-11-01', until: '2026-11-30' })
      const reply = await sendDuringOutage(
        createError,
        endpoint.method === 'GET' ? `${path}?${query}` : path,
        endpoint.method === 'GET' ? otherInit : { ...otherInit, body },
      )
      if (reply.status === 503)
        expect([getEndpointName(endpoint), reply.body]).toEqual([getEndpointName(endpoint), OVERLOAD_PROBLEM])
      else repliesWithout503.push(`${getEndpointName(endpoint)}: ${reply.status}`)
    }
    expect(repliesWithout503.sort()).toEqual(REPLIES_WITHOUT_DATABASE)
  })
})
