import { domainToASCII } from 'node:url'

/**
 * Returns a domain in lower case, with labels that are not ASCII as Punycode and without a trailing dot. The email
 * addresses of accounts contain domains in this form, so that all spellings of a domain are equal. A text that cannot
 * be a domain is returned unchanged.
 */
export const toAsciiDomain = (domain: string): string => domainToASCII(domain).replace(/\.$/, '') || domain

/** Returns an email address with its domain in the form of `toAsciiDomain`. */
export function toAsciiEmail(email: string): string {
  const domainIndex = email.lastIndexOf('@') + 1
  return domainIndex > 0 ? email.slice(0, domainIndex) + toAsciiDomain(email.slice(domainIndex)) : email
}
