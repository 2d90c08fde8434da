/**
 * Stremio add-ons that redirect requests to other hosts. The server checks each redirect target
 * and sends the credentials of the add-on only to the host of the add-on.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createUpstream, readUpstreamBody } from '../../../server/providers/upstream.ts'

interface RedirectingServer {
  url: string
  /** Location headers of redirects, by path. A request for any other path gets the text `bytes`. */
  locationsByPath: Record<string, string>
  requests: { path: string; headers: IncomingMessage['headers'] }[]
  server: Server
}

async function startServer(): Promise<RedirectingServer> {
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? ''
    startedServer.requests.push({ path, headers: request.headers })
    const location = startedServer.locationsByPath[path]
    if (location) response.writeHead(302, { Location: location }).end()
    else response.end('bytes')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const startedServer: RedirectingServer = { url, locationsByPath: {}, requests: [], server }
  return startedServer
}

let addOn: RedirectingServer
let mediaHost: RedirectingServer
beforeAll(async () => {
  addOn = await startServer()
  mediaHost = await startServer()
})
afterAll(() => {
  for (const { server } of [addOn, mediaHost]) {
    server.closeAllConnections()
    server.close()
  }
})
beforeEach(() => {
  for (const redirectingServer of [addOn, mediaHost])
    Object.assign(redirectingServer, { locationsByPath: {}, requests: [] })
})

const REQUEST_HEADERS = {
  Authorization: 'Bearer secret',
  Cookie: 'a=b',
  'X-Token': 'secret',
  'User-Agent': 'TV',
  Range: 'bytes=0-9',
}
const createAddOnUpstream = (
  options: { mediaOrigins?: string[]; path?: string; publicAddress?: string } = {},
) => {
  const { mediaOrigins = [mediaHost.url], path = '/manifest.json', publicAddress } = options
  const baseUrl = new URL(`${addOn.url.replace('//', '//user:password@')}${path}`)
  const resolveHostName = publicAddress ? async () => [{ address: publicAddress, family: 4 }] : undefined
  return createUpstream({
    baseUrl,
    mediaOrigins,
    allowsPublicHosts: true,
    ...(resolveHostName && { resolve: resolveHostName }),
  })
}
async function fetchMediaFrom(
  upstream: ReturnType<typeof createAddOnUpstream>,
  path = '/start',
): Promise<[string, string]> {
  const { response, url } = await upstream.fetchMedia(`${addOn.url}${path}`, REQUEST_HEADERS)
  return [(await readUpstreamBody(response)).toString(), url.href]
}

describe('a redirect of a Stremio add-on', () => {
  it('a redirect of a Stremio add-on is followed to an allowed host, which receives the Range header but no credentials', async () => {
    addOn.locationsByPath['/start'] = `${mediaHost.url}/file.mp4`
    expect(await fetchMediaFrom(createAddOnUpstream())).toEqual(['bytes', `${mediaHost.url}/file.mp4`])
    expect(addOn.requests[0]?.headers).toMatchObject({ cookie: 'a=b', 'x-token': 'secret' })
    const headers = mediaHost.requests[0]?.headers ?? {}
    expect(headers).toMatchObject({ range: 'bytes=0-9', 'user-agent': 'TV' })
    expect([headers.authorization, headers.cookie, headers['x-token']]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })
  it('a redirect of a Stremio add-on is rejected when the host is not allowed', async () => {
    addOn.locationsByPath['/start'] = `${mediaHost.url}/file.mp4`
    await expect(fetchMediaFrom(createAddOnUpstream({ mediaOrigins: [] }))).rejects.toThrow(
      'redirect is not allowed',
    )
    for (const location of [
      'http://cdn.example.com/a',
      'https://10.0.0.5/a',
      'https://localhost/a',
      'file:///etc/passwd',
      'https://a:b@cdn.example.com/a',
    ]) {
      addOn.locationsByPath['/start'] = location
      await expect(fetchMediaFrom(createAddOnUpstream()), location).rejects.toThrow('redirect is not allowed')
    }
    expect(mediaHost.requests).toEqual([])
  })
  it('a redirect of a Stremio add-on is rejected when the public host name of the target resolves to a private IP address', async () => {
    addOn.locationsByPath['/start'] = `https://cdn.example.com:${new URL(mediaHost.url).port}/a`
    for (const address of ['127.0.0.1', '192.168.1.5', '169.254.169.254'])
      await expect(fetchMediaFrom(createAddOnUpstream({ publicAddress: address })), address).rejects.toThrow(
        'request failed',
      )
    expect(mediaHost.requests).toEqual([])
  })
  it('a redirect of a Stremio add-on cannot lead from another host back to the add-on, which may be in the local network', async () => {
    addOn.locationsByPath['/start'] = `${mediaHost.url}/back`
    mediaHost.locationsByPath['/back'] = `${addOn.url}/private`
    await expect(fetchMediaFrom(createAddOnUpstream())).rejects.toThrow('redirect is not allowed')
    expect(addOn.requests.map(({ path }) => path)).toEqual(['/start'])
  })
  it('a redirect of a Stremio add-on is followed at most five times', async () => {
    for (let hop = 0; hop < 5; hop++) addOn.locationsByPath[`/${hop}`] = `/${hop + 1}`
    expect(await fetchMediaFrom(createAddOnUpstream(), '/0')).toEqual(['bytes', `${addOn.url}/5`])
    addOn.locationsByPath['/5'] = '/6'
    await expect(fetchMediaFrom(createAddOnUpstream(), '/0')).rejects.toThrow('too many redirects')
  })
})

it('a redirect of a stream resolver that is not a Stremio add-on is rejected', async () => {
  addOn.locationsByPath['/start'] = '/file.mp4'
  await expect(fetchMediaFrom(createAddOnUpstream({ path: '/api' }))).rejects.toThrow(
    'redirect is not allowed',
  )
})
