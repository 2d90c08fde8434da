/** True when the browser has passkeys and the page has a host name: passkeys belong to names, not to IP addresses. */
export const canUsePasskeys = (): boolean =>
  'PublicKeyCredential' in window && !/^[\d.]+$|:/.test(location.hostname)
