/** The home page as static HTML without JavaScript: the lower bound for the load time of a first visit. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { type ServerType, serve } from '@hono/node-server'
import type { Page } from 'playwright'
import { createStaticApp } from '../../server/http/static.ts'

/**
 * Saves the displayed home page with its style sheet and pictures in `folder`, without scripts, and serves it on
 * `port`. The browser loads pictures of the first screen immediately, and other pictures when they come near the
 * screen.
 */
export async function serveStaticHome(page: Page, folder: string, port: number): Promise<ServerType> {
  const rootFolder = join(folder, 'static')
  mkdirSync(rootFolder, { recursive: true })
  const { html, urls } = await page.evaluate(collectStaticPage)
  const baseUrl = new URL(page.url())
  let pageHtml = html
  for (const [index, urlPath] of urls.entries()) {
    const fileName = `${index}.${urlPath.split('.').at(-1)}`
    const fileBytes = Buffer.from(await (await fetch(new URL(urlPath, baseUrl))).arrayBuffer())
    writeCompressed(join(rootFolder, fileName), fileBytes)
    pageHtml = pageHtml.replaceAll(`"${urlPath.replaceAll('&', '&amp;')}"`, `"/${fileName}"`)
  }
  writeCompressed(join(rootFolder, 'index.html'), Buffer.from(pageHtml))
  writeFileSync(join(rootFolder, 'csp.txt'), "default-src 'self'; style-src 'self' 'unsafe-inline'")
  return serve({
    fetch: createStaticApp({ root: rootFolder, isHttps: false }).fetch,
    port,
    hostname: '127.0.0.1',
  })
}

function writeCompressed(file: string, fileBytes: Buffer): void {
  writeFileSync(file, fileBytes)
  writeFileSync(`${file}.br`, brotliCompressSync(fileBytes))
}

/**
 * Returns the HTML of the page without scripts, and the URLs of its style sheets and pictures. Runs in the page, so it
 * must not refer to anything outside its own body.
 */
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
