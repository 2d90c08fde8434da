/**
 * The inputs of the site build: a change of one of these files or settings makes `npm start` and `npm run check` build
 * again.
 */
import { execFileSync } from 'node:child_process'
import { cruise, type ICruiseResult } from 'dependency-cruiser'
import { expect, it } from 'vitest'

const printBuildInputs = (env: Record<string, string> = {}): string =>
  execFileSync(process.execPath, ['scripts/site-sources.ts'], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  })
const listBuildSources = (): string[] => JSON.parse(printBuildInputs()).files

it('the list of build inputs contains every module that the build imports, and each file once', async () => {
  const { output } = await cruise(['scripts/build.ts', 'astro.config.mjs'], { doNotFollow: 'node_modules' })
  const importedFiles = (output as ICruiseResult).modules
    .map(({ source }) => source)
    .filter((source) => /^(astro\.|scripts\/|server\/|src\/)/.test(source))
  expect(importedFiles).toEqual(expect.arrayContaining(['scripts/site-chunks.ts', 'src/lib/routes.ts']))
  const sources = listBuildSources()
  expect(importedFiles.filter((file) => !sources.includes(file))).toEqual([])
  expect(new Set(sources).size).toBe(sources.length)
})

it('the list of build inputs contains files that no module imports, such as pages, public files and package-lock.json', () => {
  expect(listBuildSources()).toEqual(
    expect.arrayContaining(['src/pages/[...locale]/404.astro', 'public/favicon.svg', 'package-lock.json']),
  )
})

it.each(['SITE_NAME', 'IMAGE_BASE_URL', 'EMBED_ORIGINS', 'API_ORIGIN'])(
  'a changed value of the environment variable %s changes the build inputs',
  (variableName) => {
    expect(printBuildInputs({ [variableName]: 'https://a.example.org' })).not.toBe(
      printBuildInputs({ [variableName]: 'https://b.example.org' }),
    )
  },
)
