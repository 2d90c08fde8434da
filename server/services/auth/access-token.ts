/**
 * Access tokens: JWTs, verified as RFC 8725 requires (security.md, decision 1). Only one algorithm is accepted, so that
 * the header of a token cannot choose another algorithm.
 */
import { createHmac } from 'node:crypto'
import * as z from 'zod/mini'
import type { Deps } from '../deps.ts'
import { createRandomId, timingSafeEqualText } from './secret.ts'

export const ACCESS_TOKEN_LIFETIME_SECONDS = 600
const TOKEN_ISSUER = 'marquee'
const TOKEN_AUDIENCE = 'marquee-api'
/** Tolerated difference between the clocks of two servers. */
const CLOCK_SKEW_SECONDS = 5
const MAX_TOKEN_LENGTH = 2_000

const headerSchema = z.strictObject({ alg: z.literal('HS256'), typ: z.literal('at+jwt'), kid: z.string() })
const timestampSecondsSchema = z.int().check(z.minimum(0), z.maximum(1e11))
const claimsSchema = z.strictObject({
  iss: z.literal(TOKEN_ISSUER),
  aud: z.literal(TOKEN_AUDIENCE),
  sub: z.string(),
  sid: z.string(),
  /** Generation of the refresh token that was issued together with this token. */
  gen: z.int(),
  iat: timestampSecondsSchema,
  nbf: timestampSecondsSchema,
  exp: timestampSecondsSchema,
  jti: z.string(),
})
export type AccessTokenClaims = z.infer<typeof claimsSchema>

const toBase64UrlJson = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const computeMac = (secret: string, signedText: string) =>
  createHmac('sha256', secret).update(signedText).digest('base64url')

export function createAccessToken(
  subject: { accountId: string; sid: string; generation: number },
  deps: Deps,
): string {
  const [signingKey] = deps.keys.access
  if (!signingKey) throw new Error('no access token key is configured')
  const nowSeconds = Math.floor(deps.now() / 1000)
  const headerText = toBase64UrlJson({ alg: 'HS256', typ: 'at+jwt', kid: signingKey.kid })
  const claimsText = toBase64UrlJson({
    iss: TOKEN_ISSUER,
    aud: TOKEN_AUDIENCE,
    sub: subject.accountId,
    sid: subject.sid,
    gen: subject.generation,
    iat: nowSeconds,
    nbf: nowSeconds,
    exp: nowSeconds + ACCESS_TOKEN_LIFETIME_SECONDS,
    jti: createRandomId(),
  })
  const signedText = `${headerText}.${claimsText}`
  return `${signedText}.${computeMac(signingKey.secret, signedText)}`
}

/**
 * Maximum number of cached tokens with a valid signature. The oldest tokens are dropped first. Tokens are cached
 * because a client sends the same token for up to ten minutes.
 */
const MAX_CACHED_TOKENS = 2_000
const claimsCachesByKeys = new WeakMap<Deps['keys'], Map<string, AccessTokenClaims>>()

/**
 * Returns the claims of an unexpired token with a valid signature; otherwise null. Only the result of the signature
 * check is cached. The times of the token are compared with the clock on every call. The caller must check in the
 * database that the login still exists.
 */
export function readAccessToken(token: string, deps: Deps): AccessTokenClaims | null {
  const claimsByToken = claimsCachesByKeys.get(deps.keys) ?? new Map<string, AccessTokenClaims>()
  claimsCachesByKeys.set(deps.keys, claimsByToken)
  const tokenClaims = claimsByToken.get(token) ?? verifyToken(token, deps)
  if (!tokenClaims) return null
  const nowSeconds = deps.now() / 1000
  if (
    tokenClaims.exp + CLOCK_SKEW_SECONDS <= nowSeconds ||
    tokenClaims.nbf - CLOCK_SKEW_SECONDS > nowSeconds ||
    tokenClaims.iat - CLOCK_SKEW_SECONDS > nowSeconds
  ) {
    claimsByToken.delete(token)
    return null
  }
  claimsByToken.set(token, tokenClaims)
  if (claimsByToken.size > MAX_CACHED_TOKENS) claimsByToken.delete(claimsByToken.keys().next().value ?? '')
  return tokenClaims
}

function verifyToken(token: string, deps: Deps): AccessTokenClaims | null {
  const tokenParts = token.split('.')
  const [encodedHeader, encodedClaims, signature] = tokenParts
  if (
    token.length > MAX_TOKEN_LENGTH ||
    tokenParts.length !== 3 ||
    !encodedHeader ||
    !encodedClaims ||
    !signature
  )
    return null
  const parsedHeader = decodePart(headerSchema, encodedHeader)
  const signingKey = parsedHeader && deps.keys.access.find((accessKey) => accessKey.kid === parsedHeader.kid)
  if (
    !signingKey ||
    !timingSafeEqualText(signature, computeMac(signingKey.secret, `${encodedHeader}.${encodedClaims}`))
  )
    return null
  return decodePart(claimsSchema, encodedClaims)
}

function decodePart<T extends z.ZodMiniType>(schema: T, encodedPart: string): z.output<T> | null {
  try {
    const parsedPart = z.safeParse(schema, JSON.parse(Buffer.from(encodedPart, 'base64url').toString('utf8')))
    return parsedPart.success ? parsedPart.data : null
  } catch {
    return null
  }
}
