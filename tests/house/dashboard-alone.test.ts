/** Nobody but an administrator pays for the dashboard: no other page can reach a module of it, lazily or not. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'

const DASHBOARD = /^src\/(islands\/(Dashboard\.tsx|dashboard\/)|lib\/stores\/admin\/|lib\/contract\/admin)/
const IMPORT = /(?:from |import\(|import )'(\.[^']+)'/g

function reach(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen
  seen.add(file)
  if (!/\.(tsx?|astro)$/.test(file)) return seen
  /* Types are gone before anything is sent. */
  const text = readFileSync(file, 'utf8').replace(/^import type .*$/gm, '')
  for (const [, target = ''] of text.matchAll(IMPORT))
    reach(normalize(join(dirname(file), target.split('?')[0] ?? '')), seen)
  return seen
}

const pages = globSync('src/pages/**/*.astro').sort()
const others = pages.filter((page) => !page.endsWith('/dashboard.astro'))

test.each(others)('%s holds nothing of the dashboard', (page) => {
  expect([...reach(page)].filter((file) => DASHBOARD.test(file))).toEqual([])
})

test('the dashboard itself is found by the same walk', () => {
  const page = pages.find((one) => one.endsWith('/dashboard.astro')) ?? ''
  expect([...reach(page)].filter((file) => DASHBOARD.test(file)).length).toBeGreaterThan(40)
})

test('what every page shares leaves the dashboard out', () => {
  expect(readFileSync('astro.config.mjs', 'utf8')).toContain(
    "'islands\\\\/dashboard|lib\\\\/stores\\\\/admin|lib\\\\/contract\\\\/admin'",
  )
})
