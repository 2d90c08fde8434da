/** A change of the email address of the account. */
import { clearSession } from '../client/auth.ts'
import { callApi } from '../client/call.ts'
import { listActivities } from '../contract/auth.ts'
import * as calls from '../contract/email-change.ts'
import type { ReplyOf } from '../contract/endpoint.ts'
import { refetch } from './query.ts'

export type EmailLink = ReplyOf<typeof calls.validateEmailLink>

/** Requests a link to the new address. Returns false when the server sends no emails. Throws `ApiError`. */
export async function requestEmailChange(newEmail: string, password: string): Promise<boolean> {
  const emailChangeBody = { new_email: newEmail, password }
  const { by_mail: isByMail } = await callApi(calls.requestEmailChange, { body: emailChangeBody })
  refetch(listActivities)
  return isByMail
}

/** Returns the effect of a link. Throws `ApiError`, with the field `token` if the link cannot be used. */
export const loadEmailLink = (token: string): Promise<EmailLink> =>
  callApi(calls.validateEmailLink, { body: { token } })

/** Uses a link. Cancelling a change also ends the session of this device. Throws `ApiError`. */
export async function completeEmailLink(token: string): Promise<void> {
  const { kind } = await callApi(calls.completeEmailLink, { body: { token } })
  if (kind === 'cancel') clearSession()
}
