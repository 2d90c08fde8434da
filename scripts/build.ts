/**
 * `npm run build`: builds the site into dist/, with compressed copies, the Content-Security-Policy with the hashes of inline
 * scripts and styles, the service worker, and the configuration files of CDNs and web servers.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { minifySync } from 'vite'
import { FALLBACK_LOCALE, LOCALES } from '../src/lib/i18n/locales.ts'
import { getErrorShells, getShellFolder, NOT_FOUND_SHELL, PAGES } from '../src/lib/routes.ts'
import { cdnHeaders, cdnRedirects } from './cdn-files.ts'
import { writeDeployFiles } from './deploy-files.ts'
import { pageWeight } from './page-weight.ts'
import { writeWorker } from './worker-file.ts'

const DIST = 'dist'
const ASTRO = 'node_modules/astro/bin/astro.mjs'
const COMPRESSIBLE = /\.(html|css|js|svg|json|webmanifest|txt)$/

async function build(): Promise<void> {
  const env = { ...process.env, ASTRO_TELEMETRY_DISABLED: '1' }
  const astro = spawnSync(process.execPath, [ASTRO, 'build', '--silent'], { stdio: 'inherit', env })
  if (astro.status !== 0) process.exit(astro.status ?? 1)
  checkShells()
  copyNotFoundShells()
  for (const file of listFiles().filter((name) => name.endsWith('.html'))) deferScripts(file)
  const csp = createSecurityPolicy()
  writeFileSync(`${DIST}/csp.txt`, csp)
  writeFileSync(`${DIST}/_headers`, cdnHeaders(csp))
  writeFileSync(`${DIST}/_redirects`, cdnRedirects(process.env['API_ORIGIN']))
  await writeWorker(DIST)
  compressFiles()
  writeDeployFiles(DIST, csp)
}

/** Template whose content src/page-scripts/inline/script-loading.ts loads when it is time. */
const DEFERRED_MODULES = '<template id="modules">'
/** Styles of the player's page (layouts/EarlyPlayback.astro), whose style sheet and other inline scripts are deferred too. */
const VIDEO_STYLES = '<style data-first>'
const INLINE_SCRIPTS = /<script>([\s\S]*?)<\/script>/g
const MODULE_SCRIPTS = /<script type="module" src="[^"]+"><\/script>/g
const STYLE_SHEET = /<link rel="stylesheet" href="[^"]+">/
/** A vector icon is a document of its own to the browser: 20 ms of a slow device's time before the first video frame. */
const ICON = /<link rel="icon"[^>]*>/

/**
 * Moves the module scripts of a page into a template, with a preload link for every script of its first load: discovering one
 * import inside the other would cost a round trip per level (docs/decisions/0007-scripts-are-preloaded.md).
 */
function deferScripts(file: string): void {
  const loaded = pageWeight(file.slice(DIST.length + 1)).files.filter((name) => name.endsWith('.js'))
  const links = loaded.map((name) => `<link rel="modulepreload" href="${name}">`).join('')
  const html = readFileSync(file, 'utf8').replace(INLINE_SCRIPTS, minifyInlineScript)
  if (!html.includes(DEFERRED_MODULES)) throw new Error(`${file} has no ${DEFERRED_MODULES}`)
  const modules = html.match(MODULE_SCRIPTS)?.join('') ?? ''
  const isPlayer = html.includes(VIDEO_STYLES)
  const deferredLinks = isPlayer ? [STYLE_SHEET, ICON].map((link) => link.exec(html)?.[0] ?? '') : []
  const styles = isPlayer ? `<template id="styles">${deferredLinks.join('')}</template>` : ''
  const rest = deferredLinks.reduce((text, link) => text.replace(link, ''), html.replace(MODULE_SCRIPTS, ''))
  const page = rest.replace(DEFERRED_MODULES, styles + DEFERRED_MODULES + links + modules)
  writeFileSync(file, isPlayer ? deferInlineScripts(page) : page)
}

/** Minified inline scripts by their element; most pages have the same ones. */
const minifiedScripts = new Map<string, string>()

function minifyInlineScript(element: string, body: string): string {
  const known = minifiedScripts.get(element)
  if (known !== undefined) return known
  const { code, errors } = minifySync('inline.js', body, { module: false })
  if (errors.length > 0) throw new Error(`An inline script cannot be minified: ${errors[0]?.message}`)
  const minified = element.replace(body, () => code.trim())
  minifiedScripts.set(element, minified)
  return minified
}

/**
 * Moves the inline scripts after the video styles into a template, in their order; src/page-scripts/inline/early-playback.ts
 * runs them.
 */
function deferInlineScripts(html: string): string {
  const start = html.indexOf(VIDEO_STYLES)
  const rest = html.slice(start)
  const scripts = `<template id="late">${rest.match(INLINE_SCRIPTS)?.join('') ?? ''}</template>`
  return html.slice(0, start) + rest.replace(INLINE_SCRIPTS, '').replace('</body>', `${scripts}</body>`)
}

/** Some CDNs answer unknown addresses with the nearest `404.html` up the path, so each locale has one. */
function copyNotFoundShells(): void {
  for (const locale of LOCALES.filter((candidate) => candidate !== FALLBACK_LOCALE))
    copyFileSync(`${DIST}/${getErrorShells(locale).notFound}`, `${DIST}/${locale}/${NOT_FOUND_SHELL}`)
}

/** Throws when a page of routes.ts has no shell in one of the locales. */
function checkShells(): void {
  for (const locale of LOCALES) {
    const { notFound, serverError } = getErrorShells(locale)
    const shells = PAGES.map((page) => getShellFolder(locale) + page.shell)
    for (const shell of [...shells, notFound, serverError])
      if (!existsSync(`${DIST}/${shell}`)) throw new Error(`${DIST}/${shell} was not built`)
  }
}

function listFiles(): string[] {
  return globSync(`${DIST}/**/*`, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`)
}

/**
 * Returns one policy for the whole site: client-side navigation keeps the header of the first page, so the policy lists every
 * inline script and style of any page (docs/decisions/0007-scripts-are-preloaded.md).
 */
function createSecurityPolicy(): string {
  const scripts = new Set<string>()
  const styles = new Set<string>()
  for (const file of listFiles().filter((name) => name.endsWith('.html'))) {
    const html = readFileSync(file, 'utf8')
    for (const [, attributes = '', body = ''] of html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)) {
      if (!/\bsrc=|application\/json/.test(attributes) && body) scripts.add(hashForPolicy(body))
    }
    for (const [, body = ''] of html.matchAll(/<style\b[^>]*>([\s\S]*?)<\/style>/g))
      styles.add(hashForPolicy(body))
    if (/<[^>]+\sstyle="/.test(html))
      throw new Error(`${file} has a style attribute, which the policy rejects`)
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

const hashForPolicy = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

function compressFiles(): void {
  for (const file of listFiles().filter((name) => COMPRESSIBLE.test(name))) {
    const bytes = readFileSync(file)
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
    writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }))
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
  }
}

if (import.meta.main) await build()
