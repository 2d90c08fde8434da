/**
 * Decides which IP addresses the server may connect to for an operator's upstream. The host name is resolved and checked
 * as part of connecting, so that DNS rebinding between check and connection is impossible (security.md: SSRF).
 */
import { lookup as systemLookup } from 'node:dns/promises'
import { BlockList, isIP, type LookupFunction } from 'node:net'

export interface ResolvedAddress {
  address: string
  family: number
}
export type ResolveHost = (host: string) => Promise<ResolvedAddress[]>

/**
 * Ranges that are never allowed: unspecified, link-local (including cloud metadata services), multicast and reserved
 * ranges.
 */
const FORBIDDEN_RANGES = createBlockList(
  '0.0.0.0/8 169.254.0.0/16 192.0.0.0/24 224.0.0.0/4 240.0.0.0/4 ::/128 fe80::/10 ff00::/8 fd00:ec2::/32 2001::/32 100.100.100.200/32',
)
/** Private networks and loopback. They are allowed only if the host is a literal IP address or a local name. */
const PRIVATE_RANGES = createBlockList(
  '10.0.0.0/8 127.0.0.0/8 172.16.0.0/12 192.168.0.0/16 100.64.0.0/10 198.18.0.0/15 ::1/128 fc00::/7 64:ff9b:1::/48',
)
/** Names that resolve only in a local network. An operator who configures such a name intends a private IP address. */
const LOCAL_NAME = /^[^.]+$|\.(?:local|lan|home|internal|home\.arpa|localdomain)$/i
const LOCALHOST = /^(?:.+\.)?localhost$/i

function createBlockList(ranges: string): BlockList {
  const list = new BlockList()
  for (const range of ranges.split(' ')) {
    const [address = '', prefix] = range.split('/')
    list.addSubnet(address, Number(prefix), isIP(address) === 6 ? 'ipv6' : 'ipv4')
  }
  return list
}

/** Returns the IPv4 address that an IPv6 address embeds (mapped, compatible, NAT64, 6to4), otherwise the address itself. */
function extractEmbeddedIpv4(address: string): string {
  if (isIP(address) !== 6) return address
  const groups = expandIpv6(address)
  const toIpv4 = (high: number, low: number) => [high >> 8, high & 255, low >> 8, low & 255].join('.')
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = groups
  const zeros = a === 0 && b === 0 && c === 0 && d === 0
  if (zeros && e === 0 && f === 0xffff) return toIpv4(g, h)
  if (zeros && e === 0 && f === 0 && (g !== 0 || h > 1)) return toIpv4(g, h)
  if (a === 0x64 && b === 0xff9b && c === 0 && d === 0 && e === 0 && f === 0) return toIpv4(g, h)
  return a === 0x2002 ? toIpv4(b, c) : address
}

/** Returns the eight 16-bit groups of an IPv6 address. */
function expandIpv6(address: string): number[] {
  const colonForm = (address.split('%')[0] ?? '').replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...octets) => {
    const [a = 0, b = 0, c = 0, d = 0] = octets.slice(0, 4).map(Number)
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
  })
  const [left = '', right] = colonForm.split('::')
  const head = left.split(':').filter(Boolean)
  const tail = (right ?? '').split(':').filter(Boolean)
  const gap = right === undefined ? 0 : 8 - head.length - tail.length
  return [...head, ...Array<string>(Math.max(0, gap)).fill('0'), ...tail].map((group) =>
    Number.parseInt(group, 16),
  )
}

const isInList = (list: BlockList, address: string) =>
  list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

/**
 * True if the server may connect to `address` for a URL whose host is `host` (without brackets). A trusted
 * host may have a private IP address even if its name looks public, because the operator named it as a server
 * of the local network.
 */
export function canConnect(host: string, address: string, isTrusted = false): boolean {
  if (isForbiddenAddress(address)) return false
  if (isTrusted) return true
  const effectiveAddress = extractEmbeddedIpv4(address)
  const isPrivate = isInList(PRIVATE_RANGES, effectiveAddress) || isInList(PRIVATE_RANGES, address)
  if (isIP(host) !== 0) return true
  if (LOCALHOST.test(host))
    return isPrivate && (effectiveAddress.startsWith('127.') || effectiveAddress === '::1')
  return !isPrivate || LOCAL_NAME.test(host)
}

/** True for a name that is meant for the internet: no IP address and no name of a local network. */
export const isPublicName = (host: string) =>
  isIP(host.replace(/^\[|\]$/g, '')) === 0 && !LOCAL_NAME.test(host) && !LOCALHOST.test(host)

/** True for a host that is reached within a local network only, so that plain HTTP is acceptable. */
export function isLocalHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0) return isInList(PRIVATE_RANGES, extractEmbeddedIpv4(host))
  return LOCAL_NAME.test(host) || LOCALHOST.test(host)
}

export const resolveWithSystemDns: ResolveHost = (host) => systemLookup(host, { all: true, verbatim: true })

/** True for IP addresses to which the server never connects, such as those of cloud metadata services. */
const isForbiddenAddress = (address: string) =>
  isIP(extractEmbeddedIpv4(address)) === 0 ||
  isInList(FORBIDDEN_RANGES, extractEmbeddedIpv4(address)) ||
  isInList(FORBIDDEN_RANGES, address)

/** The `lookup` option for `http.request`. Passes on only allowed addresses, and fails if none is allowed. */
export function createGuardedLookup(resolve: ResolveHost, trustedHost: string | null = null): LookupFunction {
  return (host, options, done) => {
    resolve(host).then(
      (addresses) => {
        const allowedAddresses = addresses.filter(({ address }) =>
          canConnect(host, address, host === trustedHost),
        )
        const [first] = allowedAddresses
        if (!first) done(new Error(`${host} has no allowed address`), '', 4)
        else if (options.all) done(null, allowedAddresses)
        else done(null, first.address, first.family)
      },
      (error: Error) => done(error as NodeJS.ErrnoException, '', 4),
    )
  }
}
