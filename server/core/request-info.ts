/** The properties of a request that services may use. It contains no body and no other headers. */
export interface RequestInfo {
  id: string
  /** Truncated client address: /24 for IPv4, /48 for IPv6. It must not grant access. */
  ip: string | null
  /** Full client address, for rate limits only; it must not be stored. */
  address: string
  userAgent: string
  bearer: string | null
  profileId: string | null
  refreshToken: string | null
  /** Cookie of a sign-in at an identity provider that waits for its response. */
  providerState: string | null
}
