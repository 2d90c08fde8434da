/** Artwork of the metadata source: fetched, resized, encoded and cached, or replaced by a drawing if unavailable. */
import { readdirSync } from 'node:fs'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createImageApp } from '../../../server/routes/images.ts'
import { drawSignedArtwork, isArtworkHidden } from '../../../server/services/catalogue/drawing.ts'
import type { Deps } from '../../../server/services/deps.ts'
import { insertTestAccount } from '../../support/server.ts'
import { TestClient } from '../../support/test-client.ts'
import { type ArtworkFixture, startArtworkFixture } from './artwork-fixture.ts'

let fixture: ArtworkFixture
let client: TestClient
type Card = { id: string; title: string; poster_path: string; backdrop_path: string }
let cardsByTitle: Map<string, Card>
const loadCards = async () =>
  new Map<string, Card>(
    (await client.get('/api/movies?limit=50')).body.results.map((card: Card) => [card.title, card]),
  )
beforeAll(async () => {
  fixture = await startArtworkFixture()
  await insertTestAccount(fixture.server, 'admin@example.com', 'admin')
  client = new TestClient(fixture.server)
  await client.login('admin@example.com')
  const { profile_id } = (await client.post('/api/profile', { name: 'Main' })).body
  client.profileId = profile_id
  cardsByTitle = await loadCards()
})
afterAll(() => fixture.close())
beforeEach(() => {
  fixture.handler = null
  fixture.requestedPaths = []
  fixture.server.advanceClock(25 * 3_600_000)
})
/** Returns dependencies whose replica has no rows yet. */
function createStaleDeps(): Deps {
  const { deps } = fixture.server
  const staleReader = deps.database.reader.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => ({ ...result, rows: [] }),
  })
  return { ...deps, database: { ...deps.database, kind: 'postgres', reader: staleReader } }
}
const getPosterPath = (title: string) => cardsByTitle.get(title)?.poster_path ?? ''

