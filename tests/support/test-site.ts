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
  /** Sends the path unchanged. `fetch` would normalise it. */
  sendRequest: (path: string, headers?: Record<string, string>, method?: string) => Promise<SiteResponse>
  stop: () => void
}

function writeSiteFile(siteFolder: string, path: string, content: string): void {
  const file = join(siteFolder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
  writeFileSync(`${file}.br`, brotliCompressSync(content))
  writeFileSync(`${file}.gz`, gzipSync(content))
}

function writeSite(siteFolder: string): void {
  for (const locale of LOCALES) {
    const prefix = locale === 'en' ? '' : `${locale}/`
    for (const page of PAGES) writeSiteFile(siteFolder, prefix + page.shell, `<p>${locale} ${page.name}</p>`)
    writeSiteFile(
      siteFolder,
      `${prefix}404${locale === 'en' ? '' : '/index'}.html`,
      `<p>${locale} missing</p>`,
    )
  }
  writeSiteFile(siteFolder, '_a/app.abc123.js', 'console.log(1)')
  writeSiteFile(siteFolder, 'favicon.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>')
  writeFileSync(join(siteFolder, 'icon.png'), 'not compressed')
  writeSiteFile(siteFolder, 'csp.txt', TEST_CSP)
  writeSiteFile(siteFolder, '_headers', 'private')
  writeSiteFile(siteFolder, '_redirects', 'private')
  writeSiteFile(siteFolder, '.env', 'private')
}

export async function startTestSite(): Promise<TestSite> {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-static-'))
  const siteFolder = join(folder, 'dist')
  writeFileSync(join(folder, 'secret.txt'), 'outside')
  writeSite(siteFolder)
  symlinkSync(join(folder, 'secret.txt'), join(siteFolder, 'linked.txt'))
  const app = createStaticApp({ root: siteFolder, isHttps: false })
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }) as Server
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  return {
    root: siteFolder,
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
