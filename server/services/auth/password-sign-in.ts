/**
 * Decides whether passwords are accepted at sign-in. An administrator can turn passwords off while an
 * identity provider is set up.
 */
import { Problem } from '../../core/problem.ts'
import type { Db } from '../../db/database.ts'
import { lockUntilCommit } from '../../db/lock.ts'
import { hasIdentityOfIssuers, selectIdentities } from '../../queries/identity.ts'
import type { AccountRow } from '../../queries/login.ts'
import { selectPasskeys } from '../../queries/passkey.ts'
import { deleteSetting, selectSettings } from '../../queries/setting.ts'
import type { Deps } from '../deps.ts'
import { recordAuditEvent, SERVICE_REQUEST } from '../operations/audit.ts'
import { SETTING_DEFINITIONS } from '../operations/setting-definitions.ts'
import { getCurrentSettingValue } from '../operations/setting-values.ts'
import {
  IDENTITY_PROVIDERS_KEY,
  type IdentityProvider,
  parseIdentityProviders,
} from '../operations/stored-identity-providers.ts'

interface SignInMethods {
  providers: IdentityProvider[]
  /**
   * True while accounts may sign in with passwords. Always true without identity providers, so that everybody can sign
   * in after the last provider was removed.
   */
  acceptsPasswords: boolean
}

export async function loadSignInMethods({ keys }: Pick<Deps, 'keys'>, db: Db): Promise<SignInMethods> {
  const rowsByKey = new Map((await selectSettings(db)).map((row) => [row.key, row]))
  const providers = parseIdentityProviders(keys, rowsByKey.get(IDENTITY_PROVIDERS_KEY)?.value)
  const passwordSignInSetting = getCurrentSettingValue(
    SETTING_DEFINITIONS.password_sign_in,
    rowsByKey.get('password_sign_in'),
  )
  return { providers, acceptsPasswords: passwordSignInSetting === true || providers.length === 0 }
}

const listIssuers = ({ providers }: SignInMethods) => providers.map(({ issuer }) => issuer)

/**
 * True when this account may sign in with its password; false without an account. While passwords are turned
 * off, administrators can still use their passwords as long as no administrator can sign in with a provider.
 */
export async function maySignInWithPassword(deps: Deps, account: AccountRow | undefined): Promise<boolean> {
  const { primary } = deps.database
  const methods = await loadSignInMethods(deps, primary)
  if (methods.acceptsPasswords || !account) return account !== undefined
  return (
    account.role === 'admin' &&
    !(await hasIdentityOfIssuers(primary, listIssuers(methods), 'any administrator'))
  )
}

/**
 * Throws 409 if the administrator has no identity of a provider that is set up. Passwords cannot be turned off in this
 * case, because the administrator might then have no other way to sign in.
 */
export async function requireProviderIdentity(
  deps: Deps,
  { account_id }: Pick<AccountRow, 'account_id'>,
): Promise<void> {
  const { primary } = deps.database
  const issuers = listIssuers(await loadSignInMethods(deps, primary))
  if (await hasIdentityOfIssuers(primary, issuers, { accountId: account_id })) return
  throw new Problem('conflict', {
    message: 'Link your account to an identity provider first.',
    errors: { setting: ['no_other_way'] },
  })
}

/**
 * Throws 409 when the account has no way to sign in: no password that is accepted, no passkey and no identity of a
 * provider that is set up. Call this function after the removal of a way to sign in, in the same transaction. Takes a
 * lock, because each of two parallel removals could otherwise rely on the way to sign in that the other removes.
 */
export async function requireWayToSignIn(deps: Deps, trx: Db, account: AccountRow): Promise<void> {
  await lockUntilCommit(trx, `sign-in-ways:${account.account_id}`)
  const methods = await loadSignInMethods(deps, trx)
  if (account.password_hash !== '' && methods.acceptsPasswords) return
  if ((await selectPasskeys(trx, account.account_id)).length > 0) return
  const issuers = new Set(listIssuers(methods))
  const identities = await selectIdentities(trx, account.account_id)
  if (identities.some(({ issuer }) => issuers.has(issuer))) return
  throw new Problem('conflict', {
    message: 'This is the last way to sign in to the account.',
    errors: { sign_in: ['last_way'] },
  })
}

/** Allows sign-in with passwords again, for scripts/allow-passwords.ts. */
export async function allowPasswords(deps: Deps): Promise<void> {
  await deps.database.primary.transaction().execute(async (trx) => {
    await deleteSetting(trx, 'password_sign_in')
    const origin = { nowMs: deps.now(), request: SERVICE_REQUEST }
    await recordAuditEvent(trx, origin, { action: 'passwords_allow', target: 'password_sign_in' })
  })
}
