/** Runs deploy/nginx.conf and deploy/Caddyfile in the real programs, with a built site and two API processes. */
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listSiteHeaders } from '../../scripts/cdn-files.ts'
import { ensurePrograms, findProgram, type InstalledProgram } from '../../scripts/servers.ts'
import { HASHED_FILE_POLICY, WASM_WORKER_POLICY } from '../../src/lib/file-policies.ts'
import { writeNginxConfig } from '../support/nginx.ts'
import { acceptsConnections, findFreePort, waitUntilReady } from '../support/test-service.ts'
import {
  DEPLOY_CSP,
  DEPLOY_EMBED_CSP,
  describeCaching,
  EMBED_PATHS,
  INTERNAL_FILE_REQUESTS,
  REQUEST_TABLE,
  requestExactPath,
  writeBuiltSite,
} from './request-table.ts'

let siteFolder: string
let echoServers: Server[]
let closedPort: number

beforeAll(async () => {
  ensurePrograms()
  siteFolder = writeBuiltSite()
  echoServers = await Promise.all(['one', 'two'].map(startEchoServer))
  closedPort = await findFreePort()
}, 300_000)
afterAll(() => {
  for (const echoServer of echoServers) echoServer.close()
  rmSync(siteFolder, { recursive: true, force: true })
})

/** For this path, the echo server returns 502, as the API does when a media server or a stream resolver fails. */
const UPSTREAM_ERROR_PATH = '/api/upstream-error'

