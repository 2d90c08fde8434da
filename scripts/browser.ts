/** Finds Chromium for the browser tests: an installed one, else Playwright's build, else (as root) the Debian package. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from 'playwright'

const INSTALLED_PATHS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
]

/** Returns the path of the executable, or undefined if none is installed. */
export function findChromium(): string | undefined {
  const candidates = [process.env['CHROMIUM'], ...INSTALLED_PATHS, chromium.executablePath()]
  return candidates.find((path) => path && existsSync(path))
}

function runInstaller(command: string, args: string[]): void {
  process.stderr.write(`Chromium not found, running: ${command} ${args.join(' ')} …\n`)
  spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'], timeout: 240_000 })
}

if (import.meta.main) {
  if (!findChromium()) runInstaller('playwright', ['install', 'chromium'])
  if (!findChromium() && process.getuid?.() === 0) {
    runInstaller('apt-get', ['update', '-qq'])
    runInstaller('apt-get', [
      'install',
      '-y',
      '-qq',
      '--no-install-recommends',
      'chromium',
      'fonts-noto-core',
    ])
  }
  const executable = findChromium()
  if (!executable) {
    process.stderr.write(
      'The browser tests need Chromium: install it (Debian: apt-get install chromium), or set CHROMIUM to its path.\n',
    )
    process.exit(1)
  }
  process.stderr.write(`Browser: ${executable}\n`)
}
