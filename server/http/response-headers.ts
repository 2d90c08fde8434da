/** Headers of every response of the API, of images and of media, regardless of the status. */
import type { MiddlewareHandler } from 'hono'
import type { Config } from '../core/config.ts'

/** Content-Security-Policy of responses that are not pages. */
const API_POLICY = "default-src 'none'; frame-ancestors 'none'"

/** Security headers that do not depend on the settings. */
export const COMMON_SECURITY_HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': API_POLICY,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
}

/** Returns the security headers; a response may replace the Content-Security-Policy and Cache-Control. */
export function buildSecurityHeaders(config: Pick<Config, 'publicUrl'>): Record<string, string> {
  return {
    ...COMMON_SECURITY_HEADERS,
    ...(config.publicUrl.protocol === 'https:' && { 'Strict-Transport-Security': 'max-age=31536000' }),
  }
}

/**
 * Sets the security headers that the handler has not set. Media responses over a socket set them directly
 * (media-send.ts).
 */
export function setSecurityHeaders(config: Pick<Config, 'publicUrl'>): MiddlewareHandler {
  const headers = Object.entries(buildSecurityHeaders(config))
  return async (c, next) => {
    await next()
    if (c.res.headers.has('x-hono-already-sent')) return
    for (const [name, value] of headers) if (!c.res.headers.has(name)) c.res.headers.set(name, value)
  }
}
