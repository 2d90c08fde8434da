/** `npm run build`: the site in dist/, its compressed twins, the CSP of its inline scripts and styles, and the CDN's files. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { minifySync } from 'vite'
import { LOCALES } from '../src/lib/i18n/locales.ts'
import { NOT_FOUND_SHELL, PAGES, SERVER_ERROR_SHELL } from '../src/lib/routes.ts'
import { cdnHeaders, cdnRedirects } from './cdn-files.ts'
import { writeDeployFiles } from './deploy-files.ts'
import { pageWeight } from './page-weight.ts'
import { writeWorker } from './worker-file.ts'

const DIST = 'dist'
const ASTRO = 'node_modules/astro/bin/astro.mjs'
const COMPRESSIBLE = /\.(html|css|js|svg|json|webmanifest|txt)$/

export function build(): void {
  const env = { ...process.env, ASTRO_TELEMETRY_DISABLED: '1' }
  const astro = spawnSync(process.execPath, [ASTRO, 'build', '--silent'], { stdio: 'inherit', env })
  if (astro.status !== 0) process.exit(astro.status ?? 1)
  checkShells()
  nearestNotFound()
  putAside()
  const csp = policy()
  writeFileSync(`${DIST}/csp.txt`, csp)
  writeFileSync(`${DIST}/_headers`, cdnHeaders(csp))
  writeFileSync(`${DIST}/_redirects`, cdnRedirects(process.env['API_ORIGIN']))
  writeWorker(DIST)
  compress()
  writeDeployFiles(DIST, csp)
}

/** Where a page's scripts wait for layouts/boot.js, which knows when their turn is. */
const ASIDE = '<template id="modules">'
/** Of a page whose picture comes first (layouts/EarlyPicture.astro): its style sheet and its other scripts wait as well. */
const FIRST_STYLES = '<style data-first>'
const INLINE_SCRIPTS = /<script>([\s\S]*?)<\/script>/g
const SHEET = /<link rel="stylesheet" href="[^"]+">/
/** Drawing a vector icon takes a weak device a document of its own: 20 ms beside the first picture. */
const ICON = /<link rel="icon"[^>]*>/

/**
 * Puts a page's scripts aside, with a link to every script of its first load: found one inside the other, each level
 * would cost a round trip (measured on slow 4G: docs/decisions/0007-scripts-are-preloaded.md).
 */
function putAside(): void {
  for (const file of files().filter((name) => name.endsWith('.html'))) {
    const loaded = pageWeight(file.slice(DIST.length + 1)).files.filter((name) => name.endsWith('.js'))
    const links = loaded.map((name) => `<link rel="modulepreload" href="${name}">`).join('')
    const html = readFileSync(file, 'utf8').replace(INLINE_SCRIPTS, short)
    const scripts = /<script type="module" src="[^"]+"><\/script>/g
    const modules = html.match(scripts)?.join('') ?? ''
    if (!html.includes(ASIDE)) throw new Error(`${file} has no place for its scripts`)
    const isFirst = html.includes(FIRST_STYLES)
    const waiting = isFirst ? [SHEET, ICON].map((link) => link.exec(html)?.[0] ?? '') : []
    const styles = isFirst ? `<template id="styles">${waiting.join('')}</template>` : ''
    const bare = waiting.reduce((text, link) => text.replace(link, ''), html.replace(scripts, ''))
    writeFileSync(file, withoutLater(bare.replace(ASIDE, styles + ASIDE + links + modules)))
  }
}

/** Pages have most of them in common. */
const shortened = new Map<string, string>()

/** An inline script without its comments and long names: a weak device reads each letter before anything is drawn. */
function short(whole: string, body: string): string {
  const known = shortened.get(whole)
  if (known !== undefined) return known
  const { code, errors } = minifySync('inline.js', body, { module: false })
  if (errors.length > 0) throw new Error(`An inline script cannot be shortened: ${errors[0]?.message}`)
  const result = whole.replace(body, () => code)
  shortened.set(whole, result)
  return result
}

/** The inline scripts after the first styles, in their order, where layouts/early-picture.js takes them up. */
function withoutLater(html: string): string {
  const at = html.indexOf(FIRST_STYLES)
  if (at < 0) return html
  const rest = html.slice(at)
  const late = `<template id="late">${rest.match(INLINE_SCRIPTS)?.join('') ?? ''}</template>`
  return html.slice(0, at) + rest.replace(INLINE_SCRIPTS, '').replace('</body>', `${late}</body>`)
}

/** Some CDNs answer what is nowhere with the nearest `404.html` up the path: each language has its own. */
function nearestNotFound(): void {
  for (const locale of LOCALES.filter((one) => one !== 'en'))
    copyFileSync(`${DIST}/${locale}/404/index.html`, `${DIST}/${locale}/${NOT_FOUND_SHELL}`)
}

/** An address without its shell would be a hole that only a visitor finds. */
function checkShells(): void {
  for (const locale of LOCALES) {
    const folder = locale === 'en' ? DIST : `${DIST}/${locale}`
    const errors =
      locale === 'en' ? [NOT_FOUND_SHELL, SERVER_ERROR_SHELL] : ['404/index.html', '500/index.html']
    for (const shell of [...PAGES.map((page) => page.shell), ...errors])
      if (!existsSync(`${folder}/${shell}`)) throw new Error(`${folder}/${shell} was not built`)
  }
}

function files(): string[] {
  return globSync(`${DIST}/**/*`, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`)
}

/**
 * One policy for the whole site: pages are swapped under the first page's header, so it lists every inline script and
 * style that any page has (security.md, decision 7).
 */
function policy(): string {
  const scripts = new Set<string>()
  const styles = new Set<string>()
  for (const file of files().filter((name) => name.endsWith('.html'))) {
    const html = readFileSync(file, 'utf8')
    for (const [, attributes = '', body = ''] of html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)) {
      if (!/\bsrc=|application\/json/.test(attributes) && body) scripts.add(hash(body))
    }
    for (const [, body = ''] of html.matchAll(/<style\b[^>]*>([\s\S]*?)<\/style>/g)) styles.add(hash(body))
    if (/<[^>]+\sstyle="/.test(html))
      throw new Error(`${file} has a style attribute, which the policy refuses`)
  }
  const image = process.env['IMAGE_BASE_URL'] ? ` ${new URL(process.env['IMAGE_BASE_URL']).origin}` : ''
  return [
    "default-src 'none'",
    `script-src 'self' ${[...scripts].join(' ')}`,
    `style-src 'self' ${[...styles].join(' ')}`,
    `img-src 'self' data:${image}`,
    "media-src 'self' blob:",
    "connect-src 'self'",
    "font-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
  ]
    .map((part) => part.trim())
    .join('; ')
}

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

function compress(): void {
  for (const file of files().filter((name) => COMPRESSIBLE.test(name))) {
    const bytes = readFileSync(file)
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
    writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }))
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
  }
}

if (import.meta.main) build()
