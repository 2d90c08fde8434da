/** A small site as a build leaves it, served over a real socket, with things beside it that nobody may have. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { type IncomingHttpHeaders, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { serve } from '@hono/node-server'
import { createStaticApp } from '../../server/http/static.ts'
import { LOCALES } from '../../src/lib/i18n/locales.ts'
import { PAGES } from '../../src/lib/routes.ts'

export const CSP = "default-src 'none'; script-src 'self' 'sha256-x'; frame-ancestors 'none'"

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}
export interface BuiltSite {
  root: string
  /** Sends the path byte for byte: `fetch` would tidy it first. */
  ask: (path: string, headers?: Record<string, string>, method?: string) => Promise<Answer>
  stop: () => void
}

function put(root: string, path: string, text: string): void {
  const file = join(root, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  writeFileSync(`${file}.br`, brotliCompressSync(text))
  writeFileSync(`${file}.gz`, gzipSync(text))
}

function fill(root: string): void {
  for (const locale of LOCALES) {
    const prefix = locale === 'en' ? '' : `${locale}/`
    for (const page of PAGES) put(root, prefix + page.shell, `<p>${locale} ${page.name}</p>`)
    put(root, `${prefix}404${locale === 'en' ? '' : '/index'}.html`, `<p>${locale} missing</p>`)
  }
  put(root, '_a/app.abc123.js', 'console.log(1)')
  put(root, 'favicon.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>')
  put(root, 'csp.txt', CSP)
  put(root, '_headers', 'private')
  put(root, '_redirects', 'private')
  put(root, '.env', 'private')
}

export async function startBuiltSite(): Promise<BuiltSite> {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-static-'))
  const root = join(folder, 'dist')
  writeFileSync(join(folder, 'secret.txt'), 'outside')
  fill(root)
  symlinkSync(join(folder, 'secret.txt'), join(root, 'linked.txt'))
  const app = createStaticApp({ root, https: false })
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }) as Server
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  return {
    root,
    ask: (path, headers = {}, method = 'GET') =>
      new Promise((resolve, reject) => {
        request({ port, host: '127.0.0.1', path, method, headers, agent: false }, (response) => {
          const parts: Buffer[] = []
          response.on('data', (part: Buffer) => parts.push(part))
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              body: Buffer.concat(parts),
            }),
          )
        })
          .on('error', reject)
          .end()
      }),
    stop: () => {
      server.close()
      rmSync(folder, { recursive: true })
    },
  }
}
