/** Tables of profiles, their title rules and the attempts to enter their PINs. */
import type { Generated } from 'kysely'
import type { BooleanInteger, TimestampMs } from './column-types.ts'

export interface ProfileTables {
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
    /** 1 when `guide_limits` also allow titles whose parental guide has no entry for a limited category. */
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
}
