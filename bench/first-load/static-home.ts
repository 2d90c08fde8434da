/** The home page as static HTML without JavaScript. The site itself cannot load faster than this page. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { type ServerType, serve } from '@hono/node-server'
import type { Page } from 'playwright'
import { createStaticApp } from '../../server/http/static.ts'

/**
 * Saves the displayed home page with its style sheet and pictures in `folder`, without scripts, and serves it on `port`. The
 * browser loads pictures of the first screen at once, and other pictures when they come near the screen.
 */
export async function serveStaticHome(page: Page, folder: string, port: number): Promise<ServerType> {
  const root = join(folder, 'static')
  mkdirSync(root, { recursive: true })
  const { html, urls } = await page.evaluate(collectStaticPage)
  const base = new URL(page.url())
  let text = html
  for (const [index, path] of urls.entries()) {
    const name = `${index}.${path.split('.').at(-1)}`
    const body = Buffer.from(await (await fetch(new URL(path, base))).arrayBuffer())
    writeCompressed(join(root, name), body)
    text = text.replaceAll(`"${path.replaceAll('&', '&amp;')}"`, `"/${name}"`)
  }
  writeCompressed(join(root, 'index.html'), Buffer.from(text))
  writeFileSync(join(root, 'csp.txt'), "default-src 'self'; style-src 'self' 'unsafe-inline'")
  return serve({ fetch: createStaticApp({ root, https: false }).fetch, port, hostname: '127.0.0.1' })
}

function writeCompressed(file: string, body: Buffer): void {
  writeFileSync(file, body)
  writeFileSync(`${file}.br`, brotliCompressSync(body))
}

/** This function runs in the page. */
function collectStaticPage(): { html: string; urls: string[] } {
  const urls = new Set<string>()
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]'))
    urls.add(link.getAttribute('href') ?? '')
  for (const image of document.images) {
    const url = image.getAttribute('src')
    if (!url?.startsWith('/')) continue
    urls.add(url)
    const { top, left } = image.getBoundingClientRect()
    image.loading = top < innerHeight && left < innerWidth ? 'eager' : 'lazy'
  }
  for (const element of document.querySelectorAll(
    'script, template, noscript, link:not([rel=stylesheet]), meta[name=boot-reads]',
  ))
    element.remove()
  return { html: `<!doctype html>${document.documentElement.outerHTML}`, urls: [...urls] }
}
