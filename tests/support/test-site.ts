/** A small built site on a real socket. Private files in and beside its folder must never be served. */
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

export const TEST_CSP = "default-src 'none'; script-src 'self' 'sha256-x'; frame-ancestors 'none'"

interface SiteResponse {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}
export interface TestSite {
  root: string
  /** Sends the path without normalising it, which `fetch` would do first. */
  sendRequest: (path: string, headers?: Record<string, string>, method?: string) => Promise<SiteResponse>
  stop: () => void
}

function writeSiteFile(root: string, path: string, text: string): void {
  const file = join(root, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  writeFileSync(`${file}.br`, brotliCompressSync(text))
  writeFileSync(`${file}.gz`, gzipSync(text))
}

function writeSite(root: string): void {
  for (const locale of LOCALES) {
    const prefix = locale === 'en' ? '' : `${locale}/`
    for (const page of PAGES) writeSiteFile(root, prefix + page.shell, `<p>${locale} ${page.name}</p>`)
    writeSiteFile(root, `${prefix}404${locale === 'en' ? '' : '/index'}.html`, `<p>${locale} missing</p>`)
  }
  writeSiteFile(root, '_a/app.abc123.js', 'console.log(1)')
  writeSiteFile(root, 'favicon.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>')
  writeSiteFile(root, 'csp.txt', TEST_CSP)
  writeSiteFile(root, '_headers', 'private')
  writeSiteFile(root, '_redirects', 'private')
  writeSiteFile(root, '.env', 'private')
}

export async function startTestSite(): Promise<TestSite> {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-static-'))
  const root = join(folder, 'dist')
  writeFileSync(join(folder, 'secret.txt'), 'outside')
  writeSite(root)
  symlinkSync(join(folder, 'secret.txt'), join(root, 'linked.txt'))
  const app = createStaticApp({ root, https: false })
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }) as Server
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  return {
    root,
    sendRequest: (path, headers = {}, method = 'GET') =>
      new Promise((resolve, reject) => {
        request({ port, host: '127.0.0.1', path, method, headers, agent: false }, (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              body: Buffer.concat(chunks),
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
