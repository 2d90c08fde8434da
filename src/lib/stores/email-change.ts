/** Requests changes of the email address, and confirms or cancels them with links that the server sends by email. */
import { clearSession } from '../client/auth.ts'
import { callApi } from '../client/call.ts'
import { listActivities } from '../contract/account.ts'
import * as calls from '../contract/email-change.ts'
import type { ReplyOf } from '../contract/endpoint.ts'
import { refetch } from './query.ts'

export type EmailLink = ReplyOf<typeof calls.validateEmailLink>

/**
 * Requests an email to the new address, with a link that confirms the change. Returns false when the server sends no
 * emails. Throws `ApiError`.
 */
export async function requestEmailChange(newEmail: string, password: string): Promise<boolean> {
  const emailChangeBody = { new_email: newEmail, password }
  const { by_mail: isSentByEmail } = await callApi(calls.requestEmailChange, { body: emailChangeBody })
  refetch(listActivities)
  return isSentByEmail
}

/**
 * Returns whether a link from an email confirms or cancels the change, and the address that the account then has.
 * Throws `ApiError`, with the field `token` if the link is invalid.
 */
export const loadEmailLink = (token: string): Promise<EmailLink> =>
  callApi(calls.validateEmailLink, { body: { token } })

/**
 * Confirms or cancels an email change, depending on the kind of the link. Cancelling also signs this device out. Throws
 * `ApiError`.
 */
export async function completeEmailLink(token: string): Promise<void> {
  const { kind } = await callApi(calls.completeEmailLink, { body: { token } })
  if (kind === 'cancel') clearSession()
}
