import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { ALL_INTERFACES, type Config, isPlainHttp } from './core/config.ts'
import { FIRST_SIGN_IN_FILE } from './providers/first-sign-in.ts'
import type { Deps } from './services/deps.ts'
import type { FirstCredentials } from './services/operations/demo-household.ts'

/**
 * Prints the URL and how to sign in for the first time, as plain text on standard error. Standard output contains only
 * the log, with one JSON object per line.
 */
export function printWelcome(deps: Deps, firstSignIn: FirstCredentials | null): void {
  const { config, log } = deps
  log.info('listening', { address: config.publicUrl.href })
  const lines = [
    `${config.siteName} is at ${config.publicUrl.href}`,
    ...describeNetworkAccess(config, listNetworkAddresses()),
  ]
  if (firstSignIn) lines.push(...describeFirstSignIn(config.dataDir, firstSignIn, process.stderr.isTTY))
  if (isPlainHttp(config.publicUrl)) {
    log.warn('plain-http', {
      hint: 'Passwords are sent unencrypted. Use HTTPS: run a reverse proxy and set PUBLIC_URL to its https address.',
    })
  }
  process.stderr.write(`\n${lines.map((line) => `  ${line}`).join('\n')}\n\n`)
}

/** Returns the IPv4 addresses under which other devices in the networks of this machine can reach it. */
const listNetworkAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((addresses = []) =>
    addresses.flatMap(({ family, internal, address }) => (family === 'IPv4' && !internal ? [address] : [])),
  )

/**
 * Returns the lines about access from other devices: the addresses that these devices can open, or how to allow access.
 * Returns no lines if the operator has set PUBLIC_URL, HOST is one particular network address, or the machine is in no
 * network.
 */
export function describeNetworkAccess(
  { host, port, publicUrl, variableNames }: Pick<Config, 'host' | 'port' | 'publicUrl' | 'variableNames'>,
  networkAddresses: readonly string[],
): string[] {
  const [firstAddress] = networkAddresses
  if (variableNames.has('PUBLIC_URL') || firstAddress === undefined) return []
  const createNetworkUrl = (address: string) => `${publicUrl.protocol}//${address}:${port}`
  if (ALL_INTERFACES.includes(host))
    return [
      `Other devices in your network open ${networkAddresses.map(createNetworkUrl).join(' or ')}`,
      'Set PUBLIC_URL to this address, so that invitations and QR codes name it',
    ]
  if (host !== '127.0.0.1' && host !== 'localhost') return []
  return [
    `Other devices can open it after HOST=0.0.0.0 PUBLIC_URL=${createNetworkUrl(firstAddress)} npm start`,
  ]
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
