import type { Invitation } from '../../../src/lib/contract/invitations.ts'
import { Problem } from '../../core/problem.ts'
import {
  type InvitationRow,
  insertInvitation,
  revokeInvitation,
  selectInvitations,
} from '../../queries/invitation.ts'
import { createRandomId, createRandomToken, sha256 } from '../auth/secret.ts'
import type { RequestContext } from '../context.ts'
import { recordCallerAction } from '../operations/audit.ts'
import { sendInvitationEmail } from '../operations/email.ts'
import { loadSettingValue } from '../operations/settings.ts'

const DAY_MS = 86_400_000

interface NewInvitation {
  email?: string | undefined
  role?: 'admin' | 'user' | undefined
  language?: string | undefined
  expires_in_days?: number | undefined
}

/**
 * Creates an invitation and returns its 256-bit token. Only the hash of the token is stored. If an email address is
 * given, the link is sent to it after the commit. If sending fails, the invitation stays valid and the response reports
 * the failure.
 */
export async function createInvitation(context: RequestContext, input: NewInvitation) {
  const { deps, caller } = context
  const token = createRandomToken()
  const nowMs = deps.now()
  const { primary } = deps.database
  // Settings are loaded before the commit: an error after the commit would lose the token of a valid invitation.
  const validityDays = input.expires_in_days ?? (await loadSettingValue(primary, 'invitation_days'))
  const emailLanguage = input.language ?? (await loadSettingValue(primary, 'default_language'))
  const expires_at = nowMs + validityDays * DAY_MS
  const row = {
    invitation_id: createRandomId(),
    token_hash: sha256(token),
    email: input.email ?? null,
    role: input.role ?? 'user',
    language: input.language ?? null,
    created_by: caller.account.account_id,
    created_at: nowMs,
    expires_at,
  }
  await primary.transaction().execute(async (trx) => {
    await insertInvitation(trx, row)
    await recordCallerAction(trx, context, { action: 'invitation_create', target: row.invitation_id })
  })
  const url = new URL(`/signup/?token=${token}`, deps.config.publicUrl).href
  const invitationEmail = { email: input.email, language: emailLanguage, url, expiresAtMs: expires_at }
  return {
    invitation_id: row.invitation_id,
    token,
    url,
    expires_at: new Date(expires_at).toISOString(),
    mail: await sendInvitationEmail(deps, invitationEmail),
  }
}

export async function listInvitations(
  { deps }: Pick<RequestContext, 'deps'>,
  { page, limit }: { page: number; limit: number },
) {
  const { rows, total } = await selectInvitations(deps.database.primary, { page, limit })
  const invitations = rows.map(
    (row): Invitation => ({
      invitation_id: row.invitation_id,
      email: row.email,
      role: row.role as Invitation['role'],
      language: row.language as Invitation['language'],
      created_at: new Date(row.created_at).toISOString(),
      expires_at: new Date(row.expires_at).toISOString(),
      state: getInvitationState(row, deps.now()),
    }),
  )
  return { page, limit, total_results: total, total_pages: Math.ceil(total / limit), results: invitations }
}

function getInvitationState(row: InvitationRow, nowMs: number): Invitation['state'] {
  if (row.used_at) return 'used'
  if (row.revoked_at) return 'revoked'
  return row.expires_at > nowMs ? 'open' : 'expired'
}

export async function revokeInvitationById(context: RequestContext, invitationId: string): Promise<void> {
  const { deps } = context
  await deps.database.primary.transaction().execute(async (trx) => {
    if (!(await revokeInvitation(trx, invitationId, deps.now()))) throw new Problem('not_found')
    await recordCallerAction(trx, context, { action: 'invitation_revoke', target: invitationId })
  })
}
