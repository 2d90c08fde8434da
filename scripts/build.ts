/**
 * `npm run build`: writes the site to dist/, with compressed copies of each file, the Content-Security-Policy with the hashes of
 * inline scripts and styles, and the configuration files for CDNs and proxies.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { minifySync } from 'vite'
import { loadSiteConfig, type SiteConfig } from '../server/core/config.ts'
import { FALLBACK_LOCALE, LOCALES } from '../src/lib/i18n/locales.ts'
import { getErrorShells, getShellFolder, NOT_FOUND_SHELL, PAGES } from '../src/lib/routes.ts'
import { renderCdnHeaders, renderCdnRedirects } from './cdn-files.ts'
import { compressFiles } from './compress-files.ts'
import { writeDeployFiles } from './deploy-files.ts'
import { measurePageWeight } from './page-weight.ts'
import { writeServiceWorker } from './worker-file.ts'

const DIST = 'dist'
const ASTRO = 'node_modules/astro/bin/astro.mjs'
const COMPRESSIBLE = /\.(html|css|js|svg|json|webmanifest|txt|wasm)$/

export async function buildSite(): Promise<void> {
  const config = loadSiteConfig()
  const env = { ...process.env, ...createSiteEnvironment(config), ASTRO_TELEMETRY_DISABLED: '1' }
  const { status } = spawnSync(process.execPath, [ASTRO, 'build', '--silent'], { stdio: 'inherit', env })
  if (status !== 0) process.exit(status ?? 1)
  checkShells()
  copyNotFoundPages()
  deferScriptsOfPages()
  const csp = buildPolicy(config)
  writeFileSync(`${DIST}/csp.txt`, csp)
  writeFileSync(`${DIST}/_headers`, renderCdnHeaders(csp))
  writeFileSync(`${DIST}/_redirects`, renderCdnRedirects(process.env['API_ORIGIN']))
  await writeServiceWorker(DIST)
  await compressFiles(listFiles().filter((name) => COMPRESSIBLE.test(name)))
  writeDeployFiles(DIST, csp)
}

/** The variables that src/layouts/Shell.astro reads. */
const createSiteEnvironment = ({ siteName, imageBaseUrl }: SiteConfig) => ({
  SITE_NAME: siteName,
  IMAGE_BASE_URL: imageBaseUrl ?? '',
})

/** Template that holds a page's module scripts until src/page-scripts/inline/script-loading.ts inserts them into the document. */
const MODULE_TEMPLATE = '<template id="modules">'
/** Marks a page with early playback (layouts/EarlyPlayback.astro). Its style sheet and other scripts are also deferred. */
const EARLY_STYLES = '<style data-first>'
const INLINE_SCRIPTS = /<script>([\s\S]*?)<\/script>/g
const STYLE_SHEET = /<link rel="stylesheet" href="[^"]+">/
/** The icon is deferred as well: browsers render an SVG icon as a separate document, which takes 20 ms on a slow device. */
const ICON = /<link rel="icon"[^>]*>/

/**
 * Moves each page's module scripts into MODULE_TEMPLATE and adds a `modulepreload` link for every script of the first load.
 * Without the links, the browser would discover nested imports one level at a time, at one round trip each
 * (docs/decisions/0007-preloaded-scripts.md).
 */
