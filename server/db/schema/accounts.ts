/** Tables of accounts, sign-in, API keys, invitations, profiles, rate limits and the audit log. */
import type { Generated } from 'kysely'
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
     * Hash of the exit PIN; null when the account has no exit PIN. The exit PIN opens a profile without a PIN where a
     * restricted profile is chosen.
     */
    exit_pin_hash: string | null
  }
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
    /** 1 after the client has used the current token, which proves that the client received the last response. */
    successor_used: BooleanInteger
    /** Time at which a second factor was last confirmed on this device; null if never. */
    second_factor_at: TimestampMs | null
    /**
     * The restricted profile (a kids profile or one with limits) that was chosen on this device, even if it has been
     * deleted since. Null after another profile was chosen.
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
  /** Identities of OpenID Connect providers that are linked to accounts. */
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
  /**
   * A sign-in with a correct password that waits for the second factor. The row is deleted when the sign-in is
   * completed.
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
   * A device that waits to be signed in with a code (RFC 8628). The row is deleted after its expiry, and when the login
   * that approved the device is deleted.
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
    /** The account that the device will be signed in to; null until the device is approved. */
    account_id: string | null
    /** The login that approved the device. */
    sid: string | null
    /** The profile that the device opens; null when the device shows the profile picker. */
    profile_id: string | null
  }
  /**
   * A phone that controls a television of the same account. A television has at most one row. The row is deleted when
   * the login of the television or the login of the phone is deleted.
   */
  remote_pairing: {
    pairing_id: string
    account_id: string
    television_sid: string
    /** Null until a phone has used the pairing code. */
    phone_sid: string | null
    /**
     * The acting profile of the television when the phone was paired; null when the television showed the profile
     * picker.
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
  /** Links with which the owner of an account sets a new password. The row is deleted when the link is used. */
  password_reset: {
    token_hash: string
    account_id: string
    created_at: TimestampMs
    expires_at: TimestampMs
  }
  profile: {
    profile_id: string
    account_id: string
    name: string
    avatar: number
    main: BooleanInteger
    kids: BooleanInteger
    language: string
    content_genres: string
    autoplay_next: BooleanInteger
    autoplay_previews: BooleanInteger
    hide_spoilers: BooleanInteger
    /** JSON: order of the home rows, `[{ row, hidden }]`. An empty list means the default order. */
    home_rows: Generated<string>
    /** Text size in percent of the default. */
    text_size: Generated<number>
    high_contrast: Generated<BooleanInteger>
    less_motion: Generated<BooleanInteger>
    captions: Generated<BooleanInteger>
    simple_home: Generated<BooleanInteger>
    /**
     * Language in which the profile reads the names of titles: a locale, `profile` (the language of the profile) or
     * `original`. While the profile has not chosen a language, the value is null, and `getTitleLanguage` derives the
     * language from the profile and the account.
     */
    media_title_language: Generated<string | null>
    /** 1 when the profile may ask to watch titles outside its audience. */
    may_ask: Generated<BooleanInteger>
    /** 1 when the browser speaks the name of the focused element. */
    spoken_labels: Generated<BooleanInteger>
    pin_hash: string | null
    /** Number of changes of the PIN. Unlocks and signed media URLs are valid for one generation only. */
    pin_generation: Generated<number>
    created_at: TimestampMs
    /** Highest age rating that the profile may see, in years; null without a limit. */
    max_age: Generated<number | null>
    /** Limits of the parental guide, packed by rules/maturity.ts; 0 without limits. */
    guide_limits: Generated<number>
    /** 1 when titles without a parental guide are within `guide_limits`. */
    accepts_unknown_guide: Generated<BooleanInteger>
    /** Number of titles in `title_rule` that the profile may never see. */
    denied_title_count: Generated<number>
    /**
     * Number of changes of the profile's rows in `title_rule`; 0 when no row ever existed. Processes cache the rows
     * until this number changes.
     */
    audience_version: Generated<number>
    /** Time at which the profile was moved to the bin; null for a profile that is not in the bin. */
    deleted_at: Generated<TimestampMs | null>
  }
  /** Titles that a profile may always see (`allow`) or never see (`deny`), regardless of its limits. */
  title_rule: {
    profile_id: string
    title_id: number
    rule: 'allow' | 'deny'
    created_at: TimestampMs
    /** The rule has no effect from this time on; null when it does not expire. */
    expires_at: TimestampMs | null
  }
  /**
   * Failed PIN attempts per profile, stored in the database so that a restart does not reset them (security.md,
   * decision 4).
   */
  pin_attempt: { profile_id: string; failures: number; blocked_until: TimestampMs }
  /**
   * Attempts per bucket in a time window. Limits with delays refuse attempts until `blocked_until`, which is 0 when no
   * delay has been set. Other limits refuse attempts above their maximum until `window_ends_at`.
   */
  rate_limit: { bucket: string; count: number; window_ends_at: TimestampMs; blocked_until: Generated<number> }
  /**
   * SHA-256 hashes of the ids of deleted accounts, so that restoring an older backup does not restore these accounts.
   */
  deleted_account: { account_hash: string; deleted_at: TimestampMs }
  /** Pseudonym of an account in the audit log. It is deleted with the account, so that the events become anonymous. */
  audit_subject: { account_id: string; subject: string }
  audit_event: {
    audit_id: Generated<number>
    at: TimestampMs
    request_id: string
    subject: string | null
    action: string
    target: string | null
    outcome: string
    /**
     * JSON: a salt, and details such as sid, profile, device and IP address. Set to null when the account is deleted.
     * The hash chain covers only the hash of the details.
     */
    details: string | null
    details_hash: string
    previous_hash: string
    hash: string
  }
  /**
   * A single row that is changed together with the audit log. It contains the number of appended events and the
   * number of events that retention has deleted. It also contains the hashes of the newest event and of the newest
   * deleted event. The row shows whether events are missing at either end of the log.
   */
  audit_anchor: {
    anchor_id: number
    appended_count: number
    last_hash: string
    removed_count: number
    removed_hash: string
  }
}
