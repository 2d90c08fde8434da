/** Only the dashboard page imports modules of the dashboard, so that only administrators download these modules. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'
import { CHUNK_GROUPS } from '../../scripts/site-chunks.ts'

const DASHBOARD_PATH_PATTERN =
  /^src\/(islands\/(DashboardPage\.tsx|dashboard\/)|lib\/stores\/admin\/|lib\/contract\/admin)/
const IMPORT_PATTERN = /(?:from |import\(|import )'(\.[^']+)'/g

function collectImports(file: string, collectedFiles = new Set<string>()): Set<string> {
  if (collectedFiles.has(file)) return collectedFiles
  collectedFiles.add(file)
  if (!/\.(tsx?|astro)$/.test(file)) return collectedFiles
  /* The build removes type imports, so they do not count. */
  const text = readFileSync(file, 'utf8').replace(/^import type .*$/gm, '')
  for (const [, importPath = ''] of text.matchAll(IMPORT_PATTERN))
    collectImports(normalize(join(dirname(file), importPath.split('?')[0] ?? '')), collectedFiles)
  return collectedFiles
}

const pages = globSync('src/pages/**/*.astro').sort()
const otherPages = pages.filter((page) => !page.endsWith('/dashboard.astro'))

test.each(otherPages)('%s imports no dashboard module', (page) => {
  expect([...collectImports(page)].filter((file) => DASHBOARD_PATH_PATTERN.test(file))).toEqual([])
})

test('the search for imports finds the dashboard modules that the dashboard page imports', () => {
  const page = pages.find((candidate) => candidate.endsWith('/dashboard.astro')) ?? ''
  expect(
    [...collectImports(page)].filter((file) => DASHBOARD_PATH_PATTERN.test(file)).length,
  ).toBeGreaterThan(40)
})

test('the chunks that several pages share contain no dashboard modules', () => {
  const dashboardModules = globSync('src/{islands/dashboard,lib/stores/admin}/**/*.{ts,tsx}')
  const sharedChunkGroups = CHUNK_GROUPS.filter(({ name }) => name === 'common' || name === 'titles')
  for (const { test: pathPattern } of sharedChunkGroups)
    expect(dashboardModules.filter((file) => pathPattern.test(join(process.cwd(), file)))).toEqual([])
  expect(dashboardModules.length).toBeGreaterThan(40)
})
