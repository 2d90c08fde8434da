const NETWORK_NAMES_BY_ID: Record<string, string> = {
  netflix: 'Netflix',
  hbo: 'HBO',
  'apple-tv': 'Apple TV+',
  'prime-video': 'Prime Video',
  hulu: 'Hulu',
  disney: 'Disney+',
  paramount: 'Paramount+',
  'the-cw': 'The CW',
  fx: 'FX',
}
export const getNetworkName = (networkId: string) => NETWORK_NAMES_BY_ID[networkId] ?? networkId
