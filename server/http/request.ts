import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import type { Config } from '../core/config.ts'
import { getIpv6Prefix } from '../core/ip-address.ts'
import type { RequestInfo } from '../core/request-info.ts'

export function getRefreshCookieName(config: Config): string {
  return config.publicUrl.protocol === 'https:' ? '__Host-rt' : 'rt'
}

export function getProviderCookieName(config: Config): string {
  return config.publicUrl.protocol === 'https:' ? '__Host-sign-in' : 'sign-in'
}

/**
 * Returns the token of an `Authorization: Bearer` header; null for another header. The case of the scheme does not
 * matter (RFC 9110, §11.1).
 */
export const parseBearerToken = (header: string | undefined): string | null =>
  /^Bearer +(.+)$/i.exec(header ?? '')?.[1] ?? null

/** Characters and length of the tokens that this server issues. */
const TOKEN_PATTERN = /^[A-Za-z0-9._~+/=-]{1,4096}$/

export function describeRequest(c: Context, config: Config, trustedProxyList: BlockList): RequestInfo {
  const address = findClientAddress(c, trustedProxyList)
  const bearerToken = parseBearerToken(c.req.header('authorization'))
  return {
    id: randomUUID(),
    ip: truncateAddress(address),
    address: address ?? 'unknown',
    userAgent: (c.req.header('user-agent') ?? '').slice(0, 300),
    bearerToken: bearerToken !== null && TOKEN_PATTERN.test(bearerToken) ? bearerToken : null,
    profileId: c.req.header('x-profile-id') ?? null,
    refreshToken: getCookie(c, getRefreshCookieName(config)) ?? null,
    providerState: getCookie(c, getProviderCookieName(config)) ?? null,
    timeZone: c.req.header('x-time-zone') ?? null,
  }
}

/** Returns the client address of a request; null without a socket, as in tests. */
function findClientAddress(c: Context, trustedProxyList: BlockList): string | null {
  const socket = (c.env as { incoming?: { socket?: { remoteAddress?: string } } } | undefined)?.incoming
    ?.socket
  return resolveClientAddress(socket?.remoteAddress, c.req.header('x-forwarded-for'), trustedProxyList)
}

/**
 * Returns the client address for rate limits: an IPv4 address, or a /48 network of IPv6, because one client can use
 * very many IPv6 addresses. Returns `unknown` if the address is not known.
 */
export function findRateLimitAddress(request: IncomingMessage, trustedProxyList: BlockList): string {
  const { 'x-forwarded-for': forwardedFor } = request.headers
  const forwardedHeader = Array.isArray(forwardedFor) ? forwardedFor.join(',') : forwardedFor
  const address = resolveClientAddress(request.socket.remoteAddress, forwardedHeader, trustedProxyList)
  return (isIP(address ?? '') === 6 ? truncateAddress(address) : address) ?? 'unknown'
}

/** True when the request came through a trusted proxy. */
export const isForwarded = ({ headers, socket }: IncomingMessage, trustedProxyList: BlockList): boolean =>
  headers['x-forwarded-for'] !== undefined &&
  isTrustedProxy(normaliseAddress(socket.remoteAddress ?? null), trustedProxyList)

const isTrustedProxy = (address: string | null, trustedProxyList: BlockList): address is string =>
  address !== null && trustedProxyList.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

/**
 * Returns the client address; null if `socketAddress` is not an IP address. X-Forwarded-For is read from right to left,
 * through trusted proxies only.
 */
function resolveClientAddress(
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  trustedProxyList: BlockList,
): string | null {
  let address = normaliseAddress(socketAddress ?? null)
  const hopAddresses = (forwardedFor ?? '').split(',').map((hop) => normaliseAddress(hop.trim()))
  while (isTrustedProxy(address, trustedProxyList)) {
    const hop = hopAddresses.pop()
    if (!hop) break
    address = hop
  }
  return address
}

function normaliseAddress(address: string | null): string | null {
  const normalisedAddress = address?.replace(/^::ffff:(?=\d+\.)/, '') ?? ''
  return isIP(normalisedAddress) ? normalisedAddress : null
}

/** Returns the network of an address: the /24 network of IPv4, such as `192.0.2.0`, or the /48 network of IPv6. */
export function truncateAddress(address: string | null): string | null {
  if (!address) return null
  if (isIP(address) === 4) return address.replace(/\.\d+$/, '.0')
  return `${getIpv6Prefix(address, 3).replace(/(?:^|:)0(?::0)*$/, '')}::`
}

/**
 * Parses TRUSTED_PROXIES.
 * @throws Error when an entry is neither an IP address nor a CIDR block.
 */
export function parseTrustedProxies(addressRanges: string[]): BlockList {
  const blockList = new BlockList()
  for (const addressRange of addressRanges) {
    const [address = '', prefixLength] = addressRange.split('/')
    const addressFamily = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (!isIP(address))
      throw new Error(
        `TRUSTED_PROXIES contains "${addressRange}", which is not an IP address or a CIDR block.`,
      )
    if (prefixLength === undefined) blockList.addAddress(address, addressFamily)
    else blockList.addSubnet(address, Number(prefixLength), addressFamily)
  }
  return blockList
}
