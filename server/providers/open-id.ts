/**
 * Client of OpenID Connect providers: authorization code flow with PKCE, state and nonce. Import this module on demand,
 * because most servers need no provider.
 */
import * as openId from 'openid-client'
import { toStorableText } from '../core/storable-text.ts'
import { findClaim } from './find-claim.ts'
import { UpstreamError } from './guarded-request.ts'
import { createOpenIdFetch, isAllowedEndpoint } from './open-id-fetch.ts'
import { type ResolveHost, resolveWithSystemDns } from './upstream-guard.ts'

const REQUEST_TIMEOUT_SECONDS = 15
const CLOCK_TOLERANCE_SECONDS = 30
const DEFAULT_SCOPES = 'openid email profile'

interface OpenIdSettings {
  issuer: string
  clientId: string
  clientSecret: string
  /** True when the host of the issuer may have a private IP address. */
  allowsPrivate: boolean
  /** Name of the claim with the groups of a person, or a path to it (`findClaim`); null when groups are not used. */
  groupClaim: string | null
}

/**
 * Random values of one sign-in. The response must contain the same `state` and its ID token the same `nonce`.
 * `codeVerifier` proves to the provider that this server started the sign-in (PKCE).
 */
export interface OpenIdChecks {
  state: string
  nonce: string
  codeVerifier: string
}

export interface OpenIdIdentity {
  issuer: string
  subject: string
  email: string | null
  isEmailVerified: boolean
  /** Email address of the person, otherwise the user name or the name. Only for display. */
  displayName: string | null
  claims: Record<string, unknown>
}

export interface OpenIdProvider {
  buildAuthorizationUrl: (redirectUri: string, checks: OpenIdChecks) => Promise<string>
  /** Redeems the code of a response. Throws when the response, the tokens or the ID token are not valid. */
  redeemResponse: (redirectUri: string, response: string, checks: OpenIdChecks) => Promise<OpenIdIdentity>
}

/** Reads the configuration of a provider (discovery). Throws when it cannot be used. */
export async function openOpenIdProvider(
  settings: OpenIdSettings,
  resolveHost: ResolveHost = resolveWithSystemDns,
): Promise<OpenIdProvider> {
  const issuer = new URL(settings.issuer)
  const { clientId, clientSecret, allowsPrivate } = settings
  const clientMetadata = { [openId.clockTolerance]: CLOCK_TOLERANCE_SECONDS }
  const sendRequest = createOpenIdFetch(issuer, { resolveHost, isPrivateNetworkAllowed: allowsPrivate })
  const config = await openId.discovery(issuer, clientId, clientMetadata, openId.None(), {
    algorithm: 'oidc',
    timeout: REQUEST_TIMEOUT_SECONDS,
    [openId.customFetch]: sendRequest,
    ...(issuer.protocol === 'http:' && { execute: [openId.allowInsecureRequests] }),
  })
  const serverMetadata = config.serverMetadata()
  const authorizationEndpoint = URL.parse(serverMetadata.authorization_endpoint ?? '')
  if (!authorizationEndpoint || !isAllowedEndpoint(issuer, authorizationEndpoint))
    throw new UpstreamError('authorization endpoint is not allowed')
  const authenticatedConfig = new openId.Configuration(
    serverMetadata,
    clientId,
    clientMetadata,
    chooseClientAuthentication(clientSecret, serverMetadata.token_endpoint_auth_methods_supported),
  )
  authenticatedConfig[openId.customFetch] = sendRequest
  authenticatedConfig.timeout = REQUEST_TIMEOUT_SECONDS
  if (issuer.protocol === 'http:') openId.allowInsecureRequests(authenticatedConfig)
  // Without this call, the client does not check the signature of an ID token from the token endpoint.
  openId.enableNonRepudiationChecks(authenticatedConfig)
  const scope = serverMetadata.scopes_supported?.includes('groups')
    ? `${DEFAULT_SCOPES} groups`
    : DEFAULT_SCOPES
  return {
    buildAuthorizationUrl: async (redirectUri, { state, nonce, codeVerifier }) =>
      openId.buildAuthorizationUrl(authenticatedConfig, {
        redirect_uri: redirectUri,
        scope,
        state,
        nonce,
        code_challenge: await openId.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      }).href,
    redeemResponse: (redirectUri, response, checks) =>
      redeemResponse(authenticatedConfig, new URL(`${redirectUri}?${response}`), checks, settings.groupClaim),
  }
}

/**
 * Returns the method with which this client proves its identity to the provider. Prefers HTTP Basic, which is the
 * default of the specification.
 */
function chooseClientAuthentication(
  secret: string,
  supportedMethods: string[] | undefined,
): openId.ClientAuth {
  if (!secret) return openId.None()
  const shouldSendSecretInBody =
    supportedMethods !== undefined && !supportedMethods.includes('client_secret_basic')
  return shouldSendSecretInBody ? openId.ClientSecretPost(secret) : openId.ClientSecretBasic(secret)
}

/** Subjects have at most 255 characters (OpenID Connect Core, section 2). They are stored and compared unchanged. */
const SUBJECT_PATTERN = /^[^\p{Cc}\p{Cs}]{1,255}$/u
const MAX_TEXT_LENGTH = 300
const readText = (claim: unknown): string | null =>
  typeof claim === 'string' ? toStorableText(claim, MAX_TEXT_LENGTH) : null

async function redeemResponse(
  config: openId.Configuration,
  responseUrl: URL,
  { state, nonce, codeVerifier }: OpenIdChecks,
  groupClaim: string | null,
): Promise<OpenIdIdentity> {
  const tokens = await openId.authorizationCodeGrant(config, responseUrl, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: codeVerifier,
    idTokenExpected: true,
  })
  const idClaims = tokens.claims()
  if (!idClaims) throw new UpstreamError('ID token is missing')
  if (!SUBJECT_PATTERN.test(idClaims.sub)) throw new UpstreamError('subject of the ID token is invalid')
  const isComplete =
    idClaims['email'] !== undefined &&
    (groupClaim === null || findClaim({ ...idClaims }, groupClaim) !== undefined)
  const hasUserInfo = config.serverMetadata().userinfo_endpoint !== undefined
  const userInfo =
    isComplete || !hasUserInfo ? {} : await openId.fetchUserInfo(config, tokens.access_token, idClaims.sub)
  const claims: Record<string, unknown> = { ...userInfo, ...idClaims }
  const email = readText(claims['email'])
  const name = readText(claims['preferred_username'] ?? claims['name'])
  return {
    issuer: idClaims.iss,
    subject: idClaims.sub,
    email,
    isEmailVerified: email !== null && claims['email_verified'] === true,
    displayName: email ?? name,
    claims,
  }
}
