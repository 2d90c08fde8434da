import { join } from 'node:path'
import { FIRST_SIGN_IN_FILE } from './providers/first-sign-in.ts'
import type { Deps } from './services/deps.ts'
import type { FirstCredentials } from './services/operations/demo-household.ts'

/** Prints the URL and the initial sign-in credentials for the operator, once. All other output is one JSON object per line. */
export function printWelcome(deps: Deps, firstSignIn: FirstCredentials | null): void {
  const { config, log } = deps
  log.info('listening', { address: config.publicUrl.href })
  const lines = [`${config.siteName} is at ${config.publicUrl.href}`]
  if (firstSignIn) {
    lines.push(`Sign in with ${firstSignIn.email} and the password ${firstSignIn.password}`)
    if (firstSignIn.pin) lines.push(`The profile Robin is locked; its PIN is ${firstSignIn.pin}`)
    lines.push(`(stored in ${join(config.dataDir, FIRST_SIGN_IN_FILE)} until the password is changed)`)
  }
  if (
    config.publicUrl.protocol === 'http:' &&
    !['127.0.0.1', 'localhost'].includes(config.publicUrl.hostname)
  ) {
    log.warn('plain-http', {
      hint: 'Passwords are sent unencrypted. Use HTTPS: run a reverse proxy and set PUBLIC_URL to its https address.',
    })
  }
  process.stderr.write(`\n${lines.map((line) => `  ${line}`).join('\n')}\n\n`)
}
