/**
 * `npm run build`: writes the site to dist/, with compressed copies of text files, the Content-Security-Policy with
 * the hashes of inline scripts and styles, and the configuration files for CDNs and proxies.
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
import { listPageFiles } from './page-weight.ts'
import { writeServiceWorker } from './worker-file.ts'

const DIST_FOLDER = 'dist'
const ASTRO_PROGRAM = 'node_modules/astro/bin/astro.mjs'
const COMPRESSIBLE_FILE_PATTERN = /\.(html|css|js|svg|json|webmanifest|txt|wasm)$/

export async function buildSite(): Promise<void> {
  const config = loadSiteConfig()
  const astroEnv = { ...process.env, ...createSiteEnvironment(config), ASTRO_TELEMETRY_DISABLED: '1' }
  const { status } = spawnSync(process.execPath, [ASTRO_PROGRAM, 'build', '--silent'], {
    stdio: 'inherit',
    env: astroEnv,
  })
  if (status !== 0) process.exit(status ?? 1)
  requireShells()
  copyNotFoundPages()
  deferScriptsOfPages()
  const csp = buildContentSecurityPolicy(config)
  writeFileSync(`${DIST_FOLDER}/csp.txt`, csp)
  writeFileSync(`${DIST_FOLDER}/_headers`, renderCdnHeaders(csp, config.embedOrigins))
  writeFileSync(`${DIST_FOLDER}/_redirects`, renderCdnRedirects(config.apiOrigin))
  await writeServiceWorker(DIST_FOLDER, config.siteName)
  await compressFiles(listFiles().filter((name) => COMPRESSIBLE_FILE_PATTERN.test(name)))
  writeDeployFiles(DIST_FOLDER, csp, config.embedOrigins)
}

/** Returns the environment variables that src/layouts/Shell.astro reads. */
const createSiteEnvironment = ({ siteName, imageBaseUrl }: SiteConfig) => ({
  SITE_NAME: siteName,
  IMAGE_BASE_URL: imageBaseUrl ?? '',
})

/**
 * Opening tag of the template that holds a page's module scripts until src/page-scripts/inline/script-loading.ts
 * inserts them into the document.
 */
const MODULES_TEMPLATE_TAG = '<template id="modules">'
/**
 * Marks a page with early playback (layouts/EarlyPlayback.astro). The style sheet and the icon of such a page, and the
 * inline scripts after this tag, are also deferred.
 */
const EARLY_STYLES_TAG = '<style data-first>'
const INLINE_SCRIPT_PATTERN = /<script>([\s\S]*?)<\/script>/g
const STYLE_SHEET_PATTERN = /<link rel="stylesheet" href="[^"]+">/
/**
 * The icon is deferred on pages with early playback, because browsers render an SVG icon as a separate document, which
 * takes 20 ms on a slow device.
 */
const ICON_LINK_PATTERN = /<link rel="icon"[^>]*>/

/**
 * Moves each page's module scripts into MODULES_TEMPLATE_TAG and adds a `modulepreload` link for every script of the
 * first load. Without the links, the browser would discover nested imports one level at a time, at one round trip each
 * (docs/decisions/0007-preloaded-scripts.md).
 */
function deferScriptsOfPages(): void {
  for (const file of listFiles().filter((name) => name.endsWith('.html'))) {
    const scriptNames = listPageFiles(file.slice(DIST_FOLDER.length + 1)).filter((name) =>
      name.endsWith('.js'),
    )
    const preloadLinks = scriptNames.map((name) => `<link rel="modulepreload" href="${name}">`).join('')
    const html = readFileSync(file, 'utf8').replace(INLINE_SCRIPT_PATTERN, minifyInlineScript)
    const moduleScriptPattern = /<script type="module" src="[^"]+"><\/script>/g
    const moduleScripts = html.match(moduleScriptPattern)?.join('') ?? ''
    if (!html.includes(MODULES_TEMPLATE_TAG)) throw new Error(`${file} has no ${MODULES_TEMPLATE_TAG}`)
    const hasEarlyPlayback = html.includes(EARLY_STYLES_TAG)
    const deferredLinks = hasEarlyPlayback
      ? [STYLE_SHEET_PATTERN, ICON_LINK_PATTERN].map((pattern) => pattern.exec(html)?.[0] ?? '')
      : []
    const stylesTemplate = hasEarlyPlayback
      ? `<template id="styles">${deferredLinks.join('')}</template>`
      : ''
    const remainingHtml = deferredLinks.reduce(
      (currentHtml, link) => currentHtml.replace(link, ''),
      html.replace(moduleScriptPattern, ''),
    )
    writeFileSync(
      file,
      deferInlineScripts(
        remainingHtml.replace(
          MODULES_TEMPLATE_TAG,
          stylesTemplate + MODULES_TEMPLATE_TAG + preloadLinks + moduleScripts,
        ),
      ),
    )
  }
}

