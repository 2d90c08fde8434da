/**
 * Checks that the steps of src/i18n/README.md are enough to add a language. The test performs them for Esperanto (with
 * English texts) in a copy of the repository, and then builds and tests the copy. The product is unlikely to support
 * Esperanto, so the test stays valid when a language is added.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FALLBACK_LOCALE, LOCALES } from '../../src/lib/i18n/locales.ts'
import { getErrorShells, PAGES } from '../../src/lib/routes.ts'

const runProgram = promisify(execFile)
/** Locale prefixes of the paths of the built site, as alternatives of a regular expression: `/fr|/ar|/eo`. */
const LOCALE_PREFIX_PATTERN = [...LOCALES.filter((locale) => locale !== FALLBACK_LOCALE), 'eo']
  .map((locale) => `/${locale}`)
  .join('|')
const COPIED_FOLDERS = ['src', 'server', 'scripts', 'public', 'tests', 'deploy', 'data/demo']
const COPIED_FILES = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'vitest.config.ts',
  'astro.config.mjs',
  'astro-i18next.config.cjs',
]
/** Tests that check something for every locale. */
const LOCALE_TESTS = [
  'tests/house/translations.test.ts',
  'tests/house/typography.test.ts',
  'tests/i18n/texts-and-formats.test.ts',
  'tests/rules/routes.test.ts',
  'tests/page-scripts/boot.test.ts',
  'tests/server/locales.test.ts',
  'tests/server/static.test.ts',
  'tests/server/static-headers.test.ts',
  'tests/server/admin/mail.test.ts',
  'tests/deploy/cdn.test.ts',
]

let copyFolder: string
const readCopiedFile = (path: string) => readFileSync(join(copyFolder, path), 'utf8')

/** Performs the steps of src/i18n/README.md. */
function addEsperanto(): void {
  cpSync(join(copyFolder, 'src/i18n/en'), join(copyFolder, 'src/i18n/eo'), { recursive: true })
  const file = 'src/lib/i18n/locales.ts'
  const localesSource = readCopiedFile(file)
    .replace(/LOCALES = \[([^\]]*?),?\s*\] as const/, "LOCALES = [$1, 'eo'] as const")
    .replace(/LOCALE_NAMES(.*) = \{/, "LOCALE_NAMES$1 = { eo: 'Esperanto',")
  writeFileSync(join(copyFolder, file), localesSource)
}

/**
 * Makes the build of the copy compress fast, because compression at the best quality takes longer than the rest of the
 * build. Gives this build its own cache of compressed files, so that other builds do not use its files.
 */
function lowerCompressionQuality(): void {
  const file = 'scripts/compress-files.ts'
  const compressionSource = readCopiedFile(file)
  const fastCompressionSource = compressionSource
    .replace('BROTLI_MAX_QUALITY', 'BROTLI_MIN_QUALITY')
    .replace('Z_BEST_COMPRESSION', 'Z_BEST_SPEED')
    .replace("'node_modules/.cache/compressed'", "'.compressed'")
  expect(fastCompressionSource.length).not.toBe(compressionSource.length)
  writeFileSync(join(copyFolder, file), fastCompressionSource)
}

beforeAll(async () => {
  // The copy must be inside the repository: Astro treats an absolute path as relative to the root if the path shares no
  // folder with the root.
  copyFolder = mkdtempSync(resolve('.additional-locale-'))
  for (const folder of COPIED_FOLDERS) cpSync(folder, join(copyFolder, folder), { recursive: true })
  for (const file of COPIED_FILES) copyFileSync(file, join(copyFolder, file))
  symlinkSync(resolve('node_modules'), join(copyFolder, 'node_modules'))
  addEsperanto()
  lowerCompressionQuality()
  writeFileSync(
    join(copyFolder, '.env'),
    'SITE_NAME=Kinejo\nIMAGE_BASE_URL=https://images.example.org/t/p/\nAPI_ORIGIN=https://api.example.org\n',
  )
  await runProgram(process.execPath, ['scripts/build.ts'], { cwd: copyFolder })
}, 120_000)
afterAll(() => rmSync(copyFolder, { recursive: true, force: true }))

