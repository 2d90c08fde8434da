/** deploy/cloudflare/_worker.js, which is plain web standards: run here as it is. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'

interface Worker {
  fetch(
    request: Request,
    env: { API_ORIGIN: string; ASSETS: { fetch(request: Request): Promise<Response> } },
  ): Promise<Response>
}
let worker: Worker
let api: Server
let origin: string
const ASSETS = { fetch: async () => new Response('the site') }

beforeAll(async () => {
  worker = ((await import(resolve('deploy/cloudflare/_worker.js'))) as { default: Worker }).default
  api = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      response.setHeader('Set-Cookie', '__Host-rt=x; Secure')
      const { method, url, headers } = request
      response.end(
        JSON.stringify({
          method,
          url,
          from: headers['x-forwarded-for'],
          cookie: headers.cookie,
          body: String(Buffer.concat(parts)),
        }),
      )
    })
  })
  await new Promise<void>((done) => api.listen(0, '127.0.0.1', done))
  origin = `http://127.0.0.1:${(api.address() as AddressInfo).port}`
})
afterAll(() => api.close())

it('hands calls on whole: method, body, query, cookies, and who asks', async () => {
  const request = new Request('https://films.example.org/api/auth/login?a=1', {
    method: 'POST',
    body: '{"email":"a"}',
    headers: { 'CF-Connecting-IP': '203.0.113.7', 'X-Forwarded-For': '1.2.3.4', Cookie: '__Host-rt=y' },
  })
  const answer = await worker.fetch(request, { API_ORIGIN: origin, ASSETS })
  expect(await answer.json()).toEqual({
    method: 'POST',
    url: '/api/auth/login?a=1',
    from: '203.0.113.7',
    cookie: '__Host-rt=y',
    body: '{"email":"a"}',
  })
  expect(answer.headers.get('set-cookie')).toContain('__Host-rt')
})

it('leaves pages to the site', async () => {
  const answer = await worker.fetch(new Request('https://films.example.org/apiary/'), {
    API_ORIGIN: origin,
    ASSETS,
  })
  expect(await answer.text()).toBe('the site')
})

it('says 503 with Retry-After when the API is away', async () => {
  const request = new Request('https://films.example.org/api/health/live')
  const answer = await worker.fetch(request, { API_ORIGIN: 'http://127.0.0.1:1', ASSETS })
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
})
