/** The development server serves the pages of a build at their URLs, and a service worker that handles no request. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { developmentServer } from '../../scripts/development-server.ts'

type Middleware = (request: { url?: string | undefined }, response: object, next: () => void) => void

let server: Server
let origin: string
beforeAll(async () => {
  const registeredMiddlewares: Middleware[] = []
  const { configureServer } = developmentServer()
  const configure = configureServer as (vite: {
    middlewares: { use: (middleware: Middleware) => void }
  }) => void
  configure({ middlewares: { use: (middleware) => registeredMiddlewares.push(middleware) } })
  server = createServer((request, response) => {
    for (const middleware of registeredMiddlewares)
      middleware(request, response, () => response.end(`page ${request.url}`))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

test.each([
  ['/movies/arrival', '/movies/detail/'],
  ['/fr/tvshows/dark?x=1', '/fr/tvshows/detail/?x=1'],
  ['/movies/arrival?redirect=/search?q=a&x=1', '/movies/detail/?redirect=/search?q=a&x=1'],
  ['/movies/', '/movies/'],
  ['/api/movies/slug/arrival', '/api/movies/slug/arrival'],
])('the development server responds to the path %s with the page %s', async (path, page) => {
  expect(await (await fetch(origin + path)).text()).toBe(`page ${page}`)
})

test('the service worker of the development server handles no request', async () => {
  const response = await fetch(`${origin}/sw.js`)
  expect(response.headers.get('content-type')).toBe('text/javascript')
  expect(await response.text()).not.toContain('fetch')
})
