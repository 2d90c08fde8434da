/** `/images/{width}/drawn/{kind}/{file}`: artwork that this server draws, cached for ever by a path that changes with it. */
import { Hono } from 'hono'
import type { Deps } from '../deps.ts'
import { drawn } from '../services/drawing.ts'

const KEPT = 400
const WIDTH = /^w(\d{2,4})$/

export function imageApp(deps: Deps): Hono {
  const app = new Hono()
  const kept = new Map<string, string>()
  app.get('/images/:width/drawn/:kind/:file', async (c) => {
    const { width, kind, file } = c.req.param()
    const pixels = Number(WIDTH.exec(width)?.[1] ?? 0)
    const key = `${width}/${kind}/${file}`
    const svg = kept.get(key) ?? (pixels > 0 ? await drawn(deps, { kind, file, width: pixels }) : null)
    if (svg === null) return c.body(null, 404)
    kept.delete(key)
    kept.set(key, svg)
    if (kept.size > KEPT) kept.delete(kept.keys().next().value ?? '')
    return c.body(svg, 200, {
      'Content-Type': 'image/svg+xml; charset=utf-8',
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'X-Content-Type-Options': 'nosniff',
      'Cross-Origin-Resource-Policy': 'same-origin',
    })
  })
  return app
}
