/** Runs deploy/cloudflare/_worker.js unchanged in Node, which is possible because the file uses only web standards. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve as resolvePath } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'

interface CloudflareWorker {
  fetch(
    request: Request,
    env: { API_ORIGIN: string; ASSETS: { fetch(request: Request): Promise<Response> } },
  ): Promise<Response>
}
let worker: CloudflareWorker
let api: Server
let apiOrigin: string
const ASSETS = { fetch: async () => new Response('the site') }

beforeAll(async () => {
  worker = ((await import(resolvePath('deploy/cloudflare/_worker.js'))) as { default: CloudflareWorker })
    .default
  api = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      response.setHeader('Set-Cookie', '__Host-rt=x; Secure')
      const { method, url, headers } = request
      response.end(
        JSON.stringify({
          method,
          url,
          from: headers['x-forwarded-for'],
          cookie: headers.cookie,
          body: String(Buffer.concat(chunks)),
        }),
      )
    })
  })
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve))
  apiOrigin = `http://127.0.0.1:${(api.address() as AddressInfo).port}`
})
afterAll(() => api.close())

it('the Cloudflare worker proxies API requests with method, body, query, cookies and client address', async () => {
  const request = new Request('https://films.example.org/api/auth/login?a=1', {
    method: 'POST',
    body: '{"email":"a"}',
    headers: { 'CF-Connecting-IP': '203.0.113.7', 'X-Forwarded-For': '1.2.3.4', Cookie: '__Host-rt=y' },
  })
  const response = await worker.fetch(request, { API_ORIGIN: apiOrigin, ASSETS })
  expect(await response.json()).toEqual({
    method: 'POST',
    url: '/api/auth/login?a=1',
    from: '203.0.113.7',
    cookie: '__Host-rt=y',
    body: '{"email":"a"}',
  })
  expect(response.headers.get('set-cookie')).toContain('__Host-rt')
})

it('the Cloudflare worker serves pages from the static assets', async () => {
  const response = await worker.fetch(new Request('https://films.example.org/apiary/'), {
    API_ORIGIN: apiOrigin,
    ASSETS,
  })
  expect(await response.text()).toBe('the site')
})

it.each(['https://api.example.org/marquee', 'api.example.org', ''])(
  'the Cloudflare worker rejects API_ORIGIN=%s with an error that names the variable',
  async (invalidOrigin) => {
    const request = new Request('https://films.example.org/api/health/live')
    const response = await worker.fetch(request, { API_ORIGIN: invalidOrigin, ASSETS })
    expect([response.status, await response.text()]).toEqual([500, expect.stringContaining('API_ORIGIN')])
  },
)

it('the Cloudflare worker returns 503 with Retry-After if the API is unreachable', async () => {
  const request = new Request('https://films.example.org/api/health/live')
  const response = await worker.fetch(request, { API_ORIGIN: 'http://127.0.0.1:1', ASSETS })
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
})
