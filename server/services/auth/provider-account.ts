/** Finds or creates the account of an identity (docs/decisions/0037-identity-providers.md). */
import { type AccountRole, emailSchema } from '../../../src/lib/contract/auth.ts'
import { toAsciiEmail } from '../../core/ascii-domain.ts'
import type { DbTransaction } from '../../db/database.ts'
import { lockUntilCommit } from '../../db/lock.ts'
import { findClaim } from '../../providers/find-claim.ts'
import type { OpenIdIdentity } from '../../providers/open-id.ts'
import {
  countAdmins,
  insertAccount,
  selectAccountByEmail,
  selectAccountById,
  updateAccount,
} from '../../queries/account.ts'
import { insertIdentity, recordIdentityUse, selectIdentity } from '../../queries/identity.ts'
import {
  revokeInvitationsOfCreator,
  selectUsableInvitation,
  selectUsableInvitationByEmail,
} from '../../queries/invitation.ts'
import type { AccountRow } from '../../queries/login.ts'
import { buildAccount, buildInvitedAccount, insertInvitedAccount } from '../accounts/accounts.ts'
import type { Deps } from '../deps.ts'
import { type AuditOrigin, recordAuditEvent } from '../operations/audit.ts'
import type { IdentityProvider } from '../operations/stored-identity-providers.ts'
import { createProviderProblem, type RedeemedResponse } from './provider-response.ts'
import { createRandomId, sha256 } from './secret.ts'

/** Returns the groups of a person. The group claim is a list or a single string; other values give no groups. */
function readProviderGroups({ groupClaim }: IdentityProvider, claims: Record<string, unknown>): string[] {
  const groupClaimValue = findClaim(claims, groupClaim)
  if (typeof groupClaimValue === 'string') return [groupClaimValue]
  return Array.isArray(groupClaimValue) ? groupClaimValue.filter((group) => typeof group === 'string') : []
}

/**
 * Returns the role that the groups of a person give; null when the provider does not decide roles.
 * Throws 401 when the person belongs to none of the groups that may sign in.
 */
function chooseRole(provider: IdentityProvider, { claims }: OpenIdIdentity): AccountRole | null {
  const { adminGroups, userGroups } = provider
  const groups = readProviderGroups(provider, claims)
  if (groups.some((group) => adminGroups.includes(group))) return 'admin'
  if (userGroups.length > 0 && !groups.some((group) => userGroups.includes(group)))
    throw createProviderProblem('group')
  return adminGroups.length > 0 ? 'user' : null
}

interface SignInSubject {
  account: AccountRow
  identity: OpenIdIdentity
  isNewAccount: boolean
}

/**
 * Returns the account to which the identity is linked, or creates an account. An equal email address never links an
 * identity to an existing account. Otherwise anybody with this address at any provider could take over the account.
 * Throws 401 with a code when the identity cannot sign in.
 */
export async function findOrCreateAccount(
  deps: Deps,
  origin: AuditOrigin,
  { provider, identity, purpose }: RedeemedResponse,
): Promise<SignInSubject> {
  const { primary } = deps.database
  const role = chooseRole(provider, identity)
  const linkedIdentity = await selectIdentity(primary, identity)
  const linkedAccount = linkedIdentity && (await selectAccountById(primary, linkedIdentity.account_id))
  if (linkedAccount?.blocked) throw createProviderProblem('refused')
  if (linkedIdentity && linkedAccount) {
    await recordIdentityUse(primary, linkedIdentity.identity_id, {
      name: identity.displayName,
      last_used_at: deps.now(),
    })
    return { account: await applyRole(deps, origin, linkedAccount, role), identity, isNewAccount: false }
  }
  const invitationToken = purpose.kind === 'sign-in' ? purpose.invitation : null
  return {
    account: await createAccount(deps, origin, { provider, identity, role, invitationToken }),
    identity,
    isNewAccount: true,
  }
}

interface NewIdentityAccount {
  provider: IdentityProvider
  identity: OpenIdIdentity
  role: AccountRole | null
  invitationToken: string | null
}

async function createAccount(
  deps: Deps,
  origin: AuditOrigin,
  { provider, identity, role, invitationToken }: NewIdentityAccount,
): Promise<AccountRow> {
  const { primary } = deps.database
  // The schema also rejects addresses that sign-in and invitations do not accept.
  const email = emailSchema.safeParse(identity.email && toAsciiEmail(identity.email)).data ?? null
  const isInvitationNeeded = provider.registration === 'invitation'
  if (email === null || !identity.isEmailVerified)
    throw createProviderProblem(isInvitationNeeded && !invitationToken ? 'not_linked' : 'email_unverified')
  if (await selectAccountByEmail(primary, email)) throw createProviderProblem('link_needed')
  const invitation =
    invitationToken === null
      ? await selectUsableInvitationByEmail(primary, email, deps.now())
      : await selectUsableInvitation(primary, sha256(invitationToken), deps.now())
  const isInvited = invitation !== undefined && (invitation.email ?? email) === email
  if (!isInvited && isInvitationNeeded) throw createProviderProblem('not_linked')
  if (!isInvited && !isEmailDomainAllowed(provider, email)) throw createProviderProblem('domain')
  const createIdentityInserter = (account: AccountRow) => (trx: DbTransaction) =>
    insertLinkedIdentity(deps, trx, account, identity)
  if (isInvited) {
    const invitedAccount = await buildInvitedAccount(deps, invitation, { email, password: null })
    const account = { ...invitedAccount, ...(role && { role }) }
    await insertInvitedAccount(deps, invitation, account, createIdentityInserter(account))
    return account
  }
  const account = await buildAccount(deps, { email, password: null, ...(role && { role }) })
  await primary.transaction().execute(async (trx) => {
    if (!(await insertAccount(trx, account))) throw createProviderProblem('link_needed')
    await createIdentityInserter(account)(trx)
    await recordAuditEvent(trx, origin, { action: 'provider_account_create', accountId: account.account_id })
  })
  return account
}

const isEmailDomainAllowed = ({ emailDomains }: IdentityProvider, email: string) =>
  emailDomains.length === 0 || emailDomains.includes(email.slice(email.lastIndexOf('@') + 1))

/** Links an identity to an account. Throws 409 when the identity is linked already. */
export async function insertLinkedIdentity(
  { now }: Pick<Deps, 'now'>,
  trx: DbTransaction,
  { account_id }: Pick<AccountRow, 'account_id'>,
  { issuer, subject, displayName }: OpenIdIdentity,
): Promise<void> {
  const row = {
    identity_id: createRandomId(),
    account_id,
    issuer,
    subject,
    name: displayName,
    created_at: now(),
    last_used_at: now(),
  }
  if (!(await insertIdentity(trx, row))) throw createProviderProblem('linked')
}

/** Stores the role that `chooseRole` returned, unless it is null. The last administrator keeps the role admin. */
async function applyRole(
  { database }: Pick<Deps, 'database'>,
  origin: AuditOrigin,
  account: AccountRow,
  role: AccountRole | null,
): Promise<AccountRow> {
  if (role === null || role === account.role) return account
  const { account_id: accountId } = account
  return database.primary.transaction().execute(async (trx) => {
    await lockUntilCommit(trx, 'admins')
    if (role === 'user' && (await countAdmins(trx)) <= 1) return account
    await updateAccount(trx, accountId, { role })
    if (role === 'user') await revokeInvitationsOfCreator(trx, accountId, origin.nowMs)
    await recordAuditEvent(trx, origin, { action: 'provider_role', accountId, targetAccountId: accountId })
    return { ...account, role }
  })
}
