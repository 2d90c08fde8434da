/** Sends encrypted messages to the push services of browsers (Web Push: RFC 8030, 8291 and 8292). */
import { createECDH, hkdfSync } from 'node:crypto'
import { createRequestSender } from './guarded-request.ts'
import type { InstallationKeys } from './keys.ts'
import { isPublicHostName, resolveWithSystemDns } from './upstream-guard.ts'

/** The push service drops a message when the device is offline for longer than this. */
const MESSAGE_TIME_TO_LIVE_SECONDS = 2 * 86_400

/** The data of a subscription that a browser returns. */
export interface PushSubscriptionData {
  endpoint: string
  keys: { p256dh: string; auth: string }
}
export interface PushMessage {
  subscription: PushSubscriptionData
  payload: string
  /** At most 32 characters of base64url. A message replaces an undelivered message with the same topic. */
  topic: string
}
/** `gone`: the subscription has ended, or its endpoint is not allowed. It must not be used again. */
export type PushResult = 'delivered' | 'gone' | 'failed'

interface PushKeys {
  publicKey: string
  privateKey: string
}

/**
 * Derives from the pepper the key pair that identifies this installation to push services (VAPID). The key pair
 * therefore exists from the first start, is backed up with `keys.json`, and is the same on all machines.
 */
export function derivePushKeys(keys: InstallationKeys): PushKeys {
  const ecdh = createECDH('prime256v1')
  for (let attempt = 0; ; attempt += 1) {
    const secret = Buffer.from(hkdfSync('sha256', keys.pepper, 'marquee', `web-push-${attempt}`, 32))
    try {
      ecdh.setPrivateKey(secret)
    } catch {
      // This secret is not a valid key, because it is not below the order of the curve. That happens for about one
      // secret in 2^32. The next attempt derives another one.
      continue
    }
    // `ecdh.getPrivateKey()` omits leading zero bytes, and web-push rejects keys that are shorter than 32 bytes.
    return { publicKey: ecdh.getPublicKey('base64url'), privateKey: secret.toString('base64url') }
  }
}

/**
 * True when the server may send messages to `endpoint`: a public HTTPS address without credentials on the default port,
 * or one of the origins that the operator named.
 */
export function isAllowedPushEndpoint(endpoint: string, origins: readonly string[]): boolean {
  const url = URL.parse(endpoint)
  if (!url || url.username || url.password) return false
  if (origins.includes(url.origin)) return true
  return url.protocol === 'https:' && url.port === '' && isPublicHostName(url.hostname)
}

/** True when a message can be encrypted for these keys. */
export function areValidPushKeys({ keys }: PushSubscriptionData): boolean {
  try {
    const ecdh = createECDH('prime256v1')
    ecdh.generateKeys()
    ecdh.computeSecret(Buffer.from(keys.p256dh, 'base64url'))
    return Buffer.from(keys.auth, 'base64url').length === 16
  } catch {
    return false
  }
}

interface PushServiceOptions {
  keys: InstallationKeys
  publicUrl: URL
  /** Additional origins of push services. */
  origins: readonly string[]
}

const sendRequest = createRequestSender(new URL('https://localhost'), resolveWithSystemDns)

/** Sends one message. Never throws. */
export async function sendPushMessage(
  { keys, publicUrl, origins }: PushServiceOptions,
  { subscription, payload, topic }: PushMessage,
): Promise<PushResult> {
  if (!isAllowedPushEndpoint(subscription.endpoint, origins)) return 'gone'
  try {
    // Loaded by the first message, because many installations send none.
    const { default: webPush } = await import('web-push')
    const { endpoint, headers, body } = webPush.generateRequestDetails(subscription, payload, {
      vapidDetails: { subject: getContactUrl(publicUrl), ...derivePushKeys(keys) },
      contentEncoding: 'aes128gcm',
      TTL: MESSAGE_TIME_TO_LIVE_SECONDS,
      urgency: 'normal',
      topic,
    })
    const textHeaders = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, String(value)]),
    )
    const response = await sendRequest(new URL(endpoint), textHeaders, { method: 'POST', body })
    const statusCode = response.statusCode ?? 0
    // The body of the response is not needed, and may have any size.
    response.destroy()
    if (statusCode === 404 || statusCode === 410) return 'gone'
    return statusCode >= 200 && statusCode < 300 ? 'delivered' : 'failed'
  } catch {
    return 'failed'
  }
}

/**
 * Returns the address under which operators of push services can reach this site (RFC 8292): its URL, or an email
 * address if the URL is not HTTPS. If the host name is local, such as `localhost`, Apple's service rejects messages.
 */
const getContactUrl = (publicUrl: URL) =>
  publicUrl.protocol === 'https:' ? publicUrl.origin : `mailto:no-reply@${publicUrl.hostname}`
