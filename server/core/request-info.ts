/** The properties of a request that services may use. Services receive neither the body nor any other header. */
export interface RequestInfo {
  id: string
  /** Truncated client address: /24 for IPv4, /48 for IPv6. Must not be used to grant access. */
  ip: string | null
  /** Full client address. Used for rate limits only, and must not be stored. */
  address: string
  userAgent: string
  bearerToken: string | null
  profileId: string | null
  refreshToken: string | null
  /** Value of the cookie of a sign-in that waits for the response of the identity provider. */
  providerState: string | null
  /** Value of the header X-Time-Zone, which may be any text (`getRequestTimeZone` in services/auth/caller.ts). */
  timeZone: string | null
}
