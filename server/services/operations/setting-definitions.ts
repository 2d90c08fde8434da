/**
 * Defines all settings that an administrator can change at runtime. Each setting has a group, a kind and a
 * default.
 */

import { existsSync } from 'node:fs'
import type { Setting } from '../../../src/lib/contract/admin.ts'
import { FALLBACK_LOCALE, LOCALES } from '../../../src/lib/i18n/locales.ts'
import { MEDIA_QUALITIES } from '../../../src/lib/rules/limits.ts'
import { TITLE_LANGUAGES } from '../../../src/lib/rules/title-options.ts'
import { ARTWORK_SOURCES, DEFAULT_TMDB_API_URL, DEFAULT_TMDB_IMAGE_URL } from '../../core/config.ts'
import { ENCODER_CHOICES } from '../../providers/ffmpeg/encoders.ts'

/**
 * Paths at which packages install ffmpeg. The dashboard offers only these paths. Otherwise, an attacker who
 * takes over the session of an administrator could start other programs. FFMPEG_PATH accepts any path.
 */
const FFMPEG_LOCATIONS = [
  '/usr/lib/jellyfin-ffmpeg/ffmpeg',
  '/usr/local/bin/ffmpeg',
  '/usr/bin/ffmpeg',
  '/opt/homebrew/bin/ffmpeg',
]
const FFMPEG_CHOICES: readonly string[] = [
  'auto',
  'off',
  ...FFMPEG_LOCATIONS.filter((path) => existsSync(path)),
]

type ChoiceSetting = { kind: 'choice'; choices: readonly string[]; defaultValue: string }
type IntegerSetting = {
  kind: 'integer'
  min: number
  max: number
  unit: Setting['unit']
  defaultValue: number
}
type FlagSetting = { kind: 'flag'; defaultValue: boolean }
type TextSetting = {
  /** `secret`: the value is stored encrypted and is never returned. An empty text removes the value. */
  kind: 'text' | 'secret'
  maxLength: number
  pattern: RegExp
  /** True when the value must be empty or a URL with a host name, in addition to `pattern`. */
  isUrl?: boolean
  defaultValue: string
}
export type SettingDefinition = (ChoiceSetting | IntegerSetting | FlagSetting | TextSetting) & {
  group: Setting['group']
  /** Environment variable that takes precedence over the stored value. */
  variable?: string
  /**
   * Key of a secret that is removed when this setting changes. Otherwise, the secret would be sent to another
   * server.
   */
  clearedSecretKey?: string
  /**
   * Environment variable of the secret in `clearedSecretKey`. While this variable is set, the setting cannot be
   * changed.
   */
  clearedSecretVariable?: string
}

const HTTP_URL_PATTERN = /^https?:\/\/[^\s/?#@]+(?:\/[^\s?#@]*)?$/

export const SETTING_DEFINITIONS = {
  default_language: { group: 'people', kind: 'choice', choices: LOCALES, defaultValue: FALLBACK_LOCALE },
  default_title_language: {
    group: 'people',
    kind: 'choice',
    choices: TITLE_LANGUAGES,
    defaultValue: FALLBACK_LOCALE,
  },
  default_media_quality: { group: 'people', kind: 'choice', choices: MEDIA_QUALITIES, defaultValue: 'auto' },
  invitation_days: { group: 'people', kind: 'integer', min: 1, max: 30, unit: 'days', defaultValue: 7 },
  /** While no identity provider is set up, passwords are accepted even if this setting is false. */
  password_sign_in: { group: 'people', kind: 'flag', defaultValue: true },
  bin_days: { group: 'catalogue', kind: 'integer', min: 1, max: 30, unit: 'days', defaultValue: 30 },
  add_titles_of_files: { group: 'catalogue', kind: 'flag', defaultValue: true },
  artwork_source: {
    group: 'catalogue',
    kind: 'choice',
    choices: ARTWORK_SOURCES,
    variable: 'ARTWORK_SOURCE',
    defaultValue: 'drawn',
  },
  tmdb_api_token: {
    group: 'catalogue',
    kind: 'secret',
    maxLength: 1_000,
    pattern: /^[\x21-\x7e]*$/,
    variable: 'TMDB_API_TOKEN',
    defaultValue: '',
  },
  tmdb_api_url: {
    group: 'catalogue',
    kind: 'text',
    maxLength: 300,
    pattern: HTTP_URL_PATTERN,
    isUrl: true,
    variable: 'TMDB_API_URL',
    clearedSecretKey: 'tmdb_api_token',
    clearedSecretVariable: 'TMDB_API_TOKEN',
    defaultValue: DEFAULT_TMDB_API_URL,
  },
  tmdb_image_url: {
    group: 'catalogue',
    kind: 'text',
    maxLength: 300,
    pattern: HTTP_URL_PATTERN,
    isUrl: true,
    variable: 'TMDB_IMAGE_URL',
    defaultValue: DEFAULT_TMDB_IMAGE_URL,
  },
  artwork_cache_megabytes: {
    group: 'catalogue',
    kind: 'integer',
    min: 50,
    max: 1_000_000,
    unit: 'megabytes',
    defaultValue: 2_000,
  },
  /** The value 0 disables scheduled backups. */
  backup_every_hours: { group: 'backup', kind: 'integer', min: 0, max: 720, unit: 'hours', defaultValue: 24 },
  backup_keep: { group: 'backup', kind: 'integer', min: 1, max: 100, unit: 'count', defaultValue: 7 },
  slow_query_ms: {
    group: 'operation',
    kind: 'integer',
    min: 1,
    max: 60_000,
    unit: 'milliseconds',
    defaultValue: 200,
  },
  /** The value 0 derives the limit from the number of processor cores. */
  conversion_limit: { group: 'playback', kind: 'integer', min: 0, max: 64, unit: 'count', defaultValue: 0 },
  conversion_max_quality: {
    group: 'playback',
    kind: 'choice',
    choices: ['480p', '720p', '1080p', '1440p', '2160p'],
    defaultValue: '1080p',
  },
  conversion_disk_megabytes: {
    group: 'playback',
    kind: 'integer',
    min: 200,
    max: 1_000_000,
    unit: 'megabytes',
    defaultValue: 4_000,
  },
  thumbnails_disk_megabytes: {
    group: 'playback',
    kind: 'integer',
    min: 0,
    max: 1_000_000,
    unit: 'megabytes',
    defaultValue: 2_000,
  },
  conversion_encoder: { group: 'playback', kind: 'choice', choices: ENCODER_CHOICES, defaultValue: 'auto' },
  ffmpeg_path: {
    group: 'playback',
    kind: 'choice',
    choices: FFMPEG_CHOICES,
    variable: 'FFMPEG_PATH',
    defaultValue: 'auto',
  },
  smtp_url: {
    group: 'mail',
    kind: 'secret',
    maxLength: 500,
    pattern: /^(?:smtps?:\/\/[^\s]+)?$/,
    isUrl: true,
    variable: 'SMTP_URL',
    defaultValue: '',
  },
  smtp_from: {
    group: 'mail',
    kind: 'text',
    maxLength: 254,
    pattern: /^[^\r\n]*$/,
    variable: 'SMTP_FROM',
    defaultValue: '',
  },
  audit_days: { group: 'operation', kind: 'integer', min: 30, max: 3_650, unit: 'days', defaultValue: 400 },
} as const satisfies Record<string, SettingDefinition>
export type SettingKey = keyof typeof SETTING_DEFINITIONS
