/** Writes `dist/sw.js` and the web app manifests, which make the site installable and available offline. */
import { createHash } from 'node:crypto'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { FALLBACK_LOCALE, getTextDirection, LOCALES, type Locale } from '../src/lib/i18n/locales.ts'
import { localisePath, PAGES } from '../src/lib/routes.ts'
import { bundleScript } from './bundle-script.ts'
import { listPagePatterns } from './deploy-files.ts'

const WORKER_SOURCE = 'src/sw/worker.ts'
/** The service worker caches these files too, although their names contain no hash. */
const UNHASHED_FILES = [
  'favicon.ico',
  'favicon.svg',
  'icons/192.png',
  'icons/navigation.svg',
  'avatars/*.svg',
  'manifest*.webmanifest',
]

/**
 * Subtitle renderers and their font. The service worker caches them only when they are used, because only the player
 * needs them, and the player does not work offline.
 */
const SUBTITLE_RENDERER_PATTERN = /\/(?:wasm-worker-|libpgs\.worker\.|default\.)[^/]*$/

/**
 * Writes the service worker `dist/sw.js` and the web app manifests. Must run after every other file of the site is
 * written, because the version of the service worker is a hash of the files. Must run before compression, because
 * dist/sw.js is compressed, too.
 */
export async function writeServiceWorker(distFolder: string, siteName: string): Promise<void> {
  writeManifests(distFolder, siteName)
  const { code } = await bundleScript(WORKER_SOURCE)
  const cachedFiles = ['_a/*.{js,css,woff2,svg}', ...UNHASHED_FILES]
    .flatMap((pattern) => globSync(`${distFolder}/${pattern}`))
    .map((file) => file.slice(distFolder.length).replaceAll('\\', '/'))
    .filter((name) => !SUBTITLE_RENDERER_PATTERN.test(name))
    .toSorted()
  const shellFiles = globSync(`${distFolder}/**/*.html`).toSorted()
  const versionHash = createHash('sha256').update(code)
  for (const file of [...cachedFiles.map((name) => distFolder + name), ...shellFiles])
    versionHash.update(file).update(readFileSync(file))
  const buildManifest = {
    version: versionHash.digest('hex').slice(0, 12),
    files: cachedFiles,
    pages: listPagePatterns()
      .map(({ pattern, shell }) => ({ pattern, examplePath: getExamplePath(shell) }))
      .filter(({ examplePath }) => examplePath !== '/watch/embed'),
    offline: '/offline/',
    siteName,
  }
  writeFileSync(`${distFolder}/sw.js`, `const BUILD_MANIFEST = ${JSON.stringify(buildManifest)};\n${code}`)
}

/** Returns an example path of the page with this shell, with `_` as the slug; `/` if no page has this shell. */
function getExamplePath(shell: string): string {
  return PAGES.find((page) => page.shell === shell)?.path.replace('{slug}', '_') ?? '/'
}

/**
 * Writes one manifest per language. All manifests have the same `id`, so the site stays one app. `start_url` selects
 * the language in which the app opens.
 */
function writeManifests(distFolder: string, siteName: string): void {
  const createManifestIcon = (src: string, sizes: string, type: string, purpose = 'any') => ({
    src,
    sizes,
    type,
    purpose,
  })
  for (const locale of LOCALES) {
    const manifest = {
      id: '/',
      name: siteName,
      short_name: siteName.slice(0, 12),
      lang: locale,
      dir: getTextDirection(locale),
      start_url: localisePath('/', locale),
      scope: '/',
      display: 'standalone',
      background_color: '#0f0f10',
      theme_color: '#0f0f10',
      categories: ['entertainment'],
      icons: [
        createManifestIcon('/favicon.svg', 'any', 'image/svg+xml'),
        createManifestIcon('/icons/192.png', '192x192', 'image/png'),
        createManifestIcon('/icons/512.png', '512x512', 'image/png'),
        createManifestIcon('/icons/maskable-512.png', '512x512', 'image/png', 'maskable'),
      ],
    }
    writeFileSync(`${distFolder}/${getManifestFileName(locale)}`, `${JSON.stringify(manifest, null, 2)}\n`)
  }
}

const getManifestFileName = (locale: Locale) =>
  locale === FALLBACK_LOCALE ? 'manifest.webmanifest' : `manifest.${locale}.webmanifest`
