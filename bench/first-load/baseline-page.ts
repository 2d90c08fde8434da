/** The baseline page: React with one heading, compressed and served like the site. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { type ServerType, serve } from '@hono/node-server'
import { build } from 'vite'
import { createStaticApp } from '../../server/http/static.ts'

/** Builds the page in `folder` and serves it on `port`. Returns the server; closing it is the caller's task. */
export async function serveBaselinePage(folder: string, port: number): Promise<ServerType> {
  const rootFolder = join(folder, 'hello')
  mkdirSync(rootFolder, { recursive: true })
  writeFileSync(
    join(rootFolder, 'index.html'),
    '<!doctype html><html lang="en"><title>Hello</title><div id="root"></div><script type="module" src="./main.js"></script></html>',
  )
  writeFileSync(
    join(rootFolder, 'main.js'),
    "import { createElement } from 'react'\nimport { createRoot } from 'react-dom/client'\ncreateRoot(document.getElementById('root')).render(createElement('h1', null, 'Hello, world'))\n",
  )
  const nodeModulesFolder = join(process.cwd(), 'node_modules')
  const moduleAliases = {
    react: join(nodeModulesFolder, 'react'),
    'react-dom': join(nodeModulesFolder, 'react-dom'),
  }
  await build({
    root: rootFolder,
    logLevel: 'error',
    resolve: { alias: moduleAliases },
    build: { outDir: 'dist', assetsDir: '_a' },
  })
  const distFolder = join(rootFolder, 'dist')
  writeFileSync(join(distFolder, 'csp.txt'), "default-src 'self'")
  const html = readFileSync(join(distFolder, 'index.html'), 'utf8')
  for (const [, file] of html.matchAll(/src="\/(_a\/[^"]+)"/g)) {
    writeFileSync(
      join(distFolder, `${file}.br`),
      brotliCompressSync(readFileSync(join(distFolder, file ?? ''))),
    )
  }
  return serve({
    fetch: createStaticApp({ root: distFolder, isHttps: false }).fetch,
    port,
    hostname: '127.0.0.1',
  })
}
