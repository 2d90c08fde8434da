import type { RequestListener } from 'node:http'

/** Absolute form of a request target: scheme, authority, and path with query. */
const ABSOLUTE_FORM_PATTERN = /^https?:\/\/([^/?#]*)([/?].*)?$/is

/**
 * Converts the absolute form of a request target (`http://host/path`) to the origin form (`/path`), which all other
 * code expects. The host of the target replaces the Host header (RFC 9112, section 3.2.2).
 */
export function convertToOriginForm(listener: RequestListener): RequestListener {
  return (request, response) => {
    const [, authority, pathAndQuery = ''] = ABSOLUTE_FORM_PATTERN.exec(request.url ?? '') ?? []
    if (authority !== undefined) {
      request.headers.host = authority
      request.url = pathAndQuery.startsWith('/') ? pathAndQuery : `/${pathAndQuery}`
    }
    listener(request, response)
  }
}
