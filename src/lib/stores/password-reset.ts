/** Sets a new password for a user who has forgotten the old password. */
import { clearSession } from '../client/auth.ts'
import { callApi } from '../client/call.ts'
import type { ReplyOf } from '../contract/endpoint.ts'
import * as calls from '../contract/password-reset.ts'

export type PasswordResetAccount = ReplyOf<typeof calls.validatePasswordReset>

/** Requests an email with a link. Returns false when the server sends no emails. Throws `ApiError`. */
export async function requestPasswordReset(email: string): Promise<boolean> {
  const { by_mail: isSentByEmail } = await callApi(calls.requestPasswordReset, { body: { email } })
  return isSentByEmail
}

/** Returns the account to which a link belongs. Throws `ApiError`, with the field `token` if the link is invalid. */
export const loadPasswordReset = (token: string): Promise<PasswordResetAccount> =>
  callApi(calls.validatePasswordReset, { body: { token } })

/**
 * Sets the password, and signs this device out. With `shouldRemoveAccess`, also removes the passkeys, identities and
 * calendar addresses of the account. Throws `ApiError`.
 */
export async function setNewPassword(
  token: string,
  newPassword: string,
  { shouldRemoveAccess }: { shouldRemoveAccess: boolean },
): Promise<void> {
  const body = { token, new_password: newPassword, remove_access: shouldRemoveAccess }
  await callApi(calls.completePasswordReset, { body })
  clearSession()
}
