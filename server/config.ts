/** The only reader of the environment. A wrong setting stops the start with one sentence that names it. */
import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { loadEnvFile } from 'node:process'

export class SettingError extends Error {}

export interface Config {
  host: string
  port: number
  dataDir: string
  databaseUrl: string | undefined
  /** A follower of the database; catalogue reads may go there. */
  databaseReplicaUrl: string | undefined
  redisUrl: string | undefined
  /** Processes that serve on this machine. */
  workers: number
  /** What all keys are derived from, where several machines serve; else they are made once and kept in dataDir. */
  keysSecret: string | undefined
  publicUrl: URL
  siteName: string
  imageBaseUrl: string | undefined
  mediaDir: string | undefined
  streamUpstreamUrl: URL | undefined
  /** Origins beside the upstream's own that its media may be on. */
  streamMediaOrigins: string[]
  demo: boolean
  smtpUrl: string | undefined
  /** Sender of letters; `no-reply@` the host of PUBLIC_URL when it is not set. */
  smtpFrom: string | undefined
  cloudflare: { zoneId: string; apiToken: string; api?: string | undefined } | undefined
  tmdbApiToken: string | undefined
  metricsToken: string | undefined
  logLevel: 'silent' | 'error' | 'warn' | 'info' | 'debug'
  /** Addresses or CIDR blocks whose X-Forwarded-For is believed. */
  trustedProxies: string[]
  /** Origins whose pages may frame /watch/embed. */
  embedOrigins: string[]
}

type Env = Record<string, string | undefined>

/** Reads `.env` (if any) under the environment. */
export function loadConfig(): Config {
  if (existsSync('.env')) loadEnvFile('.env')
  return readConfig(process.env)
}

/** Throws `SettingError` naming the setting and what it takes. */
export function readConfig(env: Env): Config {
  const host = text(env, 'HOST') ?? '127.0.0.1'
  const port = number(env, 'PORT', 4321, 0, 65_535)
  const shown = host.includes(':') ? `[${host}]` : host === '0.0.0.0' ? 'localhost' : host
  return {
    host,
    port,
    dataDir: resolve(text(env, 'DATA_DIR') ?? 'data/local'),
    databaseUrl: address(env, 'DATABASE_URL', ['postgres:', 'postgresql:'])?.href,
    databaseReplicaUrl: address(env, 'DATABASE_REPLICA_URL', ['postgres:', 'postgresql:'])?.href,
    redisUrl: address(env, 'REDIS_URL', ['redis:', 'rediss:'])?.href,
    workers: number(env, 'WORKERS', 1, 1, 64),
    keysSecret: keysSecret(env),
    publicUrl: address(env, 'PUBLIC_URL', ['http:', 'https:']) ?? new URL(`http://${shown}:${port}`),
    siteName: text(env, 'SITE_NAME') ?? 'Marquee',
    imageBaseUrl: address(env, 'IMAGE_BASE_URL', ['http:', 'https:'])?.href.replace(/\/$/, ''),
    mediaDir: text(env, 'MEDIA_DIR'),
    streamUpstreamUrl: address(env, 'STREAM_UPSTREAM_URL', ['http:', 'https:']),
    streamMediaOrigins: origins(env, 'STREAM_MEDIA_ORIGINS'),
    demo: flag(env, 'DEMO', true),
    smtpUrl: address(env, 'SMTP_URL', ['smtp:', 'smtps:'])?.href,
    smtpFrom: text(env, 'SMTP_FROM'),
    cloudflare: cloudflare(env),
    tmdbApiToken: text(env, 'TMDB_API_TOKEN'),
    metricsToken: text(env, 'METRICS_TOKEN'),
    logLevel: choice(env, 'LOG_LEVEL', ['silent', 'error', 'warn', 'info', 'debug'], 'info'),
    trustedProxies: proxies(env, 'TRUSTED_PROXIES'),
    embedOrigins: origins(env, 'EMBED_ORIGINS'),
  }
}

function text(env: Env, name: string): string | undefined {
  return env[name]?.trim() || undefined
}

function number(env: Env, name: string, normal: number, min: number, max: number): number {
  const value = text(env, name)
  if (value === undefined) return normal
  const found = Number(value)
  if (!Number.isInteger(found) || found < min || found > max) {
    throw new SettingError(`${name} must be a whole number from ${min} to ${max}, not "${value}".`)
  }
  return found
}

function flag(env: Env, name: string, normal: boolean): boolean {
  const value = text(env, name)
  if (value === undefined) return normal
  if (value !== '0' && value !== '1') throw new SettingError(`${name} must be 0 or 1, not "${value}".`)
  return value === '1'
}

function choice<T extends string>(env: Env, name: string, choices: readonly T[], normal: T): T {
  const value = text(env, name)
  if (value === undefined) return normal
  const found = choices.find((one) => one === value)
  if (!found) throw new SettingError(`${name} must be one of ${choices.join(', ')}, not "${value}".`)
  return found
}

function address(env: Env, name: string, protocols: string[]): URL | undefined {
  const value = text(env, name)
  if (value === undefined) return undefined
  const url = URL.parse(value)
  if (!url || !protocols.includes(url.protocol)) {
    throw new SettingError(
      `${name} must be an address starting with ${protocols.map((p) => `${p}//`).join(' or ')}.`,
    )
  }
  return url
}

function keysSecret(env: Env): string | undefined {
  const value = text(env, 'KEYS_SECRET')
  if (value !== undefined && value.length < 43)
    throw new SettingError(
      'KEYS_SECRET must be at least 43 random characters (32 bytes): openssl rand -base64 32.',
    )
  return value
}

/** Addresses, or blocks of them with as many fixed bits as the address has at most. */
function proxies(env: Env, name: string): string[] {
  const found = (text(env, name) ?? '').split(/[\s,]+/).filter(Boolean)
  for (const one of found) {
    const [address = '', bits, ...more] = one.split('/')
    const most = isIP(address) === 4 ? 32 : isIP(address) === 6 ? 128 : -1
    const fits = bits === undefined ? most > 0 : /^\d{1,3}$/.test(bits) && Number(bits) <= most
    if (!fits || more.length > 0)
      throw new SettingError(`${name} must list addresses or blocks such as 10.0.0.0/8, not "${one}".`)
  }
  return found
}

/** Origins alone: a path, a wildcard or another header's text has no place in a Content-Security-Policy. */
function origins(env: Env, name: string): string[] {
  const found = (text(env, name) ?? '').split(/[\s,]+/).filter(Boolean)
  for (const one of found) {
    if (!/^https?:\/\/[^\s;,'"*]+$/.test(one) || URL.parse(one)?.origin !== one) {
      throw new SettingError(`${name} must list origins such as https://home.example.org, not "${one}".`)
    }
  }
  return found
}

function cloudflare(env: Env): Config['cloudflare'] {
  const zoneId = text(env, 'CLOUDFLARE_ZONE_ID')
  const apiToken = text(env, 'CLOUDFLARE_API_TOKEN')
  if (!zoneId && !apiToken) return undefined
  if (!zoneId || !apiToken) {
    throw new SettingError('CLOUDFLARE_ZONE_ID and CLOUDFLARE_API_TOKEN must be set together.')
  }
  const api = address(env, 'CLOUDFLARE_API_URL', ['http:', 'https:'])?.href.replace(/\/$/, '')
  return { zoneId, apiToken, api }
}
