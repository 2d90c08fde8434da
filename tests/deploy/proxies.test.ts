/** deploy/nginx.conf and deploy/Caddyfile, run by the real programs over a built site and two processes of an API. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { headerLines } from '../../scripts/cdn-files.ts'
import { type Found, findServer, needServers } from '../../scripts/servers.ts'
import { nginxConfig } from '../support/nginx.ts'
import { accepts, freePort, untilOpen } from '../support/running.ts'
import { ask, buildSite, CSP, cacheOf, PRIVATE, TABLE } from './site.ts'

let site: string
let apis: Server[]
let stopped: number

beforeAll(async () => {
  needServers()
  site = buildSite()
  apis = await Promise.all(['one', 'two'].map(echo))
  stopped = await freePort()
}, 300_000)
afterAll(() => {
  for (const api of apis) api.close()
  rmSync(site, { recursive: true, force: true })
})

/** Says what reached it. */
async function echo(name: string): Promise<Server> {
  const server = createServer(async (request, response) => {
    let bytes = 0
    for await (const chunk of request) bytes += chunk.length
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify({ name, url: request.url, from: request.headers['x-forwarded-for'], bytes }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}
const portOf = (server: Server) => (server.address() as AddressInfo).port

interface Proxy {
  port: number
  stop: () => Promise<void>
}

async function run(found: Found, args: string[], port: number): Promise<Proxy> {
  const child = spawn(found.file, args, {
    env: { ...process.env, ...found.env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (part) => {
    said += part
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  await Promise.race([
    untilOpen(() => accepts(port)),
    ended.then(() => {
      throw new Error(`${found.file} ended: ${said}`)
    }),
  ])
  const stop = () => {
    child.kill('SIGTERM')
    return ended
  }
  return { port, stop }
}

async function startNginx(upstreams: number[]): Promise<Proxy> {
  const port = await freePort()
  const found = findServer('nginx') as Found
  const folder = mkdtempSync(join(tmpdir(), 'marquee-nginx-'))
  const config = nginxConfig({ folder, site, port, upstreams })
  return run(found, ['-c', config, '-p', folder, '-g', 'daemon off;'], port)
}

async function startCaddy(upstreams: number[]): Promise<Proxy> {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'marquee-caddy-'))
  const [one, two] = upstreams
  const text = readFileSync('deploy/Caddyfile', 'utf8')
    .replaceAll('/srv/marquee', site)
    .replace('\n:8080 {', `\nhttp://127.0.0.1:${port} {`)
    .replace('api1:4321 api2:4321', `127.0.0.1:${one} 127.0.0.1:${two}`)
  writeFileSync(join(folder, 'Caddyfile'), text)
  const found = findServer('caddy') as Found
  const home = { XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, HOME: folder }
  return run(
    { ...found, env: { ...found.env, ...home } },
    ['run', '--config', join(folder, 'Caddyfile')],
    port,
  )
}

describe.each([
  ['nginx', startNginx],
  ['Caddy', startCaddy],
] as const)('%s', (name, start) => {
  let proxy: Proxy
  beforeAll(async () => {
    proxy = await start(apis.map(portOf))
  }, 60_000)
  afterAll(() => proxy.stop())

  it('answers the whole table as our own server does', async () => {
    for (const { path, status, body, cache } of [...TABLE, ...PRIVATE]) {
      const answer = await ask(proxy.port, path)
      expect([path, answer.status, answer.body.toString()]).toEqual([path, status, body])
      if (cache !== 'any') expect([path, cacheOf(answer.headers['cache-control'])]).toEqual([path, cache])
    }
  })

  it('sends every header of the site with pages, files and what is not there', async () => {
    for (const path of ['/', '/fr/movies/', '/_a/app.abc123.js', '/nowhere/']) {
      const { headers } = await ask(proxy.port, path)
      for (const [header, value] of headerLines(CSP))
        expect([path, headers[header.toLowerCase()]]).toEqual([path, value])
    }
  })

  it('names what browsers insist on: scripts, workers, manifests', async () => {
    for (const [path, type] of [
      ['/_a/app.abc123.js', /javascript/],
      ['/sw.js', /javascript/],
      ['/manifest.webmanifest', /^application\/manifest\+json/],
      ['/manifest.ar.webmanifest', /^application\/manifest\+json/],
    ] as const)
      expect([path, (await ask(proxy.port, path)).headers['content-type']]).toEqual([
        path,
        expect.stringMatching(type),
      ])
  })

  it('sends the compressed files of the build, and a tag that saves the second time', async () => {
    const packed = await ask(proxy.port, '/movies/', { 'Accept-Encoding': 'gzip' })
    expect(packed.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(packed.body).toString()).toBe('shell movies/index.html')
    expect(packed.headers.vary).toMatch(/accept-encoding/i)
    const again = await ask(proxy.port, '/movies/', {
      'Accept-Encoding': 'gzip',
      'If-None-Match': packed.headers.etag ?? '',
    })
    expect(again.status).toBe(304)
    if (name === 'Caddy') {
      const smaller = await ask(proxy.port, '/movies/', { 'Accept-Encoding': 'gzip, br' })
      expect(smaller.headers['content-encoding']).toBe('br')
      expect(brotliDecompressSync(smaller.body).toString()).toBe('shell movies/index.html')
    }
  })

  it('hands calls on to both processes, with the address that really asks', async () => {
    const seen = new Set<string>()
    for (let at = 0; at < 8; at += 1) {
      const { body } = await ask(proxy.port, '/api/movies?limit=1', { 'X-Forwarded-For': '203.0.113.9' })
      const { name: from, url, from: address } = JSON.parse(body.toString())
      expect([url, address]).toEqual(['/api/movies?limit=1', '127.0.0.1'])
      seen.add(from)
    }
    expect([...seen].sort()).toEqual(['one', 'two'])
    expect(JSON.parse((await ask(proxy.port, '/images/w92/drawn/poster/1.svg')).body.toString()).url).toBe(
      '/images/w92/drawn/poster/1.svg',
    )
  })

  it('hands a history of many megabytes on', async () => {
    const body = new Uint8Array(30_000_000)
    const post = (path: string) => fetch(`http://127.0.0.1:${proxy.port}${path}`, { method: 'POST', body })
    const answer = await post('/api/profile/abc/import?name=history.zip')
    expect([answer.status, (await answer.json()).bytes]).toEqual([200, body.length])
    if (name === 'nginx')
      expect((await post('/api/auth/login').catch(() => ({ status: 413 }))).status).toBe(413)
  })

  it('goes on with one process when the other is gone, and says 503 with Retry-After when both are', async () => {
    const half = await start([stopped, portOf(apis[1] as Server)])
    const answers = []
    for (let at = 0; at < 10; at += 1) answers.push((await ask(half.port, '/api/health/live')).status)
    await half.stop()
    expect(answers).toEqual(Array(10).fill(200))
    const none = await start([stopped, stopped])
    const { status, headers, body } = await ask(none.port, '/api/health/live')
    await none.stop()
    expect([status, headers['retry-after'], JSON.parse(body.toString()).type]).toEqual([
      503,
      '1',
      'overloaded',
    ])
  }, 30_000)
})
