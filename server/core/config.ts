/**
 * Reads all settings of the server from the environment; other modules get them from `Config`. An invalid setting stops
 * the startup with a message that names the setting.
 */
import { existsSync, readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { delimiter, resolve } from 'node:path'
import { parseEnv } from 'node:util'

export class SettingError extends Error {}

export const DEFAULT_TMDB_API_URL = 'https://api.themoviedb.org/3'
export const DEFAULT_TMDB_IMAGE_URL = 'https://image.tmdb.org/t/p'
export const ARTWORK_SOURCES = ['drawn', 'tmdb'] as const
export type ArtworkSourceName = (typeof ARTWORK_SOURCES)[number]

export interface Config extends SiteConfig {
  host: string
  port: number
  dataDir: string
  databaseUrl: string | undefined
  /** URL of a read replica of the database, which is used for catalogue reads only. */
  databaseReplicaUrl: string | undefined
  redisUrl: string | undefined
  /** Number of workers on this machine. If there are several, a supervisor process starts them. */
  workerCount: number
  /**
   * Secret from which all keys are derived, so that several machines have the same keys. Without this secret, keys are
   * generated once and stored in dataDir.
   */
  keysSecret: string | undefined
  publicUrl: URL
  mediaDir: string | undefined
  /** Path of ffmpeg, or `off`. When undefined, the server looks for ffmpeg on the PATH. */
  ffmpegPath: string | undefined
  /** Folders of the environment variable PATH, in which the server looks for programs such as ffmpeg. */
  programFolders: string[]
  streamUpstreamUrl: URL | undefined
  /** Additional origins of media that the stream resolver may return. */
  streamMediaOrigins: string[]
  /** Origins of push services in the private network, in addition to all public push services. */
  pushOrigins: string[]
  /** True to fill an empty database with the demo catalogue and household, and to play demo clips. */
  isDemoEnabled: boolean
  smtpUrl: string | undefined
  /** Sender of emails. The default is `no-reply@` and the host of PUBLIC_URL. */
  smtpFrom: string | undefined
  cloudflare: { zoneId: string; apiToken: string; apiUrl?: string | undefined } | undefined
  tmdbApiToken: string | undefined
  /** URL of TMDB's API, or of a gateway in front of it. */
  tmdbApiUrl: string
  /** URL of TMDB's image host, or of a gateway in front of it. Only the server uses this URL, not the browsers. */
  tmdbImageUrl: string
  /** Source of title images: drawn by this server, or from TMDB. */
  artworkSource: ArtworkSourceName
  metricsToken: string | undefined
  /** `test` makes password hashing fast, for tests only. */
  passwordHashCost: 'full' | 'test'
  logLevel: 'silent' | 'error' | 'warn' | 'info' | 'debug'
  /** IP addresses or CIDR blocks of proxies whose X-Forwarded-For header is trusted. */
  trustedProxies: string[]
  /** Names of the environment variables that are set. The variables take precedence over settings of the dashboard. */
  variableNames: ReadonlySet<string>
}

type Env = Record<string, string | undefined>

/** Values of HOST with which the server listens on all network interfaces. */
export const ALL_INTERFACES: readonly string[] = ['0.0.0.0', '::']

const LOCAL_HOSTS = ['127.0.0.1', 'localhost', '[::1]']

/** True when passwords travel unencrypted between the browsers and this machine. */
export const isPlainHttp = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && !LOCAL_HOSTS.includes(hostname)

/**
 * Reads `.env`, if there is one, and the environment, which takes precedence. Throws `SettingError` when a setting is
 * not valid.
 */
export function loadConfig(): Config {
  return readConfig(loadEnv())
}

/**
 * Returns the variables of `.env` and of the environment. Does not add the variables of `.env` to `process.env`.
 * Otherwise, after a change of `.env`, the supervisor would pass the old values of the variables to new workers.
 */
export function loadEnv(): Env {
  const fileEnv = existsSync('.env') ? parseEnv(readFileSync('.env', 'utf8')) : {}
  return { ...fileEnv, ...process.env }
}

/** The settings that the build of the site reads. */
export interface SiteConfig {
  siteName: string
  imageBaseUrl: string | undefined
  /** Origins whose pages may frame /watch/embed. */
  embedOrigins: string[]
  /** Origin of the API to which a CDN forwards requests by the `_redirects` of the built site. */
  apiOrigin: string | undefined
}

/**
 * Reads the variables of the site build from the same sources as `loadConfig`. Does not check the other variables,
 * because a build for a CDN has no media folder or database. Throws `SettingError` when one of the variables of the
 * build is not valid.
 */
export function loadSiteConfig(): SiteConfig {
  return readSiteConfig(loadEnv())
}

function readSiteConfig(env: Env): SiteConfig {
  return {
    siteName: readText(env, 'SITE_NAME') ?? 'Marquee',
    imageBaseUrl: readBaseUrl(env, 'IMAGE_BASE_URL'),
    embedOrigins: readOrigins(env, 'EMBED_ORIGINS'),
    apiOrigin: readOrigin(env, 'API_ORIGIN', 'https://api.example.org')?.origin,
  }
}

/**
 * Returns the validated settings. Throws `SettingError` when a setting is not valid. The message names the setting and
 * the accepted values.
 */
export function readConfig(env: Env): Config {
  const host = readText(env, 'HOST') ?? '127.0.0.1'
  const port = readInteger(env, 'PORT', 4321, { min: 0, max: 65_535 })
  // Browsers cannot open the addresses that stand for all network interfaces, so the URL contains `localhost` instead.
  const publicUrlHost = ALL_INTERFACES.includes(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return {
    host,
    port,
    dataDir: resolve(readText(env, 'DATA_DIR') ?? 'data/local'),
    databaseUrl: readUrl(env, 'DATABASE_URL', ['postgres:', 'postgresql:'])?.href,
    databaseReplicaUrl: readUrl(env, 'DATABASE_REPLICA_URL', ['postgres:', 'postgresql:'])?.href,
    redisUrl: readUrl(env, 'REDIS_URL', ['redis:', 'rediss:'])?.href,
    workerCount: readInteger(env, 'WORKERS', 1, { min: 1, max: 64 }),
    keysSecret: readKeysSecret(env),
    // Links in emails and calendars consist of this origin and a path, so the setting must not contain a path.
    publicUrl:
      readOrigin(env, 'PUBLIC_URL', 'https://films.example.org') ??
      new URL(`http://${publicUrlHost}:${port}`),
    ...readSiteConfig(env),
    mediaDir: readText(env, 'MEDIA_DIR'),
    ffmpegPath: readFfmpegPath(env),
    programFolders: (env['PATH'] ?? '').split(delimiter).filter(Boolean),
    streamUpstreamUrl: readUrl(env, 'STREAM_UPSTREAM_URL', ['http:', 'https:']),
    streamMediaOrigins: readOrigins(env, 'STREAM_MEDIA_ORIGINS'),
    pushOrigins: readOrigins(env, 'PUSH_ORIGINS'),
    isDemoEnabled: readFlag(env, 'DEMO', true),
    smtpUrl: readUrl(env, 'SMTP_URL', ['smtp:', 'smtps:'])?.href,
    smtpFrom: readText(env, 'SMTP_FROM'),
    cloudflare: readCloudflareSettings(env),
    tmdbApiToken: readText(env, 'TMDB_API_TOKEN'),
    tmdbApiUrl: readBaseUrl(env, 'TMDB_API_URL') ?? DEFAULT_TMDB_API_URL,
    tmdbImageUrl: readBaseUrl(env, 'TMDB_IMAGE_URL') ?? DEFAULT_TMDB_IMAGE_URL,
    artworkSource: readChoice(env, 'ARTWORK_SOURCE', ARTWORK_SOURCES, 'drawn'),
    metricsToken: readText(env, 'METRICS_TOKEN'),
    passwordHashCost: readPasswordHashCost(env),
    logLevel: readChoice(env, 'LOG_LEVEL', ['silent', 'error', 'warn', 'info', 'debug'], 'info'),
    trustedProxies: readTrustedProxies(env, 'TRUSTED_PROXIES'),
    variableNames: new Set(
      Object.keys(env).filter((variableName) => readText(env, variableName) !== undefined),
    ),
  }
}

function readText(env: Env, variableName: string): string | undefined {
  return env[variableName]?.trim() || undefined
}

function readInteger(
  env: Env,
  variableName: string,
  defaultValue: number,
  { min, max }: { min: number; max: number },
): number {
  const variableText = readText(env, variableName)
  if (variableText === undefined) return defaultValue
  const parsedNumber = Number(variableText)
  if (!Number.isInteger(parsedNumber) || parsedNumber < min || parsedNumber > max) {
    throw new SettingError(
      `${variableName} must be a whole number from ${min} to ${max}, not "${variableText}".`,
    )
  }
  return parsedNumber
}

function readFlag(env: Env, variableName: string, defaultValue: boolean): boolean {
  const variableText = readText(env, variableName)
  if (variableText === undefined) return defaultValue
  if (variableText !== '0' && variableText !== '1')
    throw new SettingError(`${variableName} must be 0 or 1, not "${variableText}".`)
  return variableText === '1'
}

function readChoice<T extends string>(
  env: Env,
  variableName: string,
  choices: readonly T[],
  defaultValue: T,
): T {
  const variableText = readText(env, variableName)
  if (variableText === undefined) return defaultValue
  const matchingChoice = choices.find((candidate) => candidate === variableText)
  if (!matchingChoice)
    throw new SettingError(`${variableName} must be one of ${choices.join(', ')}, not "${variableText}".`)
  return matchingChoice
}

function readUrl(env: Env, variableName: string, protocols: string[]): URL | undefined {
  const variableText = readText(env, variableName)
  if (variableText === undefined) return undefined
  const url = URL.parse(variableText)
  if (!url || !protocols.includes(url.protocol)) {
    throw new SettingError(
      `${variableName} must be a URL starting with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}.`,
    )
  }
  return url
}

/**
 * Returns an HTTP URL; undefined if the variable is not set. Throws `SettingError` when the URL has a user name, a
 * path, a query or a fragment.
 */
function readOrigin(env: Env, variableName: string, example: string): URL | undefined {
  const url = readUrl(env, variableName, ['http:', 'https:'])
  if (url && url.href !== `${url.origin}/`)
    throw new SettingError(
      `${variableName} must be only a scheme, a host and a port, such as ${example}, without a path.`,
    )
  return url
}

/**
 * Returns an HTTP URL without a trailing slash, so that paths can be appended; undefined if the variable is not set.
 * Throws `SettingError` when the URL has a query or a fragment.
 */
function readBaseUrl(env: Env, variableName: string): string | undefined {
  const url = readUrl(env, variableName, ['http:', 'https:'])
  // Appended paths would become part of the query or the fragment.
  if (url && /[?#]/.test(url.href))
    throw new SettingError(`${variableName} must be a URL without a query and a fragment.`)
  return url?.href.replace(/\/+$/, '')
}

function readFfmpegPath(env: Env): string | undefined {
  const ffmpegPath = readText(env, 'FFMPEG_PATH')
  if (ffmpegPath !== undefined && ffmpegPath !== 'off' && !existsSync(ffmpegPath))
    throw new SettingError(`FFMPEG_PATH must be the path of ffmpeg, or off; "${ffmpegPath}" does not exist.`)
  return ffmpegPath
}

function readKeysSecret(env: Env): string | undefined {
  const variableText = readText(env, 'KEYS_SECRET')
  if (variableText !== undefined && variableText.length < 43)
    throw new SettingError(
      'KEYS_SECRET must be at least 43 random characters (32 bytes): openssl rand -base64 32.',
    )
  return variableText
}

function readPasswordHashCost(env: Env): Config['passwordHashCost'] {
  const passwordHashCost = readChoice(env, 'PASSWORD_HASH_COST', ['full', 'test'], 'full')
  if (passwordHashCost === 'test' && readText(env, 'NODE_ENV') === 'production')
    throw new SettingError('PASSWORD_HASH_COST=test is not allowed with NODE_ENV=production.')
  return passwordHashCost
}

/**
 * Returns the listed IP addresses and CIDR blocks. Throws `SettingError` for any other text, and for a prefix length
 * above the number of bits of its address.
 */
function readTrustedProxies(env: Env, variableName: string): string[] {
  const proxies = (readText(env, variableName) ?? '').split(/[\s,]+/).filter(Boolean)
  for (const proxy of proxies) {
    const [ip = '', prefixLength, ...extraParts] = proxy.split('/')
    const addressBits = isIP(ip) === 4 ? 32 : isIP(ip) === 6 ? 128 : -1
    const isValid =
      prefixLength === undefined
        ? addressBits > 0
        : /^\d{1,3}$/.test(prefixLength) && Number(prefixLength) <= addressBits
    if (!isValid || extraParts.length > 0)
      throw new SettingError(
        `${variableName} must list IP addresses or CIDR blocks such as 10.0.0.0/8, not "${proxy}".`,
      )
  }
  return proxies
}

/**
 * Returns the origins in a list. Throws `SettingError` for anything but a plain origin, because the origins are copied
 * into the Content-Security-Policy header.
 */
function readOrigins(env: Env, variableName: string): string[] {
  const origins = (readText(env, variableName) ?? '').split(/[\s,]+/).filter(Boolean)
  for (const origin of origins) {
    if (!/^https?:\/\/[^\s;,'"*]+$/.test(origin) || URL.parse(origin)?.origin !== origin) {
      throw new SettingError(
        `${variableName} must list origins such as https://home.example.org, not "${origin}".`,
      )
    }
  }
  return origins
}

function readCloudflareSettings(env: Env): Config['cloudflare'] {
  const zoneId = readText(env, 'CLOUDFLARE_ZONE_ID')
  const apiToken = readText(env, 'CLOUDFLARE_API_TOKEN')
  if (!zoneId && !apiToken) return undefined
  if (!zoneId || !apiToken) {
    throw new SettingError('CLOUDFLARE_ZONE_ID and CLOUDFLARE_API_TOKEN must be set together.')
  }
  const apiUrl = readBaseUrl(env, 'CLOUDFLARE_API_URL')
  return { zoneId, apiToken, apiUrl }
}
