/**
 * `/images/{width}/drawn/{kind}/{file}` is drawn artwork. `/images/{width}/art/{kind}/{owner}/{file}` is artwork of the
 * metadata source. Both may be cached for a year, because their paths change with their content. Artwork of hidden
 * titles and people is sent to administrators only, and is not cached.
 */
import { type Context, Hono } from 'hono'
import { getCookie } from 'hono/cookie'
import { matchesIfNoneMatch } from '../http/if-none-match.ts'
import { getRefreshCookieName } from '../http/request.ts'
import { findActiveProfile, toCaller } from '../services/auth/acting-profile.ts'
import { canAdminister } from '../services/auth/authorize.ts'
import { findLoginByRefreshToken } from '../services/auth/refresh-login.ts'
import { type DrawnArt, verifyRemoteArtPath } from '../services/catalogue/artwork.ts'
import { drawArtwork, drawSignedArtwork, isArtworkHidden } from '../services/catalogue/drawing.ts'
import { loadRemoteArtwork } from '../services/catalogue/remote-artwork.ts'
import type { Deps } from '../services/deps.ts'

const MAX_CACHED_IMAGES = 400
const WIDTH_PATTERN = /^w(\d{2,4})$/
const IMMUTABLE_CACHE_CONTROL = 'public, max-age=31536000, immutable'
/**
 * Cache-Control of drawn artwork that replaces remote artwork, by the reason why the remote artwork was not sent. The
 * drawing is cached only briefly or not at all, so that the browser soon requests the remote artwork again.
 */
const REPLACEMENT_CACHE_CONTROL = { unavailable: 'public, max-age=600', busy: 'no-store' }

const parseWidthPixels = (widthText: string) => Number(WIDTH_PATTERN.exec(widthText)?.[1] ?? 0)

export function createImageApp(deps: Deps): Hono {
  const app = new Hono()
  const drawingByKey = new Map<string, { svg: string; art: DrawnArt }>()
  app.get('/images/:width/drawn/:kind/:file', async (c) => {
    const { width: widthText, kind, file } = c.req.param()
    const widthPixels = parseWidthPixels(widthText)
    const drawingKey = `${widthText}/${kind}/${file}`
    const drawing =
      drawingByKey.get(drawingKey) ??
      (widthPixels > 0 ? await drawSignedArtwork(deps, { kind, file, width: widthPixels }) : null)
    if (!drawing) return c.body(null, 404)
    drawingByKey.delete(drawingKey)
    drawingByKey.set(drawingKey, drawing)
    if (drawingByKey.size > MAX_CACHED_IMAGES) drawingByKey.delete(drawingByKey.keys().next().value ?? '')
    const cacheControl = await findHiddenArtCacheControl(c, deps, drawing.art)
    return cacheControl === 'denied'
      ? c.body(null, 404)
      : sendDrawing(c, drawing.svg, cacheControl ?? IMMUTABLE_CACHE_CONTROL)
  })
  app.get('/images/:width/art/:kind/:owner/:file', async (c) => {
    const { width: widthText, kind, owner, file } = c.req.param()
    const widthPixels = parseWidthPixels(widthText)
    const art = widthPixels > 0 ? verifyRemoteArtPath(deps, kind, owner, file) : null
    const cacheControl = art && (await findHiddenArtCacheControl(c, deps, art))
    if (!art || cacheControl === 'denied') return c.body(null, 404)
    c.header('Vary', 'Accept')
    const format = c.req.header('accept')?.includes('image/avif') ? 'avif' : 'webp'
    const image = await loadRemoteArtwork(deps, { ...art, widthPixels, format })
    if (image === 'unavailable' || image === 'busy') {
      const svg = await drawArtwork(deps, art, widthPixels)
      return svg === null
        ? c.body(null, 404)
        : sendDrawing(c, svg, cacheControl ?? REPLACEMENT_CACHE_CONTROL[image])
    }
    const headers = { 'Cache-Control': cacheControl ?? IMMUTABLE_CACHE_CONTROL, ETag: image.etag }
    if (matchesIfNoneMatch(c.req.header('if-none-match'), image.etag)) return c.body(null, 304, headers)
    return c.body(new Uint8Array(image.bytes), 200, {
      ...headers,
      'Content-Type': `image/${image.format}`,
      'Content-Security-Policy': SANDBOX_CONTENT_SECURITY_POLICY,
    })
  })
  return app
}

const SANDBOX_CONTENT_SECURITY_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox"

const sendDrawing = (c: Context, svg: string, cacheControl: string) =>
  c.body(svg, 200, {
    'Content-Type': 'image/svg+xml; charset=utf-8',
    'Cache-Control': cacheControl,
    'Content-Security-Policy': SANDBOX_CONTENT_SECURITY_POLICY,
  })

/**
 * Returns null for a public image. For a hidden image, returns the Cache-Control of the response to an administrator,
 * and `denied` for any other caller.
 */
async function findHiddenArtCacheControl(c: Context, deps: Deps, art: DrawnArt): Promise<string | null> {
  if (!(await isArtworkHidden(deps, art))) return null
  const isAllowed = await isAdministrator(deps, getCookie(c, getRefreshCookieName(deps.config)))
  return isAllowed ? 'private, no-store' : 'denied'
}

/** Images are requested without an access token, so the refresh cookie identifies the caller. */
async function isAdministrator(deps: Deps, refreshToken: string | undefined): Promise<boolean> {
  const activeLogin = await findLoginByRefreshToken(deps, refreshToken ?? null)
  return activeLogin !== null && canAdminister(toCaller(activeLogin, findActiveProfile(activeLogin)))
}
