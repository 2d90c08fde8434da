/**
 * Copies settings that replace environment variables to the configuration of this process. A change applies
 * immediately in this process, and in other processes when they receive the event. Environment variables take
 * precedence.
 */
import type { Config } from '../../core/config.ts'
import { toErrorFields } from '../../core/log.ts'
import { createFfmpegFinder } from '../../providers/ffmpeg/ffmpeg-binary.ts'
import { selectSettings } from '../../queries/setting.ts'
import type { Deps } from '../deps.ts'
import {
  MEDIA_SERVERS_KEY,
  openMediaServers,
  parseStoredMediaServers,
} from '../media-servers/stored-media-servers.ts'
import { openResolvers } from '../playback/stream-sources.ts'
import { SETTINGS, type SettingDefinition } from './setting-definitions.ts'
import { getCurrentValue } from './setting-values.ts'
import { parseStoredResolvers, RESOLVERS_KEY } from './stored-resolvers.ts'

interface ConfigField {
  read: (config: Config) => string
  write: (config: Config, value: string) => void
}

/** Configuration fields by the key of their setting. */
const CONFIG_FIELDS = {
  artwork_source: {
    read: (config) => config.artworkSource,
    write: (config, value) => {
      config.artworkSource = value as Config['artworkSource']
    },
  },
  tmdb_api_token: {
    read: (config) => config.tmdbApiToken ?? '',
    write: (config, value) => {
      config.tmdbApiToken = value || undefined
    },
  },
  tmdb_api_url: {
    read: (config) => config.tmdbApiUrl,
    write: (config, value) => {
      config.tmdbApiUrl = value.replace(/\/+$/, '')
    },
  },
  tmdb_image_url: {
    read: (config) => config.tmdbImageUrl,
    write: (config, value) => {
      config.tmdbImageUrl = value.replace(/\/+$/, '')
    },
  },
  ffmpeg_path: {
    read: (config) => config.ffmpegPath ?? 'auto',
    write: (config, value) => {
      config.ffmpegPath = value === 'auto' ? undefined : value
    },
  },
  smtp_url: {
    read: (config) => config.smtpUrl ?? '',
    write: (config, value) => {
      config.smtpUrl = value || undefined
    },
  },
  smtp_from: {
    read: (config) => config.smtpFrom ?? '',
    write: (config, value) => {
      config.smtpFrom = value || undefined
    },
  },
} satisfies Partial<Record<keyof typeof SETTINGS, ConfigField>>

/** Returns the name of the environment variable that prevents changes of a setting; null if there is none. */
export function findSettingVariable(
  config: Config,
  { variable, clearsVariable }: SettingDefinition,
): string | null {
  return (
    [variable, clearsVariable].find((name) => name !== undefined && config.variableNames.has(name)) ?? null
  )
}

/**
 * Returns the value that the configuration has for a setting; undefined for settings outside CONFIG_FIELDS.
 */
export function readConfigValue(config: Config, key: string): string | undefined {
  return Object.hasOwn(CONFIG_FIELDS, key)
    ? CONFIG_FIELDS[key as keyof typeof CONFIG_FIELDS].read(config)
    : undefined
}

/** Copies the stored settings to the configuration of this process. Environment variables take precedence. */
export async function applyStoredConfiguration(deps: Deps): Promise<void> {
  const { config, database, keys, streamSources } = deps
  const rows = new Map((await selectSettings(database.primary)).map((row) => [row.key, row]))
  const { ffmpegPath } = config
  for (const [key, field] of Object.entries(CONFIG_FIELDS)) {
    const definition: SettingDefinition = SETTINGS[key as keyof typeof CONFIG_FIELDS]
    if (definition.variable && config.variableNames.has(definition.variable)) continue
    field.write(config, String(getCurrentValue(definition, rows.get(key), keys)))
  }
  applyStoredResolvers(deps, rows.get(RESOLVERS_KEY)?.value)
  applyStoredMediaServers(deps, rows.get(MEDIA_SERVERS_KEY)?.value)
  if (config.ffmpegPath !== ffmpegPath)
    streamSources.ffmpeg = createFfmpegFinder(config.ffmpegPath, config.programFolders)
}

const appliedResolvers = new WeakMap<Deps, string>()

/**
 * Opens the stored resolvers again if they have changed. The resolvers then lose their records of failures.
 */
function applyStoredResolvers(deps: Deps, storedText: string | undefined): void {
  if ((appliedResolvers.get(deps) ?? '') === (storedText ?? '')) return
  appliedResolvers.set(deps, storedText ?? '')
  deps.streamSources.upstream = openResolvers(
    deps.config,
    parseStoredResolvers(deps.keys, storedText),
    deps.log,
  )
}

const appliedMediaServers = new WeakMap<Deps, string>()

/** Opens the stored media servers again if they have changed. */
function applyStoredMediaServers(deps: Deps, storedText: string | undefined): void {
  if ((appliedMediaServers.get(deps) ?? '') === (storedText ?? '')) return
  appliedMediaServers.set(deps, storedText ?? '')
  deps.streamSources.mediaServers = openMediaServers(parseStoredMediaServers(deps.keys, storedText))
}

/** Applies the stored settings when another process publishes a change, or when events may have been lost. */
export function watchStoredConfiguration(deps: Deps): void {
  const apply = () =>
    void applyStoredConfiguration(deps).catch((error: unknown) =>
      deps.log.warn('settings', toErrorFields(error)),
    )
  deps.bus.subscribe('settings', apply)
  deps.bus.onGap(apply)
}
