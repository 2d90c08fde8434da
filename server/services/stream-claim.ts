/**
 * Signed media addresses (security.md, decision 8): `/proxy/m/{title}/{file}?e=expiry&l=login&p=profile&s=signature`.
 * `file` is opaque: what it stands for is sealed, so that no name or path of the operator leaves the server.
 */
import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto'
import type { Deps } from '../deps.ts'
import { sameText, sign } from './secret.ts'

/** Signed addresses live so long; the player asks again before. */
export const LIFE_MS = 4 * 3_600_000

/** Where the bytes are. `name` is a path of the library, a clip, or an upstream's address. */
export interface Place {
  from: 'library' | 'upstream' | 'demo'
  name: string
  /** Folder (or address) that an HLS stream may not leave. */
  base?: string
  /** Content type of upstream bytes; language of a subtitle, which tells its old encoding. */
  hint?: string
}
export interface MediaClaim {
  place: Place
  titleId: number
  /** Milliseconds since 1970. */
  expires: number
  sid: string
  /** The profile that asked; null where none was acting. */
  profileId: string | null
}

const TAG_BYTES = 16
const NONCE_BYTES = 12
const derived = (deps: Deps, use: string) => createHmac('sha256', deps.keys.media).update(use).digest()

/** The same place is the same text each time, so that a player knows a source again after renewing. */
function seal(deps: Deps, { from, name, base, hint }: Place): string {
  const plain = JSON.stringify([from, name, base ?? null, hint ?? null])
  const nonce = createHmac('sha256', derived(deps, 'nonce')).update(plain).digest().subarray(0, NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', derived(deps, 'seal'), nonce)
  const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString('base64url')
}

function unseal(deps: Deps, text: string): Place | null {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length <= NONCE_BYTES + TAG_BYTES || bytes.toString('base64url') !== text) return null
  try {
    const cipher = createDecipheriv('aes-256-gcm', derived(deps, 'seal'), bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    })
    cipher.setAuthTag(bytes.subarray(-TAG_BYTES))
    const plain = Buffer.concat([cipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), cipher.final()])
    const [from, name, base, hint] = JSON.parse(plain.toString('utf8'))
    return { from, name, ...(base !== null && { base }), ...(hint !== null && { hint }) }
  } catch {
    return null
  }
}

const signature = (deps: Deps, path: string, expires: number, sid: string, profile: string) =>
  sign(deps.keys.media, 'media', 'GET', path, expires, sid, profile)

/** `extension` is for players that look at it; it is signed with the rest. */
export function addressOf(deps: Deps, claim: MediaClaim, extension: string): string {
  const path = `/proxy/m/${claim.titleId}/${seal(deps, claim.place)}.${extension}`
  const profile = claim.profileId ?? ''
  const query = new URLSearchParams({ e: String(claim.expires), l: claim.sid, p: profile })
  query.set('s', signature(deps, path, claim.expires, claim.sid, profile))
  return `${path}?${query}`
}

const PATH = /^\/proxy\/m\/(\d{1,15})\/([\w-]{20,12000})\.[a-z\d]{2,4}$/

/** The claim of an address that we signed and that has not run out; otherwise null. `path` as sent, undecoded. */
export function readClaim(deps: Deps, path: string, query: Record<string, string>): MediaClaim | null {
  const found = PATH.exec(path)
  const { e = '', l: sid = '', p: profile = '', s = '' } = query
  if (!found || !/^\d{1,15}$/.test(e)) return null
  const expires = Number(e)
  if (!sameText(s, signature(deps, path, expires, sid, profile)) || expires <= deps.now()) return null
  const place = unseal(deps, found[2] ?? '')
  return place && { place, titleId: Number(found[1]), expires, sid, profileId: profile || null }
}
