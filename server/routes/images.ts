/**
 * `/images/{width}/drawn/{kind}/{file}`: drawn artwork. It is cached without expiry because its path changes with
 * its content. Artwork of hidden titles and people is sent to administrators only.
 */
import { Hono } from 'hono'
import { getCookie } from 'hono/cookie'
import { getRefreshCookieName } from '../http/request.ts'
import { findActiveProfile } from '../services/auth/acting-profile.ts'
import { canAdminister } from '../services/auth/authorize.ts'
import { findLoginByRefreshToken } from '../services/auth/refresh-login.ts'
import { drawArtwork, isArtworkHidden } from '../services/catalogue/drawing.ts'
import type { Deps } from '../services/deps.ts'

const MAX_CACHED_IMAGES = 400
const WIDTH_PATTERN = /^w(\d{2,4})$/

export function createImageApp(deps: Deps): Hono {
  const app = new Hono()
  const svgCache = new Map<string, string>()
  app.get('/images/:width/drawn/:kind/:file', async (c) => {
    const { width, kind, file } = c.req.param()
    const widthPixels = Number(WIDTH_PATTERN.exec(width)?.[1] ?? 0)
    const key = `${width}/${kind}/${file}`
    const svg =
      svgCache.get(key) ??
      (widthPixels > 0 ? await drawArtwork(deps, { kind, file, width: widthPixels }) : null)
    if (svg === null) return c.body(null, 404)
    svgCache.delete(key)
    svgCache.set(key, svg)
    if (svgCache.size > MAX_CACHED_IMAGES) svgCache.delete(svgCache.keys().next().value ?? '')
    const isHidden = await isArtworkHidden(deps, { kind, file })
    if (isHidden && !(await isAdministrator(deps, getCookie(c, getRefreshCookieName(deps.config)))))
      return c.body(null, 404)
    return c.body(svg, 200, {
      'Content-Type': 'image/svg+xml; charset=utf-8',
      'Cache-Control': isHidden ? 'private, no-store' : 'public, max-age=31536000, immutable',
      'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    })
  })
  return app
}

/** Images are requested without an access token, so the refresh cookie identifies the caller. */
async function isAdministrator(deps: Deps, refreshToken: string | undefined): Promise<boolean> {
  const activeLogin = await findLoginByRefreshToken(deps, refreshToken ?? null)
  return activeLogin !== null && canAdminister({ ...activeLogin, acting: findActiveProfile(activeLogin) })
}
