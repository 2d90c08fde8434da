import { join } from 'node:path'
import { FIRST_SIGN_IN_FILE } from './providers/first-sign-in.ts'
import type { Deps } from './services/deps.ts'
import type { FirstCredentials } from './services/operations/demo-household.ts'

/**
 * Prints the URL and how to sign in for the first time, as plain text on standard error. The log on standard output has
 * one JSON object per line.
 */
export function printWelcome(deps: Deps, firstSignIn: FirstCredentials | null): void {
  const { config, log } = deps
  log.info('listening', { address: config.publicUrl.href })
  const lines = [`${config.siteName} is at ${config.publicUrl.href}`]
  if (firstSignIn) lines.push(...describeFirstSignIn(config.dataDir, firstSignIn, process.stderr.isTTY))
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

/**
 * Returns the lines about the first sign-in. The password and the PIN are shown only on a terminal, because other
 * output is kept in logs.
 */
export function describeFirstSignIn(
  dataDir: string,
  { email, password, pin }: FirstCredentials,
  isTerminal: boolean,
): string[] {
  const firstSignInFile = join(dataDir, FIRST_SIGN_IN_FILE)
  if (!isTerminal) return [`Sign in with ${email}; the password is in ${firstSignInFile} until it is changed`]
  return [
    `Sign in with ${email} and the password ${password}`,
    ...(pin ? [`The profile Robin is locked; its PIN is ${pin}`] : []),
    `(stored in ${firstSignInFile} until the password is changed)`,
  ]
}
