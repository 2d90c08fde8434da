/**
 * Decides which IP addresses the server may connect to for an operator's upstream. The host name is resolved and
 * checked as part of connecting, so that DNS rebinding between check and connection is impossible (security.md: SSRF).
 */
import { lookup as systemLookup } from 'node:dns/promises'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { expandIpv6 } from '../core/ip-address.ts'

export interface ResolvedAddress {
  address: string
  family: number
}
export type ResolveHost = (host: string) => Promise<ResolvedAddress[]>

/**
 * Ranges that are never allowed: unspecified, link-local, multicast, reserved and Teredo addresses, and the addresses
 * of the metadata services of cloud providers, some of which are outside the link-local ranges.
 */
const FORBIDDEN_ADDRESS_RANGES = createBlockList(
  '0.0.0.0/8 169.254.0.0/16 192.0.0.0/24 224.0.0.0/4 240.0.0.0/4 ::/128 fe80::/10 ff00::/8 fd00:ec2::/32 2001::/32 100.100.100.200/32',
)
/**
 * Private networks and loopback. They are allowed only if the host is a literal IP address, a local name or a trusted
 * host.
 */
const PRIVATE_ADDRESS_RANGES = createBlockList(
  '10.0.0.0/8 127.0.0.0/8 172.16.0.0/12 192.168.0.0/16 100.64.0.0/10 198.18.0.0/15 ::1/128 fc00::/7 64:ff9b:1::/48',
)
/** Names that resolve only in a local network. An operator who configures such a name intends a private IP address. */
const LOCAL_NAME_PATTERN = /^[^.]+$|\.(?:local|lan|home|internal|home\.arpa|localdomain)$/i
const LOCALHOST_PATTERN = /^(?:.+\.)?localhost$/i

function createBlockList(ranges: string): BlockList {
  const blockList = new BlockList()
  for (const range of ranges.split(' ')) {
    const [address = '', prefixLength] = range.split('/')
    blockList.addSubnet(address, Number(prefixLength), isIP(address) === 6 ? 'ipv6' : 'ipv4')
  }
  return blockList
}

/**
 * Returns the IPv4 address that an IPv6 address embeds (mapped, compatible, NAT64, 6to4), otherwise the address itself.
 */
function extractEmbeddedIpv4(address: string): string {
  if (isIP(address) !== 6) return address
  const ipv6Groups = expandIpv6(address)
  const toIpv4 = (highGroup: number, lowGroup: number) =>
    [highGroup >> 8, highGroup & 255, lowGroup >> 8, lowGroup & 255].join('.')
  const [group1 = 0, group2 = 0, group3 = 0, group4 = 0, group5 = 0, group6 = 0, group7 = 0, group8 = 0] =
    ipv6Groups
  const hasZeroPrefix = group1 === 0 && group2 === 0 && group3 === 0 && group4 === 0
  if (hasZeroPrefix && group5 === 0 && group6 === 0xffff) return toIpv4(group7, group8)
  if (hasZeroPrefix && group5 === 0 && group6 === 0 && (group7 !== 0 || group8 > 1))
    return toIpv4(group7, group8)
  if (group1 === 0x64 && group2 === 0xff9b && group3 === 0 && group4 === 0 && group5 === 0 && group6 === 0)
    return toIpv4(group7, group8)
  return group1 === 0x2002 ? toIpv4(group2, group3) : address
}

const isInBlockList = (blockList: BlockList, address: string) =>
  blockList.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

/**
 * True if the server may connect to `address` for a URL whose host is `host` (without brackets). A trusted
 * host may have a private IP address even if its name looks public, because the operator named it as a server
 * of the local network.
 */
export function canConnect(host: string, address: string, isHostTrusted = false): boolean {
  if (isForbiddenAddress(address)) return false
  if (isHostTrusted) return true
  const effectiveAddress = extractEmbeddedIpv4(address)
  const isPrivateAddress =
    isInBlockList(PRIVATE_ADDRESS_RANGES, effectiveAddress) || isInBlockList(PRIVATE_ADDRESS_RANGES, address)
  if (isIP(host) !== 0) return true
  if (LOCALHOST_PATTERN.test(host))
    return isPrivateAddress && (effectiveAddress.startsWith('127.') || effectiveAddress === '::1')
  return !isPrivateAddress || LOCAL_NAME_PATTERN.test(host)
}

/** True for a host name on the internet: not an IP address, and not a name of a local network. */
export const isPublicHostName = (host: string) =>
  isIP(host.replace(/^\[|\]$/g, '')) === 0 && !LOCAL_NAME_PATTERN.test(host) && !LOCALHOST_PATTERN.test(host)

/** True for a host that is reached within a local network only, so that plain HTTP is acceptable. */
export function isLocalHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0) return isInBlockList(PRIVATE_ADDRESS_RANGES, extractEmbeddedIpv4(host))
  return LOCAL_NAME_PATTERN.test(host) || LOCALHOST_PATTERN.test(host)
}

export const resolveWithSystemDns: ResolveHost = (host) => systemLookup(host, { all: true, verbatim: true })

/** True for IP addresses to which the server never connects, such as those of cloud metadata services. */
const isForbiddenAddress = (address: string) =>
  isIP(extractEmbeddedIpv4(address)) === 0 ||
  isInBlockList(FORBIDDEN_ADDRESS_RANGES, extractEmbeddedIpv4(address)) ||
  isInBlockList(FORBIDDEN_ADDRESS_RANGES, address)

/** The `lookup` option for `http.request`. Passes on only allowed addresses, and fails if none is allowed. */
export function createGuardedLookup(
  resolveHost: ResolveHost,
  trustedHost: string | null = null,
): LookupFunction {
  return (host, options, done) => {
    resolveHost(host).then(
      (addresses) => {
        const allowedAddresses = addresses.filter(({ address }) =>
          canConnect(host, address, host === trustedHost),
        )
        const [firstAddress] = allowedAddresses
        if (!firstAddress) done(new Error(`${host} has no allowed address`), '', 4)
        else if (options.all) done(null, allowedAddresses)
        else done(null, firstAddress.address, firstAddress.family)
      },
      (error: Error) => done(error as NodeJS.ErrnoException, '', 4),
    )
  }
}
