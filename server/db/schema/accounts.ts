/** Tables of accounts, invitations and API keys. */
import type { BooleanInteger, TimestampMs } from './column-types.ts'

export interface AccountTables {
  account: {
    account_id: string
    email: string
    /** Empty for an account that was created with an identity provider and has no password. */
    password_hash: string
    role: string
    onboarded: BooleanInteger
    blocked: BooleanInteger
    interface_language: string
    title_language: string
    media_quality: string
    created_at: TimestampMs
    /**
     * Hash of the exit PIN; null when the account has no exit PIN. On a device on which a restricted profile is chosen,
     * the exit PIN opens a profile without a PIN.
     */
    exit_pin_hash: string | null
  }
  /** Keys with which programs call the API. */
  api_key: {
    key_id: string
    account_id: string
    /** The only profile that the key acts for; null for all profiles without a PIN. */
    profile_id: string | null
    name: string
    token_hash: string
    /** JSON: list of scopes. */
    scopes: string
    created_at: TimestampMs
    expires_at: TimestampMs | null
    last_used_at: TimestampMs | null
  }
  /**
   * A change of an email address. Until the change is confirmed, the token belongs to the link for the new address.
   * Afterwards, it belongs to the link with which the owner of the old address can cancel the change.
   */
  email_change: {
    token_hash: string
    account_id: string
    old_email: string
    new_email: string
    confirmed_at: TimestampMs | null
    created_at: TimestampMs
    expires_at: TimestampMs
  }
  invitation: {
    invitation_id: string
    token_hash: string
    email: string | null
    role: string
    language: string | null
    created_by: string | null
    created_at: TimestampMs
    expires_at: TimestampMs
    used_at: TimestampMs | null
    used_by: string | null
    revoked_at: TimestampMs | null
  }
  /**
   * SHA-256 hashes of the ids of deleted accounts, so that restoring an older backup does not restore these accounts.
   */
  deleted_account: { account_hash: string; deleted_at: TimestampMs }
}
