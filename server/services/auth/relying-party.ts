/** The relying party of passkeys: the public address of the server. */
import { isIP } from 'node:net'
import type { Config } from '../../core/config.ts'

export interface RelyingParty {
  id: string
  name: string
  origin: string
}

/**
 * Returns the relying party of the public address; null when the address allows no passkeys. Browsers accept a host
 * name but no IP address, and require HTTPS except for `localhost` (WebAuthn Level 3, section 13.4.9).
 */
export function findRelyingParty({
  publicUrl,
  siteName,
}: Pick<Config, 'publicUrl' | 'siteName'>): RelyingParty | null {
  const { hostname, protocol, origin } = publicUrl
  const isLocalHost = hostname === 'localhost' || hostname.endsWith('.localhost')
  const isIpAddress = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
  if (isIpAddress || (protocol !== 'https:' && !isLocalHost)) return null
  return { id: hostname, name: siteName, origin }
}
