/** A push service inside the test (RFC 8030), and a browser that decrypts its messages (RFC 8291). */
import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

interface PushRequest {
  path: string
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}
export interface TestPushService {
  origin: string
  requests: PushRequest[]
  /** HTTP status of the responses to all later requests. */
  status: number
  close: () => Promise<void>
}

export async function startPushService(): Promise<TestPushService> {
  const requests: PushRequest[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    requests.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) })
    response.writeHead(service.status).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const service: TestPushService = {
    origin: `http://127.0.0.1:${port}`,
    requests,
    status: 201,
    close: async () => {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
  return service
}

export interface TestPushBrowser {
  /** The subscription that the browser returns to the page. */
  subscription: { endpoint: string; keys: { p256dh: string; auth: string } }
  // biome-ignore lint/suspicious/noExplicitAny: tests read payloads without the product's types
  readPayload: (body: Buffer) => any
}

export function createPushBrowser(origin: string, path = '/send/browser'): TestPushBrowser {
  const ecdh = createECDH('prime256v1')
  const publicKey = ecdh.generateKeys()
  const auth = randomBytes(16)
  const readPayload = (body: Buffer) => {
    const salt = body.subarray(0, 16)
    const keyEndIndex = 21 + (body[20] ?? 0)
    const senderKey = body.subarray(21, keyEndIndex)
    const keyInfo = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, senderKey])
    const sharedSecret = Buffer.from(hkdfSync('sha256', ecdh.computeSecret(senderKey), auth, keyInfo, 32))
    const deriveKey = (info: string, lengthBytes: number) =>
      Buffer.from(hkdfSync('sha256', sharedSecret, salt, `Content-Encoding: ${info}\0`, lengthBytes))
    const decipher = createDecipheriv('aes-128-gcm', deriveKey('aes128gcm', 16), deriveKey('nonce', 12))
    decipher.setAuthTag(body.subarray(-16))
    const paddedPayload = Buffer.concat([decipher.update(body.subarray(keyEndIndex, -16)), decipher.final()])
    return JSON.parse(paddedPayload.subarray(0, paddedPayload.lastIndexOf(2)).toString('utf8'))
  }
  return {
    subscription: {
      endpoint: `${origin}${path}`,
      keys: { p256dh: publicKey.toString('base64url'), auth: auth.toString('base64url') },
    },
    readPayload,
  }
}

/** Returns the key and the claims of a `vapid` header (RFC 8292), or null if the signature does not match the key. */
export function readVapidClaims(
  authorizationHeader: string,
): { key: string; claims: Record<string, unknown> } | null {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorizationHeader) ?? []
  const publicPoint = Buffer.from(key, 'base64url')
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: publicPoint.subarray(1, 33).toString('base64url'),
    y: publicPoint.subarray(33).toString('base64url'),
  }
  const [tokenHeader, claims = '', signature = ''] = token.split('.')
  const isSignatureValid = verify(
    'sha256',
    Buffer.from(`${tokenHeader}.${claims}`),
    { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  return isSignatureValid ? { key, claims: JSON.parse(Buffer.from(claims, 'base64url').toString()) } : null
}
