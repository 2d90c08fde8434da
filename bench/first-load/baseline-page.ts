/** The baseline page: React with one heading, compressed and served like the site. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { type ServerType, serve } from '@hono/node-server'
import { build } from 'vite'
import { createStaticApp } from '../../server/http/static.ts'

/** Builds the page in `folder` and serves it on `port`. Returns the server; closing it is the caller's task. */
export async function serveBaselinePage(folder: string, port: number): Promise<ServerType> {
  const root = join(folder, 'hello')
  mkdirSync(root, { recursive: true })
  writeFileSync(
    join(root, 'index.html'),
    '<!doctype html><html lang="en"><title>Hello</title><div id="root"></div><script type="module" src="./main.js"></script></html>',
  )
  writeFileSync(
    join(root, 'main.js'),
    "import { createElement } from 'react'\nimport { createRoot } from 'react-dom/client'\ncreateRoot(document.getElementById('root')).render(createElement('h1', null, 'Hello, world'))\n",
  )
  const nodeModules = join(process.cwd(), 'node_modules')
  const alias = { react: join(nodeModules, 'react'), 'react-dom': join(nodeModules, 'react-dom') }
  await build({ root, logLevel: 'error', resolve: { alias }, build: { outDir: 'dist', assetsDir: '_a' } })
  const dist = join(root, 'dist')
  writeFileSync(join(dist, 'csp.txt'), "default-src 'self'")
  const html = readFileSync(join(dist, 'index.html'), 'utf8')
  for (const [, file] of html.matchAll(/src="\/(_a\/[^"]+)"/g)) {
    writeFileSync(join(dist, `${file}.br`), brotliCompressSync(readFileSync(join(dist, file ?? ''))))
  }
  return serve({ fetch: createStaticApp({ root: dist, https: false }).fetch, port, hostname: '127.0.0.1' })
}
