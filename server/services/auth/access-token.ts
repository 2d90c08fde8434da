/**
 * Access tokens: JWTs with one fixed algorithm, verified as RFC 8725 requires (security.md, decision 1). No
 * library is used, so that a token header cannot choose the algorithm.
 */
import { createHmac } from 'node:crypto'
import * as z from 'zod/mini'
import type { Deps } from '../deps.ts'
import { createRandomId, timingSafeEqualText } from './secret.ts'

export const ACCESS_TOKEN_LIFE_SECONDS = 600
const ISSUER = 'marquee'
const AUDIENCE = 'marquee-api'
/** Tolerated difference between the clocks of two servers. */
const CLOCK_SKEW_SECONDS = 5
const MAX_TOKEN_LENGTH = 2_000

const headerSchema = z.strictObject({ alg: z.literal('HS256'), typ: z.literal('at+jwt'), kid: z.string() })
const timestampSeconds = z.int().check(z.minimum(0), z.maximum(1e11))
const claimsSchema = z.strictObject({
  iss: z.literal(ISSUER),
  aud: z.literal(AUDIENCE),
  sub: z.string(),
  sid: z.string(),
  /** Generation of the refresh token that was issued together with this token. */
  gen: z.int(),
  iat: timestampSeconds,
  nbf: timestampSeconds,
  exp: timestampSeconds,
  jti: z.string(),
})
export type AccessTokenClaims = z.infer<typeof claimsSchema>

const encodeJson = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const computeMac = (secret: string, text: string) =>
  createHmac('sha256', secret).update(text).digest('base64url')

export function createAccessToken(
  subject: { accountId: string; sid: string; generation: number },
  deps: Deps,
): string {
  const [key] = deps.keys.access
  if (!key) throw new Error('no access token key is configured')
  const nowSeconds = Math.floor(deps.now() / 1000)
  const signedText = `${encodeJson({ alg: 'HS256', typ: 'at+jwt', kid: key.kid })}.${encodeJson({
    iss: ISSUER,
    aud: AUDIENCE,
    sub: subject.accountId,
    sid: subject.sid,
    gen: subject.generation,
    iat: nowSeconds,
    nbf: nowSeconds,
    exp: nowSeconds + ACCESS_TOKEN_LIFE_SECONDS,
    jti: createRandomId(),
  })}`
  return `${signedText}.${computeMac(key.secret, signedText)}`
}

/**
 * Maximum number of cached tokens with a valid signature. The oldest tokens are dropped first. A client sends
 * one token for ten minutes.
 */
const MAX_CACHED_TOKENS = 2_000
const cachesByKeys = new WeakMap<Deps['keys'], Map<string, AccessTokenClaims>>()

/**
 * Returns the claims of a token with a valid signature that has not expired; otherwise null. Only the signature check is cached:
 * the times are compared on every call. The caller must check in the database that the login still exists.
 */
export function readAccessToken(token: string, deps: Deps): AccessTokenClaims | null {
  const cachedClaims = cachesByKeys.get(deps.keys) ?? new Map<string, AccessTokenClaims>()
  cachesByKeys.set(deps.keys, cachedClaims)
  const tokenClaims = cachedClaims.get(token) ?? verifyToken(token, deps)
  if (!tokenClaims) return null
  const nowSeconds = deps.now() / 1000
  if (
    tokenClaims.exp + CLOCK_SKEW_SECONDS <= nowSeconds ||
    tokenClaims.nbf - CLOCK_SKEW_SECONDS > nowSeconds ||
    tokenClaims.iat - CLOCK_SKEW_SECONDS > nowSeconds
  ) {
    cachedClaims.delete(token)
    return null
  }
  cachedClaims.set(token, tokenClaims)
  if (cachedClaims.size > MAX_CACHED_TOKENS) cachedClaims.delete(cachedClaims.keys().next().value ?? '')
  return tokenClaims
}

function verifyToken(token: string, deps: Deps): AccessTokenClaims | null {
  const parts = token.split('.')
  const [head, body, signature] = parts
  if (token.length > MAX_TOKEN_LENGTH || parts.length !== 3 || !head || !body || !signature) return null
  const parsedHeader = decodePart(headerSchema, head)
  const key = parsedHeader && deps.keys.access.find((accessKey) => accessKey.kid === parsedHeader.kid)
  if (!key || !timingSafeEqualText(signature, computeMac(key.secret, `${head}.${body}`))) return null
  return decodePart(claimsSchema, body)
}

function decodePart<T extends z.ZodMiniType>(schema: T, part: string): z.output<T> | null {
  try {
    const result = z.safeParse(schema, JSON.parse(Buffer.from(part, 'base64url').toString('utf8')))
    return result.success ? result.data : null
  } catch {
    return null
  }
}
