/** Tables of accounts, logins, invitations, profiles, rate limits and the audit log. */
import type { Generated } from 'kysely'
import type { Flag, Ms } from './units.ts'

export interface People {
  account: {
    account_id: string
    email: string
    password_hash: string
    role: string
    onboarded: Flag
    blocked: Flag
    interface_language: string
    title_language: string
    media_quality: string
    created_at: Ms
  }
  /** One signed-in device and its refresh token family. The row is deleted when the login ends. */
  login: {
    sid: string
    account_id: string
    device_name: string
    user_agent: string
    ip: string | null
    created_at: Ms
    last_active_at: Ms
    expires_at: Ms
    active_profile_id: string | null
    generation: number
    token_hash: string
    previous_hash: string | null
    rotated_at: Ms
    /** 1 once the client has used the current token, which proves that it received the last response. */
    successor_used: Flag
  }
  invitation: {
    invitation_id: string
    token_hash: string
    email: string | null
    role: string
    language: string | null
    created_by: string | null
    created_at: Ms
    expires_at: Ms
    used_at: Ms | null
    used_by: string | null
    revoked_at: Ms | null
  }
  profile: {
    profile_id: string
    account_id: string
    name: string
    avatar: number
    main: Flag
    kids: Flag
    language: string
    content_genres: string
    autoplay_next: Flag
    autoplay_previews: Flag
    hide_spoilers: Flag
    /** JSON: order of the home rows, `[{ row, hidden }]`. An empty list means the default order. */
    home_rows: Generated<string>
    /** Percent. */
    text_size: Generated<number>
    high_contrast: Generated<Flag>
    less_motion: Generated<Flag>
    captions: Generated<Flag>
    simple_home: Generated<Flag>
    pin_hash: string | null
    created_at: Ms
  }
  /**
   * Failed PIN attempts per profile. Stored in the database so that a restart does not reset them (security.md,
   * decision 4).
   */
  pin_attempt: { profile_id: string; failures: number; blocked_until: Ms }
  device_profile: { sid: string; profile_id: string; unlocked_until: Ms }
  rate_limit: { bucket: string; count: number; window_ends_at: Ms }
  /** Pseudonym of an account in the audit log. It is deleted with the account, so that its events become anonymous. */
  audit_subject: { account_id: string; subject: string }
  audit_event: {
    audit_id: Generated<number>
    at: Ms
    request_id: string
    subject: string | null
    action: string
    target: string | null
    outcome: string
    /**
     * JSON: salt, sid, profile, device, IP address. Set to null when the account is deleted; the hash chain covers only
     * its hash.
     */
    details: string | null
    details_hash: string
    previous_hash: string
    hash: string
  }
}