/** Minified `<script>` elements by the original element. Most occur in every page, and each is minified only once. */
const minifiedScriptsByElement = new Map<string, string>()

/** Returns the element with minified code. Inline scripts block the first paint while the browser parses them. */
function minifyInlineScript(element: string, scriptCode: string): string {
  const cachedElement = minifiedScriptsByElement.get(element)
  if (cachedElement !== undefined) return cachedElement
  const { code: minifiedCode, errors } = minifySync('inline.js', scriptCode, { module: false })
  if (errors.length > 0) throw new Error(`Could not minify an inline script: ${errors[0]?.message}`)
  const minifiedElement = element.replace(scriptCode, () => minifiedCode.trim())
  minifiedScriptsByElement.set(element, minifiedElement)
  return minifiedElement
}

/**
 * Moves the inline scripts that follow EARLY_STYLES_TAG into the template `#late`, in their order.
 * src/page-scripts/inline/early-playback.ts inserts them later. Returns a page without EARLY_STYLES_TAG unchanged.
 */
function deferInlineScripts(html: string): string {
  const earlyStylesIndex = html.indexOf(EARLY_STYLES_TAG)
  if (earlyStylesIndex < 0) return html
  const htmlAfterStyles = html.slice(earlyStylesIndex)
  const lateScriptsTemplate = `<template id="late">${htmlAfterStyles.match(INLINE_SCRIPT_PATTERN)?.join('') ?? ''}</template>`
  return (
    html.slice(0, earlyStylesIndex) +
    htmlAfterStyles.replace(INLINE_SCRIPT_PATTERN, '').replace('</body>', `${lateScriptsTemplate}</body>`)
  )
}

/**
 * For each language with a folder of its own, copies the not-found page to `404.html` in this folder. Some CDNs answer
 * an unknown URL with the nearest `404.html` in a parent folder.
 */
function copyNotFoundPages(): void {
  for (const locale of LOCALES.filter((candidate) => candidate !== FALLBACK_LOCALE))
    copyFileSync(
      `${DIST_FOLDER}/${getErrorShells(locale).notFound}`,
      `${DIST_FOLDER}/${locale}/${NOT_FOUND_SHELL}`,
    )
}

/** Throws if the build did not write the shell of a page. */
function requireShells(): void {
  for (const locale of LOCALES) {
    const { notFound, serverError } = getErrorShells(locale)
    const shells = PAGES.map((page) => getShellFolder(locale) + page.shell)
    for (const shell of [...shells, notFound, serverError])
      if (!existsSync(`${DIST_FOLDER}/${shell}`)) throw new Error(`${DIST_FOLDER}/${shell} was not built`)
  }
}

function listFiles(): string[] {
  return globSync(`${DIST_FOLDER}/**/*`, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`)
}

/**
 * Returns one Content-Security-Policy for all pages. Client-side navigation keeps the policy of the first page, so this
 * policy must list the hashes of the inline scripts and styles of every page.
 */
function buildContentSecurityPolicy({ imageBaseUrl }: SiteConfig): string {
  const scriptHashes = new Set<string>()
  const styleHashes = new Set<string>()
  for (const file of listFiles().filter((name) => name.endsWith('.html'))) {
    const html = readFileSync(file, 'utf8')
    for (const [, attributes = '', scriptCode = ''] of html.matchAll(
      /<script\b([^>]*)>([\s\S]*?)<\/script>/g,
    )) {
      if (!/\bsrc=|application\/json/.test(attributes) && scriptCode)
        scriptHashes.add(formatHashSource(scriptCode))
    }
    for (const [, styleCode = ''] of html.matchAll(/<style\b[^>]*>([\s\S]*?)<\/style>/g))
      styleHashes.add(formatHashSource(styleCode))
    if (/<[^>]+\sstyle="/.test(html))
      throw new Error(`${file} has a style attribute, which the Content-Security-Policy blocks`)
  }
  const imageOrigin = imageBaseUrl ? ` ${new URL(imageBaseUrl).origin}` : ''
  return [
    "default-src 'none'",
    `script-src 'self' ${[...scriptHashes].join(' ')}`,
    `style-src 'self' ${[...styleHashes].join(' ')}`,
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

const formatHashSource = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

if (import.meta.main) await buildSite()
