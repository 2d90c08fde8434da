/** A new password for a user who has forgotten the old one. */
import { clearSession } from '../client/auth.ts'
import { callApi } from '../client/call.ts'
import type { ReplyOf } from '../contract/endpoint.ts'
import * as calls from '../contract/password-reset.ts'

export type PasswordResetAccount = ReplyOf<typeof calls.validatePasswordReset>

/** Requests an email with a link. Returns false when the server sends no emails. Throws `ApiError`. */
export async function requestPasswordReset(email: string): Promise<boolean> {
  const { by_mail: isByMail } = await callApi(calls.requestPasswordReset, { body: { email } })
  return isByMail
}

/** Returns the account of a link. Throws `ApiError`, with the field `token` if the link cannot be used. */
export const loadPasswordReset = (token: string): Promise<PasswordResetAccount> =>
  callApi(calls.validatePasswordReset, { body: { token } })

/** Sets the password, which also ends the session of this device. Throws `ApiError`. */
export async function setNewPassword(token: string, newPassword: string): Promise<void> {
  await callApi(calls.completePasswordReset, { body: { token, new_password: newPassword } })
  clearSession()
}
