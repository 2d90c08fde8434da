/** `/proxy/m/{file}`: bytes behind a signed address; one range, back-pressure, never cached by anybody between. */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { type Context, Hono } from 'hono'
import type { Deps } from '../deps.ts'
import { CLIPS, isClipFile } from '../providers/demo-clips.ts'
import { readClaim } from '../services/stream.ts'
import { mayStillWatch } from '../services/watching.ts'

const TYPES: Record<string, string> = { mp4: 'video/mp4', vtt: 'text/vtt; charset=utf-8' }

export function mediaApp(deps: Deps): Hono {
  const app = new Hono()
  app.on(['GET', 'HEAD'], '/proxy/m/:file', async (c) => {
    const file = c.req.param('file') ?? ''
    const claim = readClaim(deps, file, c.req.query())
    if (!claim || !isClipFile(file) || !(await mayStillWatch(deps, claim))) return c.body(null, 404)
    return send(c, join(CLIPS, file))
  })
  return app
}

async function send(c: Context, path: string): Promise<Response> {
  const { size } = await stat(path)
  const range = readRange(c.req.header('range'), size)
  const headers = {
    'Content-Type': TYPES[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': 'same-origin',
  }
  if (range === 'unsatisfiable') return c.body(null, 416, { ...headers, 'Content-Range': `bytes */${size}` })
  const { start, end } = range ?? { start: 0, end: size - 1 }
  const length = { 'Content-Length': String(end - start + 1) }
  const partial = range ? { 'Content-Range': `bytes ${start}-${end}/${size}` } : {}
  const status = range ? 206 : 200
  if (c.req.method === 'HEAD') return c.body(null, status, { ...headers, ...length, ...partial })
  const stream = Readable.toWeb(createReadStream(path, { start, end })) as unknown as ReadableStream
  return c.body(stream, status, { ...headers, ...length, ...partial })
}

/** One range is honoured; several, or one that makes no sense, give the whole file (RFC 9110 §14.2). */
export function readRange(
  header: string | undefined,
  size: number,
): { start: number; end: number } | 'unsatisfiable' | null {
  const found = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '')
  if (!found || (found[1] === '' && found[2] === '')) return null
  if (found[1] === '') {
    const last = Number(found[2])
    return last === 0 ? 'unsatisfiable' : { start: Math.max(0, size - last), end: size - 1 }
  }
  const start = Number(found[1])
  const end = found[2] === '' ? size - 1 : Math.min(Number(found[2]), size - 1)
  if (start >= size) return 'unsatisfiable'
  return end < start ? null : { start, end }
}
