/** `/api/admin/backups/{id}/file`: downloads a backup with a single-use link (services/operations/backups.ts). */
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { Hono } from 'hono'
import { Problem } from '../core/problem.ts'
import { describeRequest, parseTrustedProxies } from '../http/request.ts'
import type { Deps } from '../services/deps.ts'
import { redeemBackupLink } from '../services/operations/backups.ts'

export function createBackupApp(deps: Deps): Hono {
  const app = new Hono()
  const trustedProxyList = parseTrustedProxies(deps.config.trustedProxies)
  app.get('/api/admin/backups/:id/file', async (c) => {
    // Hono answers HEAD with the handler of GET, which would use up the single-use link.
    if (c.req.method === 'HEAD') return c.body(null, 405, { Allow: 'GET' })
    const token = c.req.query('token')
    const request = describeRequest(c, deps.config, trustedProxyList)
    const backup = token ? await redeemBackupLink(deps, request, { id: c.req.param('id'), token }) : null
    if (!backup) throw new Problem('not_found')
    return c.body(Readable.toWeb(createReadStream(backup.path)) as unknown as ReadableStream, 200, {
      'Content-Type': 'application/octet-stream',
      'Content-Length': String(backup.sizeBytes),
      'Content-Disposition': `attachment; filename="${backup.file}"`,
    })
  })
  return app
}