describe('the path of an image', () => {
  it('the path of an image begins with /art/ if the metadata source has the image, and with /drawn/ if not', () => {
    expect(getPosterPath('Heat')).toMatch(/^\/art\/poster\/\d+\.en\.[\w-]{16}\/heat\.jpg$/)
    expect(cardsByTitle.get('Heat')?.backdrop_path).toMatch(/^\/art\/backdrop\/.*\/heat-wide\.jpg$/)
    expect(cardsByTitle.get('Alien')?.backdrop_path).toMatch(/^\/drawn\/backdrop\//)
    expect(getPosterPath('Plain')).toMatch(/^\/drawn\/poster\//)
  })
  it('the path of an image begins with /drawn/ when the metadata source returned a path with folders', () =>
    expect(getPosterPath('Brazil')).toMatch(/^\/drawn\//))
  it('a path with a changed file, title, kind or language returns 404 without a request to the image host', async () => {
    const path = getPosterPath('Heat')
    const changedPaths = [
      path.replace('heat.jpg', 'alien.png'),
      path.replace(/\/(\d+)\./, (_, id) => `/${Number(id) + 1}.`),
      path.replace('/poster/', '/backdrop/'),
      path.replace('.en.', '.fr.'),
    ]
    for (const changedPath of changedPaths)
      expect([changedPath, (await fixture.loadImage(changedPath)).status]).toEqual([changedPath, 404])
    expect((await fixture.server.request(`/images/w0${path}`)).status).toBe(404)
    expect(fixture.requestedPaths).toEqual([])
  })
})

describe('the path of a drawn image', () => {
  const SIGNATURE = 'A'.repeat(16)
  const getDrawnPath = () => getPosterPath('Plain')

  it.each(['abc', '-1', '0', '01', '1e3', '1-2', '1-2-x', '9'.repeat(16), '9'.repeat(20), '__proto__'])(
    'the path of a drawn image with the invalid id %s returns 404 for every kind of image, and no error is logged',
    async (id) => {
      for (const kind of ['poster', 'backdrop', 'still', 'profile', 'other'])
        expect([kind, (await fixture.loadImage(`/drawn/${kind}/${id}.en.${SIGNATURE}.svg`)).status]).toEqual([
          kind,
          404,
        ])
      expect(fixture.server.logLines.filter((line) => line.includes('"level":"error"'))).toEqual([])
    },
  )

  it('no image is drawn for a path with a wrong signature, and at most two database statements are sent', async () => {
    const { deps } = fixture.server
    let statementCount = 0
    const reader = deps.database.reader.withPlugin({
      transformQuery: ({ node }) => {
        statementCount += 1
        return node
      },
      transformResult: async ({ result }) => result,
    })
    const countingDeps = { ...deps, database: { ...deps.database, reader } }
    const id = cardsByTitle.get('Plain')?.id
    for (const kind of ['poster', 'backdrop', 'still', 'profile']) {
      statementCount = 0
      const file = `${id}${kind === 'still' ? '-1-1' : ''}.en.${SIGNATURE}.svg`
      expect(await drawSignedArtwork(countingDeps, { kind, file, width: 2_000 })).toBeNull()
      // A portrait (`profile`) may need one more statement, for the name of the person in the language of the path.
      expect([kind, statementCount]).toEqual([
        kind,
        kind === 'profile' ? expect.toSatisfy((count) => count <= 2) : 1,
      ])
    }
    const file = getDrawnPath().split('/').at(-1) ?? ''
    expect(await drawSignedArtwork(countingDeps, { kind: 'poster', file, width: 342 })).not.toBeNull()
  })

  it('an image is drawn with data of the primary database while a replica does not have the title yet', async () => {
    const staleDeps = createStaleDeps()
    const file = getDrawnPath().split('/').at(-1) ?? ''
    const drawing = await drawSignedArtwork(staleDeps, { kind: 'poster', file, width: 342 })
    expect(drawing?.svg).toContain('Plain')
    expect(drawing && (await isArtworkHidden(staleDeps, drawing.art))).toBe(false)
  })

  it('the path of a drawn image returns 200, and returns 404 if the title, kind or language in the path is changed', async () => {
    const path = getDrawnPath()
    expect((await fixture.loadImage(path)).status).toBe(200)
    const changedPaths = [
      path.replace(/\/(\d+)\./, (_, id) => `/${Number(id) + 1}.`),
      path.replace('/poster/', '/backdrop/'),
      path.replace('.en.', '.fr.'),
    ]
    for (const changedPath of changedPaths)
      expect([changedPath, (await fixture.loadImage(changedPath)).status]).toEqual([changedPath, 404])
  })
})

describe('an image of the image host', () => {
  it('an image of the image host is sent as AVIF or WebP in the requested width, made from the next larger size that the image host offers', async () => {
    const avifResponse = await fixture.loadImage(getPosterPath('Heat'))
    expect(avifResponse.status).toBe(200)
    expect(Object.fromEntries(avifResponse.headers)).toMatchObject({
      'content-type': 'image/avif',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: expect.stringContaining('Accept'),
      'x-content-type-options': 'nosniff',
    })
    expect(await sharp(await avifResponse.arrayBuffer()).metadata()).toMatchObject({
      width: 342,
      height: 513,
    })
    const webpResponse = await fixture.loadImage(getPosterPath('Heat'), {
      width: 200,
      headers: { Accept: '*/*' },
    })
    expect(webpResponse.headers.get('content-type')).toBe('image/webp')
    expect((await sharp(await webpResponse.arrayBuffer()).metadata()).width).toBe(342)
    expect(fixture.requestedPaths).toEqual(['/t/p/w342/heat.jpg', '/t/p/w342/heat.jpg'])
    expect(fixture.lastRequestHeaders.cookie).toBeUndefined()
    expect(fixture.lastRequestHeaders.referer).toBeUndefined()
  })
  it('an image of the image host is not enlarged when the requested width is above the width of the image', async () => {
    const response = await fixture.loadImage(getPosterPath('Heat'), { width: 1280 })
    expect((await sharp(await response.arrayBuffer()).metadata()).width).toBe(600)
    expect(fixture.requestedPaths).toEqual(['/t/p/w780/heat.jpg'])
  })
  it('an image is fetched from the image host once for parallel and later requests, and a request with the ETag of the image returns 304', async () => {
    const options = { width: 500 }
    const responses = await Promise.all(
      [1, 2, 3].map(() => fixture.loadImage(getPosterPath('Heat'), options)),
    )
    const etag = responses[0]?.headers.get('etag') ?? ''
    const secondResponse = await fixture.loadImage(getPosterPath('Heat'), {
      ...options,
      headers: { Accept: 'image/avif', 'If-None-Match': etag },
    })
    expect([secondResponse.status, await secondResponse.text()]).toEqual([304, ''])
    expect(fixture.requestedPaths).toEqual(['/t/p/w500/heat.jpg'])
    expect(readdirSync(fixture.cacheFolder).length).toBeGreaterThan(0)
  })
  it('a cached image is sent without a request to the image host', async () => {
    await fixture.loadImage(getPosterPath('Heat'))
    fixture.requestedPaths = []
    fixture.handler = (_, response) => void response.destroy()
    expect((await fixture.loadImage(getPosterPath('Heat'))).headers.get('content-type')).toBe('image/avif')
    expect(fixture.requestedPaths).toEqual([])
  })
})

describe('an image that is unavailable', () => {
  const oversizedImage = Buffer.alloc(11 * 1024 * 1024)
  const svgDocument = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
  it.each<[string, NonNullable<ArtworkFixture['handler']>]>([
    ['is missing', (_, response) => void response.writeHead(404).end()],
    ['cannot be sent by the image host', (_, response) => void response.writeHead(500).end()],
    ['is cut off', (_, response) => void response.destroy()],
    [
      'is reachable only through a redirect',
      (_, response) => void response.writeHead(302, { Location: '/x' }).end(),
    ],
    ['is too large', (_, response) => void response.end(oversizedImage)],
    ['is an SVG document', (_, response) => void response.end(svgDocument)],
    ['is an HTML page', (_, response) => void response.end('<html>')],
  ])(
    'when an image %s, the server sends a drawing that browsers cache for ten minutes, and two loads of the image send only one request to the image host',
    async (_, handler) => {
      fixture.handler = handler
      for (let requestIndex = 0; requestIndex < 2; requestIndex++) {
        const response = await fixture.loadImage(getPosterPath('Alien'))
        expect(response.status).toBe(200)
        expect(response.headers.get('content-type')).toContain('image/svg+xml')
        expect(response.headers.get('cache-control')).toBe('public, max-age=600')
        expect(await response.text()).toContain('ALIEN')
      }
      expect(fixture.requestedPaths).toHaveLength(1)
      fixture.handler = null
      fixture.server.advanceClock(25 * 3_600_000)
      expect(
        (await fixture.loadImage(getPosterPath('Alien'), { width: 185 })).headers.get('content-type'),
      ).toBe('image/avif')
    },
  )
  it('the drawing that replaces an image is made from the primary database while a replica does not have the title yet', async () => {
    fixture.handler = (_, response) => void response.writeHead(404).end()
    const response = await createImageApp(createStaleDeps()).request(`/images/w780${getPosterPath('Alien')}`)
    expect(response.status).toBe(200)
    expect(await response.text()).toContain('ALIEN')
  })
})

it('when an image takes more than three seconds, a drawing that browsers do not cache is sent instead, and the image is cached when it arrives', async () => {
  let sendImage = () => {}
  fixture.handler = (request, response) => {
    fixture.handler = null
    sendImage = () => void fixture.sendImage(response)
    request.resume()
  }
  const path = cardsByTitle.get('Heat')?.backdrop_path ?? ''
  const response = await fixture.loadImage(path)
  expect(response.headers.get('content-type')).toContain('svg')
  expect(response.headers.get('cache-control')).toBe('no-store')
  sendImage()
  expect((await fixture.loadImage(path)).headers.get('content-type')).toBe('image/avif')
  expect(fixture.requestedPaths).toHaveLength(1)
})

it('the image of a hidden title is sent only to administrators, with a header that forbids caching', async () => {
  const movie = cardsByTitle.get('Heat')
  await client.login('admin@example.com')
  await client.patch(`/api/movies/${movie?.id}/publish`, { published: false })
  const path = getPosterPath('Heat')
  expect((await fixture.loadImage(path)).status).toBe(404)
  const response = await fixture.loadImage(path, { headers: { Cookie: client.cookie ?? '' } })
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'private, no-store'])
  await client.patch(`/api/movies/${movie?.id}/publish`, { published: true })
  expect((await fixture.loadImage(path)).status).toBe(200)
})

it('all images are drawn, including images with stored paths, when ARTWORK_SOURCE is changed to `drawn`', async () => {
  const { config } = fixture.server.deps
  await client.login('admin@example.com')
  expect((await loadCards()).get('Heat')?.poster_path).toMatch(/^\/art\//)
  config.artworkSource = 'drawn'
  expect((await loadCards()).get('Heat')?.poster_path).toMatch(/^\/drawn\//)
  const response = await fixture.loadImage(getPosterPath('Heat'), { width: 780 })
  expect(response.headers.get('content-type')).toContain('svg')
  expect(fixture.requestedPaths).toEqual([])
  config.artworkSource = 'tmdb'
})
