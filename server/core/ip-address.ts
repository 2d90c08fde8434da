/** Returns the eight 16-bit groups of an IPv6 address. The address may be compressed and may contain a zone. */
export function expandIpv6(address: string): number[] {
  const hexAddress = (address.split('%')[0] ?? '').replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...octets) => {
    const [octet1 = 0, octet2 = 0, octet3 = 0, octet4 = 0] = octets.slice(0, 4).map(Number)
    return `${((octet1 << 8) | octet2).toString(16)}:${((octet3 << 8) | octet4).toString(16)}`
  })
  const [left = '', right] = hexAddress.split('::')
  const headGroups = left.split(':').filter(Boolean)
  const tailGroups = (right ?? '').split(':').filter(Boolean)
  const missingGroupCount = right === undefined ? 0 : 8 - headGroups.length - tailGroups.length
  return [...headGroups, ...Array<string>(Math.max(0, missingGroupCount)).fill('0'), ...tailGroups].map(
    (group) => Number.parseInt(group, 16),
  )
}

/**
 * Returns the first `groupCount` groups of an IPv6 address as text, such as `2001:db8:0`. The result is the same for
 * every spelling of the address, and for all addresses of the network with this prefix.
 */
export const getIpv6Prefix = (address: string, groupCount: number): string =>
  expandIpv6(address)
    .slice(0, groupCount)
    .map((group) => group.toString(16))
    .join(':')
