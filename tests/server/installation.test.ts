/** Which packages `npm start` and `npm test` find missing or outdated (scripts/install.mjs). */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { findWrongPackages } from '../../scripts/install.mjs'

const PROJECT = { '': { version: '0.1.0' } }
const SERVER_PACKAGES = { 'node_modules/hono': { version: '4.0.0', integrity: 'sha512-a' } }
const DEV_PACKAGES = { 'node_modules/vitest': { version: '5.0.0', integrity: 'sha512-b', dev: true } }
const OPTIONAL_PACKAGES = {
  'node_modules/fsevents': { version: '2.0.0', integrity: 'sha512-c', optional: true },
  'node_modules/lightningcss-darwin-arm64': {
    version: '1.0.0',
    integrity: 'sha512-d',
    devOptional: true,
  },
}
const WANTED_PACKAGES = { ...PROJECT, ...SERVER_PACKAGES, ...DEV_PACKAGES, ...OPTIONAL_PACKAGES }

describe('findWrongPackages', () => {
  it('returns every required package when nothing is installed', () => {
    expect(findWrongPackages(WANTED_PACKAGES, {}, { includesDev: true })).toEqual([
      'node_modules/hono',
      'node_modules/vitest',
    ])
    expect(findWrongPackages(WANTED_PACKAGES, {}, { includesDev: false })).toEqual(['node_modules/hono'])
  })

  it('returns missing packages for development only if `includesDev` is true', () => {
    expect(findWrongPackages(WANTED_PACKAGES, SERVER_PACKAGES, { includesDev: false })).toEqual([])
    expect(findWrongPackages(WANTED_PACKAGES, SERVER_PACKAGES, { includesDev: true })).toEqual([
      'node_modules/vitest',
    ])
  })

  it.each([
    ['version', { version: '3.9.0', integrity: 'sha512-a' }],
    ['checksum', { version: '4.0.0', integrity: 'sha512-z' }],
  ])('returns a package that is installed with another %s', (_, installedPackage) => {
    const installedPackages = { ...DEV_PACKAGES, 'node_modules/hono': installedPackage }
    expect(findWrongPackages(WANTED_PACKAGES, installedPackages, { includesDev: true })).toEqual([
      'node_modules/hono',
    ])
  })

  it('returns nothing for the packages with which this test runs', () => {
    const readPackages = (file: string) => JSON.parse(readFileSync(file, 'utf8')).packages
    const [wantedPackages, installedPackages] = ['package-lock.json', 'node_modules/.package-lock.json'].map(
      readPackages,
    )
    expect(findWrongPackages(wantedPackages, installedPackages, { includesDev: true })).toEqual([])
  })
})