/** Starts a server that returns its name and the URL, client address and body size of each request. */
async function startEchoServer(name: string): Promise<Server> {
  const server = createServer(async (request, response) => {
    let bodyBytes = 0
    for await (const chunk of request) bodyBytes += chunk.length
    if (request.url === UPSTREAM_ERROR_PATH) response.statusCode = 502
    response.setHeader('Content-Type', 'application/json')
    response.end(
      JSON.stringify({ name, url: request.url, from: request.headers['x-forwarded-for'], bytes: bodyBytes }),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}
const getPort = (server: Server) => (server.address() as AddressInfo).port

interface RunningProxy {
  port: number
  stop: () => Promise<void>
}

async function runProxy(
  program: InstalledProgram,
  programArguments: string[],
  port: number,
): Promise<RunningProxy> {
  const childProcess = spawn(program.executable, programArguments, {
    env: { ...process.env, ...program.env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let errorOutput = ''
  childProcess.stderr.on('data', (chunk) => {
    errorOutput += chunk
  })
  const exitPromise = new Promise<void>((resolve) => childProcess.once('exit', () => resolve()))
  await Promise.race([
    waitUntilReady(() => acceptsConnections(port)),
    exitPromise.then(() => {
      throw new Error(`${program.executable} exited: ${errorOutput}`)
    }),
  ])
  const stop = () => {
    childProcess.kill('SIGTERM')
    return exitPromise
  }
  return { port, stop }
}

async function startNginx(upstreamPorts: number[]): Promise<RunningProxy> {
  const port = await findFreePort()
  const nginx = findProgram('nginx') as InstalledProgram
  const folder = mkdtempSync(join(tmpdir(), 'marquee-nginx-'))
  const configFile = writeNginxConfig({ folder, siteFolder, port, upstreamPorts })
  return runProxy(nginx, ['-c', configFile, '-p', folder, '-g', 'daemon off;'], port)
}

async function startCaddy(upstreamPorts: number[]): Promise<RunningProxy> {
  const port = await findFreePort()
  const folder = mkdtempSync(join(tmpdir(), 'marquee-caddy-'))
  const [firstPort, secondPort] = upstreamPorts
  const configText = readFileSync('deploy/Caddyfile', 'utf8')
    .replaceAll('/srv/marquee', siteFolder)
    .replace('\n:8080 {', `\nhttp://127.0.0.1:${port} {`)
    .replace('api1:4321 api2:4321', `127.0.0.1:${firstPort} 127.0.0.1:${secondPort}`)
  writeFileSync(join(folder, 'Caddyfile'), configText)
  const caddy = findProgram('caddy') as InstalledProgram
  const homeEnv = { XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, HOME: folder }
  return runProxy(
    { ...caddy, env: { ...caddy.env, ...homeEnv } },
    ['run', '--config', join(folder, 'Caddyfile')],
    port,
  )
}

it('the nginx example of docs/installing.md is valid, also for nginx before 1.25.1', () => {
  const [, exampleText = ''] =
    /```\n(server \{\n[\s\S]*?)```/.exec(readFileSync('docs/installing.md', 'utf8')) ?? []
  // Before version 1.25.1, nginx had no directive `http2`. HTTP/2 was enabled only by a parameter of `listen`.
  expect(exampleText).not.toMatch(/^\s*http2 /m)
  expect(exampleText).toContain('listen 443 ssl http2;')
  const nginx = findProgram('nginx') as InstalledProgram
  const folder = mkdtempSync(join(tmpdir(), 'marquee-nginx-'))
  const serverBlocks = exampleText
    .replace(/ssl_certificate .*;/, 'ssl_reject_handshake on;')
    .replace(/ssl_certificate_key .*;/, '')
    .replaceAll(/listen (\d+)/g, 'listen 127.0.0.1:1$1')
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  const configFile = join(folder, 'nginx.conf')
  writeFileSync(
    configFile,
    `pid ${folder}/nginx.pid; error_log stderr; events {} http { access_log off; ${paths.join(' ')}\n${serverBlocks}}`,
  )
  const { status, stderr } = spawnSync(nginx.executable, ['-t', '-c', configFile, '-p', folder], {
    encoding: 'utf8',
    env: { ...process.env, ...nginx.env },
  })
  rmSync(folder, { recursive: true, force: true })
  expect(status, stderr).toBe(0)
})

describe.each([
  ['nginx', startNginx],
  ['Caddy', startCaddy],
] as const)('the %s configuration', (name, startProxy) => {
  let proxy: RunningProxy
  beforeAll(async () => {
    proxy = await startProxy(echoServers.map(getPort))
  }, 60_000)
  afterAll(() => proxy.stop())

  it('returns the expected response to every request of request-table.ts and to requests for internal files', async () => {
    for (const { path, status, body, cache } of [...REQUEST_TABLE, ...INTERNAL_FILE_REQUESTS]) {
      const response = await requestExactPath(proxy.port, path)
      expect([path, response.status, response.body.toString()]).toEqual([path, status, body])
      if (cache !== 'any')
        expect([path, describeCaching(response.headers['cache-control'])]).toEqual([path, cache])
    }
  })

  it('sends all configured headers with pages, files and not-found pages', async () => {
    for (const path of ['/', '/fr/movies/', '/_a/app.abc123.js', '/nowhere/']) {
      const { headers } = await requestExactPath(proxy.port, path)
      const policy = path.startsWith('/_a/') ? HASHED_FILE_POLICY : DEPLOY_CSP
      for (const [headerName, expectedValue] of listSiteHeaders(policy))
        expect([path, headers[headerName.toLowerCase()]]).toEqual([path, expectedValue])
    }
  })

  it('lets only EMBED_ORIGINS frame the embedded player, in every language', async () => {
    for (const path of EMBED_PATHS) {
      const { status, headers } = await requestExactPath(proxy.port, path)
      expect([path, status, headers['content-security-policy']]).toEqual([path, 200, DEPLOY_EMBED_CSP])
      expect(headers['x-content-type-options']).toBe('nosniff')
    }
    for (const path of ['/watch/', '/watch/embed/x', '/fr/watch/']) {
      const { headers } = await requestExactPath(proxy.port, path)
      expect([path, headers['content-security-policy']]).toEqual([path, DEPLOY_CSP])
    }
  })

  it('serves the scripts of WebAssembly workers with a Content-Security-Policy that allows WebAssembly', async () => {
    const { headers } = await requestExactPath(proxy.port, '/_a/wasm-worker-abc123.js')
    expect(headers['content-security-policy']).toBe(WASM_WORKER_POLICY)
    expect(describeCaching(headers['cache-control'])).toBe('immutable')
    expect(headers['x-content-type-options']).toBe('nosniff')
  })

  it('sends scripts and service workers as JavaScript, and manifests as application/manifest+json', async () => {
    for (const [path, expectedType] of [
      ['/_a/app.abc123.js', /javascript/],
      ['/sw.js', /javascript/],
      ['/manifest.webmanifest', /^application\/manifest\+json/],
      ['/manifest.ar.webmanifest', /^application\/manifest\+json/],
    ] as const)
      expect([path, (await requestExactPath(proxy.port, path)).headers['content-type']]).toEqual([
        path,
        expect.stringMatching(expectedType),
      ])
  })

  it('sends the precompressed files, and 304 for a matching ETag', async () => {
    const gzipResponse = await requestExactPath(proxy.port, '/movies/', { 'Accept-Encoding': 'gzip' })
    expect(gzipResponse.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(gzipResponse.body).toString()).toBe('shell movies/index.html')
    expect(gzipResponse.headers.vary).toMatch(/accept-encoding/i)
    const revalidatedResponse = await requestExactPath(proxy.port, '/movies/', {
      'Accept-Encoding': 'gzip',
      'If-None-Match': gzipResponse.headers.etag ?? '',
    })
    expect(revalidatedResponse.status).toBe(304)
    if (name === 'Caddy') {
      const brotliResponse = await requestExactPath(proxy.port, '/movies/', { 'Accept-Encoding': 'gzip, br' })
      expect(brotliResponse.headers['content-encoding']).toBe('br')
      expect(brotliDecompressSync(brotliResponse.body).toString()).toBe('shell movies/index.html')
    }
  })

  it('distributes requests to both processes, and passes on the real client address instead of a forged X-Forwarded-For header', async () => {
    const processNames = new Set<string>()
    for (let requestIndex = 0; requestIndex < 8; requestIndex += 1) {
      const { body } = await requestExactPath(proxy.port, '/api/movies?limit=1', {
        'X-Forwarded-For': '203.0.113.9',
      })
      const { name: processName, url, from: clientAddress } = JSON.parse(body.toString())
      expect([url, clientAddress]).toEqual(['/api/movies?limit=1', '127.0.0.1'])
      processNames.add(processName)
    }
    expect([...processNames].sort()).toEqual(['one', 'two'])
    expect(
      JSON.parse((await requestExactPath(proxy.port, '/images/w92/drawn/poster/1.svg')).body.toString()).url,
    ).toBe('/images/w92/drawn/poster/1.svg')
  })

  it('accepts history uploads of 30 MB', async () => {
    const uploadBody = new Uint8Array(30_000_000)
    const postUpload = (path: string) =>
      fetch(`http://127.0.0.1:${proxy.port}${path}`, { method: 'POST', body: uploadBody })
    const response = await postUpload('/api/profile/abc/import?name=history.zip')
    expect([response.status, (await response.json()).bytes]).toEqual([200, uploadBody.length])
    if (name === 'nginx')
      expect((await postUpload('/api/auth/login').catch(() => ({ status: 413 }))).status).toBe(413)
  })

  it('continues to pass requests to a process that has replied several times with status 502', async () => {
    for (let requestIndex = 0; requestIndex < 4; requestIndex += 1)
      expect((await requestExactPath(proxy.port, UPSTREAM_ERROR_PATH)).status).toBe(502)
    expect((await requestExactPath(proxy.port, '/api/movies')).status).toBe(200)
  })

  it('uses the other process if one process is down, and returns 503 with Retry-After if both processes are down', async () => {
    const proxyWithOneProcess = await startProxy([closedPort, getPort(echoServers[1] as Server)])
    const statuses = []
    for (let requestIndex = 0; requestIndex < 10; requestIndex += 1)
      statuses.push((await requestExactPath(proxyWithOneProcess.port, '/api/health/live')).status)
    await proxyWithOneProcess.stop()
    expect(statuses).toEqual(Array(10).fill(200))
    const proxyWithoutProcess = await startProxy([closedPort, closedPort])
    const { status, headers, body } = await requestExactPath(proxyWithoutProcess.port, '/api/health/live')
    await proxyWithoutProcess.stop()
    expect([status, headers['retry-after'], JSON.parse(body.toString()).type]).toEqual([
      503,
      '1',
      'overloaded',
    ])
  })
})
