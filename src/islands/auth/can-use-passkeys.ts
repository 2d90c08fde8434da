/**
 * True if the browser supports passkeys and the page has a host name. Passkeys do not work with IP addresses.
 */
export const canUsePasskeys = (): boolean =>
  'PublicKeyCredential' in window && !/^[\d.]+$|:/.test(location.hostname)
