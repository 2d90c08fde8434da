/**
 * Which addresses the server may connect to for an operator's upstream. The name is looked up and judged as part of
 * connecting, so that no answer can change between the check and the connection (security.md: SSRF).
 */
import { lookup as systemLookup } from 'node:dns/promises'
import { BlockList, isIP, type LookupFunction } from 'node:net'

export interface Address {
  address: string
  family: number
}
export type Resolve = (host: string) => Promise<Address[]>

/** Nobody's upstream: unspecified, link-local with the clouds' metadata services, multicast, reserved. */
const NEVER = blockList(
  '0.0.0.0/8 169.254.0.0/16 192.0.0.0/24 224.0.0.0/4 240.0.0.0/4 ::/128 fe80::/10 ff00::/8 fd00:ec2::/32 2001::/32 100.100.100.200/32',
)
/** At home or inside a machine. */
const PRIVATE = blockList(
  '10.0.0.0/8 127.0.0.0/8 172.16.0.0/12 192.168.0.0/16 100.64.0.0/10 198.18.0.0/15 ::1/128 fc00::/7 64:ff9b:1::/48',
)
/** Names that only mean something at home: an operator who writes one means a private address. */
const HOME_NAME = /^[^.]+$|\.(?:local|lan|home|internal|home\.arpa|localdomain)$/i
const LOCALHOST = /^(?:.+\.)?localhost$/i

function blockList(ranges: string): BlockList {
  const list = new BlockList()
  for (const range of ranges.split(' ')) {
    const [address = '', prefix] = range.split('/')
    list.addSubnet(address, Number(prefix), isIP(address) === 6 ? 'ipv6' : 'ipv4')
  }
  return list
}

/** IPv4 in the clothes of IPv6: mapped, compatible, NAT64 and 6to4. */
function unwrap(address: string): string {
  if (isIP(address) !== 6) return address
  const groups = expand(address)
  const v4 = (high: number, low: number) => [high >> 8, high & 255, low >> 8, low & 255].join('.')
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = groups
  const zeros = a === 0 && b === 0 && c === 0 && d === 0
  if (zeros && e === 0 && f === 0xffff) return v4(g, h)
  if (zeros && e === 0 && f === 0 && (g !== 0 || h > 1)) return v4(g, h)
  if (a === 0x64 && b === 0xff9b && c === 0 && d === 0 && e === 0 && f === 0) return v4(g, h)
  return a === 0x2002 ? v4(b, c) : address
}

function expand(address: string): number[] {
  const plain = (address.split('%')[0] ?? '').replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...four) => {
    const [a = 0, b = 0, c = 0, d = 0] = four.slice(0, 4).map(Number)
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
  })
  const [left = '', right] = plain.split('::')
  const head = left.split(':').filter(Boolean)
  const tail = (right ?? '').split(':').filter(Boolean)
  const gap = right === undefined ? 0 : 8 - head.length - tail.length
  return [...head, ...Array<string>(Math.max(0, gap)).fill('0'), ...tail].map((group) =>
    Number.parseInt(group, 16),
  )
}

const within = (list: BlockList, address: string) =>
  list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** Whether the server may connect to `address` for a URL whose host is `host` (without brackets). */
export function mayConnect(host: string, address: string): boolean {
  const plain = unwrap(address)
  if (isIP(plain) === 0 || within(NEVER, plain) || within(NEVER, address)) return false
  const isPrivate = within(PRIVATE, plain) || within(PRIVATE, address)
  if (isIP(host) !== 0) return true
  if (LOCALHOST.test(host)) return isPrivate && (plain.startsWith('127.') || plain === '::1')
  return !isPrivate || HOME_NAME.test(host)
}

export const systemResolve: Resolve = (host) => systemLookup(host, { all: true, verbatim: true })

/** For `http.request`: gives only addresses that may be connected to, and fails when there are none. */
export function guardedLookup(resolve: Resolve): LookupFunction {
  return (host, options, done) => {
    resolve(host).then(
      (found) => {
        const open = found.filter((one) => mayConnect(host, one.address))
        const [first] = open
        if (!first) done(new Error(`${host} has no address that may be used`), '', 4)
        else if (options.all) done(null, open)
        else done(null, first.address, first.family)
      },
      (error: Error) => done(error as NodeJS.ErrnoException, '', 4),
    )
  }
}
