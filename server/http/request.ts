import { randomUUID } from 'node:crypto'
import { BlockList, isIP } from 'node:net'
import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import type { Config } from '../config.ts'

/** What services may know of a request: no body, no headers but these. */
export interface RequestInfo {
  id: string
  /** Shortened: /24 of IPv4, /48 of IPv6. It never grants rights. */
  ip: string | null
  /** In full, for rate limits alone; never stored. */
  address: string
  userAgent: string
  bearer: string | null
  profileId: string | null
  refreshToken: string | null
}

export function cookieName(config: Config): string {
  return config.publicUrl.protocol === 'https:' ? '__Host-rt' : 'rt'
}

export function describeRequest(c: Context, config: Config, trusted: BlockList): RequestInfo {
  const address = clientAddress(c, trusted)
  return {
    id: randomUUID(),
    ip: shorten(address),
    address: address ?? 'unknown',
    userAgent: (c.req.header('user-agent') ?? '').slice(0, 300),
    bearer: /^Bearer ([A-Za-z0-9._~+/=-]{1,4096})$/.exec(c.req.header('authorization') ?? '')?.[1] ?? null,
    profileId: c.req.header('x-profile-id') ?? null,
    refreshToken: getCookie(c, cookieName(config)) ?? null,
  }
}

/** X-Forwarded-For is read from right to left, through configured proxies only. */
function clientAddress(c: Context, trusted: BlockList): string | null {
  const socket = (c.env as { incoming?: { socket?: { remoteAddress?: string } } } | undefined)?.incoming
    ?.socket
  let address = plain(socket?.remoteAddress ?? null)
  const hops = (c.req.header('x-forwarded-for') ?? '').split(',').map((hop) => plain(hop.trim()))
  while (address && trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')) {
    const hop = hops.pop()
    if (!hop) break
    address = hop
  }
  return address
}

function plain(address: string | null): string | null {
  const mapped = address?.replace(/^::ffff:(?=\d+\.)/, '') ?? ''
  return isIP(mapped) ? mapped : null
}

export function shorten(address: string | null): string | null {
  if (!address) return null
  if (isIP(address) === 4) return address.replace(/\.\d+$/, '.0')
  const groups = address.split('::')[0]?.split(':').slice(0, 3).filter(Boolean) ?? []
  return `${groups.join(':')}::`
}

/** Throws on an entry that is neither an address nor a CIDR block. */
export function trustedProxies(entries: string[]): BlockList {
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', prefix] = entry.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (!isIP(address))
      throw new Error(`TRUSTED_PROXIES names "${entry}", which is not an address or a CIDR block.`)
    if (prefix === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(prefix), family)
  }
  return list
}
