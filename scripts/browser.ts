/**
 * Finds Chromium for the browser tests, or installs it. Uses the path in the variable CHROMIUM, an installed Chromium
 * or a downloaded build of Playwright. If there is none, tries to install in this order: Debian's headless shell (only
 * as root), Playwright's build, Debian's full package (only as root).
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright'

/** The headless shell is first: it does not draw a window of its own, which makes the journeys about 15 % faster. */
const INSTALLED_CHROMIUM_PATHS = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
]
const FONT_PACKAGE = 'fonts-noto-core'

/** Returns the path of the executable, or undefined if none is installed. */
export function findChromium(): string | undefined {
  const candidates = [process.env['CHROMIUM'], ...INSTALLED_CHROMIUM_PATHS, chromium.executablePath()]
  return candidates.find((path) => path && existsSync(path))
}

/** Command line arguments of every Chromium that runs without a window. */
export const HEADLESS_ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking']
/** Command line argument that lets pages play video before the first input of the user. */
export const AUTOPLAY_ARGUMENT = '--autoplay-policy=no-user-gesture-required'

/** Returns launch options, with the path of an installed Chromium if there is one. */
export function createLaunchOptions(...extraArguments: string[]): {
  executablePath?: string
  args: string[]
} {
  const executablePath = findChromium()
  return { ...(executablePath && { executablePath }), args: [...HEADLESS_ARGUMENTS, ...extraArguments] }
}

/** Starts the browser of a benchmark or of the gallery. */
export const launchChromium = (...extraArguments: string[]): Promise<Browser> =>
  chromium.launch(createLaunchOptions(...extraArguments))

function runInstaller(command: string, installerArguments: string[]): boolean {
  process.stderr.write(`Chromium not found, running: ${command} ${installerArguments.join(' ')} …\n`)
  const { status } = spawnSync(command, installerArguments, {
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: 240_000,
  })
  return status === 0
}

/** Installs an apt package together with FONT_PACKAGE. Does nothing unless this process is root and apt-get exists. */
function installPackage(packageName: string): void {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  const installArguments = ['install', '-y', '-qq', '--no-install-recommends', packageName, FONT_PACKAGE]
  // The package lists of apt may be missing or old, for example in a container.
  if (runInstaller('apt-get', ['update', '-qq'])) runInstaller('apt-get', installArguments)
}

if (import.meta.main) {
  if (!findChromium()) installPackage('chromium-headless-shell')
  if (!findChromium()) runInstaller('playwright', ['install', 'chromium'])
  if (!findChromium()) installPackage('chromium')
  const executable = findChromium()
  if (!executable) {
    process.stderr.write(
      'The browser tests need Chromium: install it (Debian: apt-get install chromium-headless-shell), or set CHROMIUM to its path.\n',
    )
    process.exit(1)
  }
  process.stderr.write(`Browser: ${executable}\n`)
}