function deferScriptsOfPages(): void {
  for (const file of listFiles().filter((name) => name.endsWith('.html'))) {
    const scriptNames = measurePageWeight(file.slice(DIST.length + 1)).files.filter((name) =>
      name.endsWith('.js'),
    )
    const links = scriptNames.map((name) => `<link rel="modulepreload" href="${name}">`).join('')
    const html = readFileSync(file, 'utf8').replace(INLINE_SCRIPTS, minifyInlineScript)
    const scripts = /<script type="module" src="[^"]+"><\/script>/g
    const modules = html.match(scripts)?.join('') ?? ''
    if (!html.includes(MODULE_TEMPLATE)) throw new Error(`${file} has no ${MODULE_TEMPLATE}`)
    const hasEarlyPlayback = html.includes(EARLY_STYLES)
    const deferredLinks = hasEarlyPlayback
      ? [STYLE_SHEET, ICON].map((link) => link.exec(html)?.[0] ?? '')
      : []
    const styles = hasEarlyPlayback ? `<template id="styles">${deferredLinks.join('')}</template>` : ''
    const remainingHtml = deferredLinks.reduce(
      (text, link) => text.replace(link, ''),
      html.replace(scripts, ''),
    )
    writeFileSync(
      file,
      deferInlineScripts(remainingHtml.replace(MODULE_TEMPLATE, styles + MODULE_TEMPLATE + links + modules)),
    )
  }
}

/** Minified inline scripts by their source: most of them occur in every page. */
const minifiedScripts = new Map<string, string>()

/** Inline scripts block the first paint while the browser parses them, so they are minified. */
function minifyInlineScript(element: string, body: string): string {
  const cachedElement = minifiedScripts.get(element)
  if (cachedElement !== undefined) return cachedElement
  const { code, errors } = minifySync('inline.js', body, { module: false })
  if (errors.length > 0) throw new Error(`Could not minify an inline script: ${errors[0]?.message}`)
  const minifiedElement = element.replace(body, () => code.trim())
  minifiedScripts.set(element, minifiedElement)
  return minifiedElement
}

/**
 * Moves the inline scripts after EARLY_STYLES, in order, into a template.
 * src/page-scripts/inline/early-playback.ts inserts them later.
 */
function deferInlineScripts(html: string): string {
  const earlyStylesIndex = html.indexOf(EARLY_STYLES)
  if (earlyStylesIndex < 0) return html
  const htmlAfterStyles = html.slice(earlyStylesIndex)
  const lateTemplate = `<template id="late">${htmlAfterStyles.match(INLINE_SCRIPTS)?.join('') ?? ''}</template>`
  return (
    html.slice(0, earlyStylesIndex) +
    htmlAfterStyles.replace(INLINE_SCRIPTS, '').replace('</body>', `${lateTemplate}</body>`)
  )
}

/** Some CDNs answer an unknown URL with the nearest `404.html` in a parent folder, so each language folder gets one. */
function copyNotFoundPages(): void {
  for (const locale of LOCALES.filter((candidate) => candidate !== FALLBACK_LOCALE))
    copyFileSync(`${DIST}/${getErrorShells(locale).notFound}`, `${DIST}/${locale}/${NOT_FOUND_SHELL}`)
}

/** Throws if the build did not write the shell of a page. */
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
 * Returns one Content-Security-Policy for all pages. Client-side navigation keeps the policy of the first page, so it must
 * list the hashes of the inline scripts and styles of every page.
 */
function buildPolicy({ imageBaseUrl }: SiteConfig): string {
  const scripts = new Set<string>()
  const styles = new Set<string>()
  for (const file of listFiles().filter((name) => name.endsWith('.html'))) {
    const html = readFileSync(file, 'utf8')
    for (const [, attributes = '', body = ''] of html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)) {
      if (!/\bsrc=|application\/json/.test(attributes) && body) scripts.add(hashSource(body))
    }
    for (const [, body = ''] of html.matchAll(/<style\b[^>]*>([\s\S]*?)<\/style>/g))
      styles.add(hashSource(body))
    if (/<[^>]+\sstyle="/.test(html))
      throw new Error(`${file} has a style attribute, which the Content-Security-Policy blocks`)
  }
  const imageOrigin = imageBaseUrl ? ` ${new URL(imageBaseUrl).origin}` : ''
  return [
    "default-src 'none'",
    `script-src 'self' ${[...scripts].join(' ')}`,
    `style-src 'self' ${[...styles].join(' ')}`,
    `img-src 'self' data:${imageOrigin}`,
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
    .map((directive) => directive.trim())
    .join('; ')
}

const hashSource = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

if (import.meta.main) await buildSite()
