/** No other page imports a module of the dashboard, statically or dynamically, so that only administrators download it. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'

const DASHBOARD =
  /^src\/(islands\/(DashboardPage\.tsx|dashboard\/)|lib\/stores\/admin\/|lib\/contract\/admin)/
const IMPORT = /(?:from |import\(|import )'(\.[^']+)'/g

function collectImports(file: string, collected = new Set<string>()): Set<string> {
  if (collected.has(file)) return collected
  collected.add(file)
  if (!/\.(tsx?|astro)$/.test(file)) return collected
  /* The build removes type imports, so they do not count. */
  const text = readFileSync(file, 'utf8').replace(/^import type .*$/gm, '')
  for (const [, target = ''] of text.matchAll(IMPORT))
    collectImports(normalize(join(dirname(file), target.split('?')[0] ?? '')), collected)
  return collected
}

const pages = globSync('src/pages/**/*.astro').sort()
const otherPages = pages.filter((page) => !page.endsWith('/dashboard.astro'))

test.each(otherPages)('%s imports no dashboard module', (page) => {
  expect([...collectImports(page)].filter((file) => DASHBOARD.test(file))).toEqual([])
})

test('the same import search finds the modules of the dashboard page', () => {
  const page = pages.find((page) => page.endsWith('/dashboard.astro')) ?? ''
  expect([...collectImports(page)].filter((file) => DASHBOARD.test(file)).length).toBeGreaterThan(40)
})

test('the chunk that every page shares excludes the dashboard modules', () => {
  expect(readFileSync('astro.config.mjs', 'utf8')).toContain(
    "'islands\\\\/dashboard|lib\\\\/stores\\\\/admin|lib\\\\/contract\\\\/admin'",
  )
})
