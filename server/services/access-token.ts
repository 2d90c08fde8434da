/** Access tokens: JWT, one pinned algorithm, checked as RFC 8725 asks (security.md, decision 1). Our own 60 lines: no library chooses the algorithm. */
import { createHmac } from 'node:crypto'
import * as z from 'zod/mini'
import type { Deps } from '../deps.ts'
import { randomId, sameText } from './secret.ts'

/** Seconds. */
export const ACCESS_TOKEN_LIFE = 600
const ISSUER = 'marquee'
const AUDIENCE = 'marquee-api'
/** Seconds that two clocks may differ. */
const SKEW = 5
const MAX_LENGTH = 2_000

const header = z.strictObject({ alg: z.literal('HS256'), typ: z.literal('at+jwt'), kid: z.string() })
const second = z.int().check(z.minimum(0), z.maximum(1e11))
const claims = z.strictObject({
  iss: z.literal(ISSUER),
  aud: z.literal(AUDIENCE),
  sub: z.string(),
  sid: z.string(),
  /** Generation of the refresh token that it came with. */
  gen: z.int(),
  iat: second,
  nbf: second,
  exp: second,
  jti: z.string(),
})
export type Claims = z.infer<typeof claims>

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const mac = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('base64url')

export function createAccessToken(
  subject: { accountId: string; sid: string; generation: number },
  deps: Deps,
): string {
  const [key] = deps.keys.access
  if (!key) throw new Error('no access key')
  const now = Math.floor(deps.now() / 1000)
  const text = `${encode({ alg: 'HS256', typ: 'at+jwt', kid: key.kid })}.${encode({
    iss: ISSUER,
    aud: AUDIENCE,
    sub: subject.accountId,
    sid: subject.sid,
    gen: subject.generation,
    iat: now,
    nbf: now,
    exp: now + ACCESS_TOKEN_LIFE,
    jti: randomId(),
  })}`
  return `${text}.${mac(key.secret, text)}`
}

/** Tokens whose signature and shape were found good, oldest first: a viewer sends the same one for ten minutes. */
const READ_MOST = 2_000
const read = new WeakMap<Deps['keys'], Map<string, Claims>>()

/**
 * The claims of a token that is ours, whole and in time; otherwise null. What is kept is only that the text was ours: its time
 * is looked at each time, and whether its login still stands is asked of the database by whoever calls this.
 */
export function readAccessToken(token: string, deps: Deps): Claims | null {
  const known = read.get(deps.keys) ?? new Map<string, Claims>()
  read.set(deps.keys, known)
  const found = known.get(token) ?? verified(token, deps)
  if (!found) return null
  const now = deps.now() / 1000
  if (found.exp + SKEW <= now || found.nbf - SKEW > now) {
    known.delete(token)
    return null
  }
  known.set(token, found)
  if (known.size > READ_MOST) known.delete(known.keys().next().value ?? '')
  return found
}

function verified(token: string, deps: Deps): Claims | null {
  const parts = token.split('.')
  const [head, body, signature] = parts
  if (token.length > MAX_LENGTH || parts.length !== 3 || !head || !body || !signature) return null
  const named = decode(header, head)
  const key = named && deps.keys.access.find((one) => one.kid === named.kid)
  if (!key || !sameText(signature, mac(key.secret, `${head}.${body}`))) return null
  return decode(claims, body)
}

function decode<T extends z.ZodMiniType>(schema: T, part: string): z.output<T> | null {
  try {
    const result = z.safeParse(schema, JSON.parse(Buffer.from(part, 'base64url').toString('utf8')))
    return result.success ? result.data : null
  } catch {
    return null
  }
}
