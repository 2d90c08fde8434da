/** Tables of logins and of the ways to sign in: second factor, passkeys, identities, reset links and codes. */
import type { Generated } from 'kysely'
import type { BooleanInteger, TimestampMs } from './column-types.ts'

export interface SignInTables {
  /** One signed-in device and its refresh token family. The row is deleted when the login ends. */
  login: {
    sid: string
    account_id: string
    device_name: string
    user_agent: string
    ip: string | null
    created_at: TimestampMs
    last_active_at: TimestampMs
    expires_at: TimestampMs
    /** The acting profile; null while no profile is chosen. */
    active_profile_id: string | null
    /**
     * Time until which the acting profile may be used without its PIN; null when it was not unlocked. A device has at
     * most one unlock, because an unlock ends with every change of the acting profile.
     */
    unlocked_until: TimestampMs | null
    /**
     * `pin_generation` of the profile when it was unlocked. If the profile has another value now, its PIN has changed
     * since.
     */
    unlock_generation: number | null
    /**
     * JSON: the profiles that watch together with the acting profile, `[{ id, generation }]`. `generation` is the
     * `pin_generation` of the profile when it joined. Null without a group. Every change of the acting profile ends the
     * group.
     */
    group_members: Generated<string | null>
    /** Number of the current refresh token: 1 for the first, increased by each rotation. */
    generation: number
    token_hash: string
    /** Hash of the previous refresh token; null before the first rotation. */
    previous_hash: string | null
    rotated_at: TimestampMs
    /**
     * 1 after the client has used an access token of the current `generation`. This proves that the client has received
     * the response with the current refresh token.
     */
    successor_used: BooleanInteger
    /** Time at which a second factor was last confirmed on this device; null if never. */
    second_factor_at: TimestampMs | null
    /**
     * The restricted profile (a kids profile or one with limits) that was chosen on this device, even if it has been
     * deleted since. Null after an unrestricted profile was chosen.
     */
    kids_profile_id: string | null
    /** IANA name of the time zone that the device sent last; null until the device has sent a time zone. */
    time_zone: Generated<string | null>
  }
  /** Authenticator app of an account (RFC 6238). Secrets are encrypted with a key outside the database. */
  totp: {
    account_id: string
    /** Null until a code confirms the first set-up. */
    secret: string | null
    confirmed_at: TimestampMs | null
    /** Time step of the last accepted code. Codes of this and earlier steps are rejected. */
    last_step: number
    /** Secret of a set-up that is not confirmed yet. */
    pending_secret: string | null
    pending_at: TimestampMs | null
  }
  /** Unused recovery codes. A row is deleted when its code is used. */
  recovery_code: { code_hash: string; account_id: string; created_at: TimestampMs }
  /** Passkeys of accounts (WebAuthn). */
  passkey: {
    passkey_id: string
    account_id: string
    credential_id: string
    /** COSE key as base64url. */
    public_key: string
    /** Signature counter of the last use; 0 for passkeys without a counter. */
    sign_count: number
    /** JSON list of transports by which browsers can reach the authenticator. */
    transports: string
    name: string
    /** 1 when the passkey may be synchronised between devices of its owner. */
    synced: BooleanInteger
    created_at: TimestampMs
    last_used_at: TimestampMs | null
  }
  /** Used passkey challenges, until they expire. */
  used_challenge: { challenge_hash: string; expires_at: TimestampMs }
  /** Identities at OpenID Connect providers, each linked to an account. */
  identity: {
    identity_id: string
    account_id: string
    issuer: string
    /** The claim `sub` of the provider, which never changes. */
    subject: string
    /** Email address or user name at the provider, for display only. */
    name: string | null
    created_at: TimestampMs
    last_used_at: TimestampMs | null
  }
  /**
   * A sign-in that waits for the second factor after a correct password. The row is deleted when the sign-in is
   * completed or has expired.
   */
  sign_in_step: {
    token_hash: string
    account_id: string
    device_name: string | null
    /** Number of tried codes, in spite of the name of the column. Each code is counted before it is checked. */
    failures: number
    created_at: TimestampMs
    expires_at: TimestampMs
  }
  /** Links with which the owner of an account sets a new password. A row is deleted after use and after its expiry. */
  password_reset: {
    token_hash: string
    account_id: string
    created_at: TimestampMs
    expires_at: TimestampMs
  }
  /**
   * A device that waits to be signed in with a code (RFC 8628). The row is deleted after its expiry, and when the login
   * that approved or denied the device is deleted.
   */
  device_authorization: {
    device_code_hash: string
    user_code_hash: string
    /** `pending`, `approved`, `denied`, or `used` when the login of the device was created. */
    state: string
    device_name: string
    ip: string | null
    created_at: TimestampMs
    expires_at: TimestampMs
    /** Shortest time between two polls. It increases when the device polls too fast. */
    interval_seconds: number
    polled_at: TimestampMs
    /**
     * The account that approved or denied the device; null while the code is pending. An approved device is signed in
     * to this account.
     */
    account_id: string | null
    /** The login that approved or denied the device; null while the code is pending. */
    sid: string | null
    /** The profile that the device opens; null when the device shows the profile picker. */
    profile_id: string | null
  }
  /**
   * A phone that controls a television of the same account. A television has at most one row. The row is deleted
   * after its expiry, and when the login of the television or the login of the phone is deleted.
   */
  remote_pairing: {
    pairing_id: string
    account_id: string
    television_sid: string
    /** Null until a phone has used the pairing code. */
    phone_sid: string | null
    /**
     * The acting profile of the television when the phone was paired. Null before a phone is paired, and when the
     * television showed the profile picker.
     */
    profile_id: string | null
    /** Hash of the pairing code; null after a phone has used the code. */
    code_hash: string | null
    created_at: TimestampMs
    expires_at: TimestampMs
    /**
     * Time at which the phone loses control after its remote control page was closed. Null while the page is open, and
     * before a phone is paired.
     */
    phone_expires_at: TimestampMs | null
  }
  /**
   * Attempts per bucket in a time window. Limits with delays reject attempts until `blocked_until`, which is 0 when no
   * delay has been set. Other limits reject attempts above their maximum until `window_ends_at`.
   */
  rate_limit: { bucket: string; count: number; window_ends_at: TimestampMs; blocked_until: Generated<number> }
}
