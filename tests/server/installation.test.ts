/** How `npm start` and `npm test` install packages, and which packages they find missing or outdated. */
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addPackageUrls, findPackagesToInstall } from '../../scripts/install.mjs'

const ROOT_PACKAGE = { '': { version: '0.1.0' } }
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
const WANTED_PACKAGES = { ...ROOT_PACKAGE, ...SERVER_PACKAGES, ...DEV_PACKAGES, ...OPTIONAL_PACKAGES }

describe('findPackagesToInstall', () => {
  it('returns every required package when nothing is installed', () => {
    expect(findPackagesToInstall(WANTED_PACKAGES, {}, { includesDevPackages: true })).toEqual([
      'node_modules/hono',
      'node_modules/vitest',
    ])
    expect(findPackagesToInstall(WANTED_PACKAGES, {}, { includesDevPackages: false })).toEqual([
      'node_modules/hono',
    ])
  })

  it('returns missing development packages only if `includesDevPackages` is true', () => {
    expect(findPackagesToInstall(WANTED_PACKAGES, SERVER_PACKAGES, { includesDevPackages: false })).toEqual(
      [],
    )
    expect(findPackagesToInstall(WANTED_PACKAGES, SERVER_PACKAGES, { includesDevPackages: true })).toEqual([
      'node_modules/vitest',
    ])
  })

  it.each([
    ['version', { version: '3.9.0', integrity: 'sha512-a' }],
    ['checksum', { version: '4.0.0', integrity: 'sha512-z' }],
  ])('returns a package that is installed with a different %s', (_, installedPackage) => {
    const installedPackages = { ...DEV_PACKAGES, 'node_modules/hono': installedPackage }
    expect(findPackagesToInstall(WANTED_PACKAGES, installedPackages, { includesDevPackages: true })).toEqual([
      'node_modules/hono',
    ])
  })

  it('returns nothing for the packages that are installed in this repository', () => {
    const readPackages = (file: string) => JSON.parse(readFileSync(file, 'utf8')).packages
    const [wantedPackages, installedPackages] = ['package-lock.json', 'node_modules/.package-lock.json'].map(
      readPackages,
    )
    expect(findPackagesToInstall(wantedPackages, installedPackages, { includesDevPackages: true })).toEqual(
      [],
    )
  })
})

describe('addPackageUrls', () => {
  it('adds the URL of each package with a checksum, also for scopes, nested packages and aliases', () => {
    const packages: Record<string, { resolved?: string }> = addPackageUrls(
      {
        '': { version: '0.1.0' },
        'node_modules/hono': { version: '4.0.0', integrity: 'sha512-a' },
        'node_modules/hono/node_modules/@scope/part': { version: '1.0.0-beta.2', integrity: 'sha512-b' },
        'node_modules/typescript-native': { name: 'typescript', version: '7.0.2', integrity: 'sha512-c' },
      },
      'https://registry.example/npm/',
    )
    expect(Object.values(packages).map(({ resolved }) => resolved)).toEqual([
      undefined,
      'https://registry.example/npm/hono/-/hono-4.0.0.tgz',
      'https://registry.example/npm/@scope/part/-/part-1.0.0-beta.2.tgz',
      'https://registry.example/npm/typescript/-/typescript-7.0.2.tgz',
    ])
  })

  it('changes neither a package that already has a URL nor a package without a checksum', () => {
    const gitPackage = {
      version: '1.0.0',
      resolved: 'git+ssh://git.example/part.git#1',
      integrity: 'sha512-a',
    }
    const packages = {
      'node_modules/part': gitPackage,
      'node_modules/folder': { version: '1.0.0', dev: true },
    }
    expect(addPackageUrls(packages, 'https://registry.example')).toEqual(packages)
  })
})

describe('installPackages', () => {
  let folder = ''
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'marquee-installation-')))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  /**
   * Installs the packages of a project with a stub of npm. Like npm 10, the stub installs Node without a link in
   * `.bin`. It records its calls in a file. In the folder `failingFolder`, the stub fails. Returns the recorded calls.
   */
  function installProject({ failingFolder }: { failingFolder?: string } = {}): string[] {
    const nodePackage = { os: process.platform, cpu: process.arch, bin: { node: 'bin/node' } }
    const packages = {
      'node_modules/node-package': { version: '26.0.0', integrity: 'sha512-a', ...nodePackage },
    }
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, packages }))
    writeFileSync(join(folder, 'package.json'), '{}')
    writeFileSync(join(folder, '.npmrc'), '')
    copyFileSync('scripts/install.mjs', join(folder, 'install.mjs'))
    mkdirSync(join(folder, 'bin'))
    writeFileSync(
      join(folder, 'bin/npm'),
      `#!/bin/sh
      echo "$PWD: $*" >> ${folder}/calls
      if [ "$1" = config ]; then echo https://registry.example/; exit; fi
      if [ "$PWD" = "${folder}/${failingFolder}" ]; then exit 1; fi
      mkdir -p node_modules/node-package/bin
      cp package-lock.json node_modules/.package-lock.json
      ln -s ${process.execPath} node_modules/node-package/bin/node`,
    )
    chmodSync(join(folder, 'bin/npm'), 0o755)
    const source = `import('./install.mjs').then((m) => console.log(m.installPackages({ needsDevPackages: false })))`
    const { stdout } = spawnSync(process.execPath, ['-e', source], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, PATH: `${join(folder, 'bin')}:${process.env['PATH']}` },
    })
    expect(stdout.trim()).toBe(join(folder, 'node_modules/.bin/node'))
    expect(existsSync(stdout.trim())).toBe(true)
    expect(existsSync(join(folder, '.installation'))).toBe(false)
    return readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n')
  }
  const CI_ARGUMENTS = 'ci --omit=dev --no-audit --no-fund --loglevel=error'
  const readInstalledUrl = () =>
    JSON.parse(readFileSync(resolve(folder, 'node_modules/.package-lock.json'), 'utf8')).packages[
      'node_modules/node-package'
    ].resolved

  it('installs from the URLs of the registry that npm uses, and leaves the lock file unchanged', () => {
    expect(installProject()).toEqual([
      `${folder}/.installation: config get registry`,
      `${folder}/.installation: ${CI_ARGUMENTS}`,
    ])
    expect(readInstalledUrl()).toBe('https://registry.example/node-package/-/node-package-26.0.0.tgz')
    expect(readFileSync(join(folder, 'package-lock.json'), 'utf8')).not.toContain('registry')
  })

  it('installs again after npm was killed while it wrote the list of installed packages', () => {
    mkdirSync(join(folder, 'node_modules'))
    writeFileSync(join(folder, 'node_modules/.package-lock.json'), '{"lockfileVersion": 3, "pack')
    expect(installProject().at(-1)).toBe(`${folder}/.installation: ${CI_ARGUMENTS}`)
  })

  it('installs without URLs when the installation with the URLs of the registry fails', () => {
    expect(installProject({ failingFolder: '.installation' }).at(-1)).toBe(`${folder}: ${CI_ARGUMENTS}`)
    expect(readInstalledUrl()).toBeUndefined()
  })
})