describe('the built site with an additional locale and an .env file', () => {
  it('contains an Esperanto shell of every page', () => {
    const { notFound, serverError } = getErrorShells('eo' as 'en')
    for (const shell of [...PAGES.map((page) => `eo/${page.shell}`), notFound, serverError, 'eo/404.html']) {
      expect([shell, existsSync(join(copyFolder, 'dist', shell))]).toEqual([shell, true])
      expect([shell, readCopiedFile(`dist/${shell}`).includes('<html lang="eo" dir="ltr"')]).toEqual([
        shell,
        true,
      ])
    }
  })

  it('links to the Esperanto pages and their manifest', () => {
    expect(readCopiedFile('dist/movies/index.html')).toContain('hreflang="eo" href="/eo/movies/"')
    expect(readCopiedFile('dist/eo/index.html')).toContain('href="/manifest.eo.webmanifest"')
    expect(JSON.parse(readCopiedFile('dist/manifest.eo.webmanifest'))).toMatchObject({
      name: 'Kinejo',
      lang: 'eo',
      dir: 'ltr',
      start_url: '/eo/',
    })
  })

  it('contains the texts of the locale, and lists the locale in the service worker', () => {
    const textsElementMatch = /<script type="application\/json" id="words">(.*?)<\/script>/.exec(
      readCopiedFile('dist/eo/index.html'),
    )
    expect(JSON.parse(textsElementMatch?.[1] ?? '{}').common.play).toBe('Play')
    expect(readCopiedFile('dist/sw.js')).toMatch(/"eo"\s*\]/)
  })

  it('lists the inline scripts of Esperanto pages in the Content-Security-Policy', () => {
    const policy = readCopiedFile('dist/csp.txt')
    const scripts = [...readCopiedFile('dist/eo/watch/index.html').matchAll(/<script>([\s\S]*?)<\/script>/g)]
    expect(scripts.length).toBeGreaterThan(1)
    for (const [, scriptText = ''] of scripts)
      expect(policy).toContain(createHash('sha256').update(scriptText).digest('base64'))
  })

  it('contains the values that the .env file sets', () => {
    expect(readCopiedFile('dist/index.html')).toContain(
      '<meta name="image-base" content="https://images.example.org/t/p">',
    )
    expect(readCopiedFile('dist/index.html')).toContain('<meta name="site-name" content="Kinejo">')
    expect(readCopiedFile('dist/csp.txt')).toContain("img-src 'self' data: https://images.example.org;")
    expect(readCopiedFile('dist/_redirects')).toContain('https://api.example.org/api/')
    expect(readCopiedFile('dist/_headers')).toContain("img-src 'self' data: https://images.example.org;")
  })

  it('routes the URLs of the locale in the service worker and in the files for CDNs and web servers', () => {
    expect(readCopiedFile('dist/sw.js')).toContain(`^(|${LOCALE_PREFIX_PATTERN})/movies/[^/]+/?$`)
    expect(readCopiedFile('dist/_redirects')).toContain('/eo/movies/:slug /eo/movies/detail/ 200')
    expect(readCopiedFile('dist/_redirects')).toContain('/eo/* /eo/404/ 404')
    expect(readCopiedFile('dist/_deploy/nginx.conf')).toContain('set $not_found_page "/eo/404/index.html"')
    expect(readCopiedFile('dist/_deploy/Caddyfile')).toContain(
      'vars @in_eo not_found_page /eo/404/index.html',
    )
    expect(readCopiedFile('dist/_deploy/cloudfront-function.js')).toContain(
      `${LOCALE_PREFIX_PATTERN})/movies`,
    )
  })
})

interface VitestReport {
  numPassedTests: number
  testResults: { name: string; message: string; assertionResults: { fullName: string; status: string }[] }[]
}

it('a copy of the repository with an additional locale passes the tests that check every locale', async () => {
  const vitestPath = resolve('node_modules/vitest/vitest.mjs')
  const reportFile = join(copyFolder, 'report.json')
  const vitestArguments = [
    vitestPath,
    'run',
    '--project=browser',
    '--project=sqlite',
    '--reporter=json',
    `--outputFile=${reportFile}`,
    ...LOCALE_TESTS,
  ]
  // When a test fails, Vitest exits with 1, but still writes the report.
  await runProgram(process.execPath, vitestArguments, { cwd: copyFolder }).catch(() => {})
  const { numPassedTests, testResults } = JSON.parse(readFileSync(reportFile, 'utf8')) as VitestReport
  const failures = testResults.flatMap(({ message, assertionResults }) => [
    ...(message ? [message] : []),
    ...assertionResults.filter(({ status }) => status !== 'passed').map(({ fullName }) => fullName),
  ])
  expect(failures).toEqual([])
  expect(testResults).toHaveLength(LOCALE_TESTS.length)
  expect(numPassedTests).toBeGreaterThan(500)
}, 120_000)
