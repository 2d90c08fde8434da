/** Finds a Chromium for the browser tests: an installed one, else Playwright's own, else Debian's package when root. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from 'playwright'

const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
]

/** The executable, or undefined when there is none yet. */
export function findChromium(): string | undefined {
  const candidates = [process.env['CHROMIUM'], ...INSTALLED, chromium.executablePath()]
  return candidates.find((path) => path && existsSync(path))
}

function tryTo(command: string, args: string[]): void {
  process.stderr.write(`No Chromium yet: ${command} ${args.join(' ')} …\n`)
  spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'], timeout: 240_000 })
}

if (import.meta.main) {
  if (!findChromium()) tryTo('playwright', ['install', 'chromium'])
  if (!findChromium() && process.getuid?.() === 0) {
    tryTo('apt-get', ['update', '-qq'])
    tryTo('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-noto-core'])
  }
  const found = findChromium()
  if (!found) {
    process.stderr.write(
      'The browser tests need Chromium: install it (Debian: apt-get install chromium), or set CHROMIUM to its path.\n',
    )
    process.exit(1)
  }
  process.stderr.write(`Browser: ${found}\n`)
}
