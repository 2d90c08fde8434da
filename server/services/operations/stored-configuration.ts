/**
 * Copies the settings that have an environment variable to the configuration of this process. A change applies
 * immediately in this process, and in other processes when they receive the `settings` event. A variable that is set
 * takes precedence over its setting.
 */
import type { Config } from '../../core/config.ts'
import { toErrorFields } from '../../core/log.ts'
import { createFfmpegFinder } from '../../providers/ffmpeg/ffmpeg-binary.ts'
import { selectSettings } from '../../queries/setting.ts'
import type { Deps } from '../deps.ts'
import {
  createMediaServerClients,
  MEDIA_SERVERS_KEY,
  parseStoredMediaServers,
} from '../media-servers/stored-media-servers.ts'
import { openResolvers } from '../playback/stream-sources.ts'
import { SETTING_DEFINITIONS, type SettingDefinition } from './setting-definitions.ts'
import { getCurrentSettingValue } from './setting-values.ts'
import { parseStoredResolvers, RESOLVERS_KEY } from './stored-resolvers.ts'

interface ConfigField {
  readValue: (config: Config) => string
  writeValue: (config: Config, value: string) => void
}

/** Functions that read and write the configuration field of a setting, by the key of the setting. */
const CONFIG_FIELDS = {
  artwork_source: {
    readValue: (config) => config.artworkSource,
    writeValue: (config, value) => {
      config.artworkSource = value as Config['artworkSource']
    },
  },
  tmdb_api_token: {
    readValue: (config) => config.tmdbApiToken ?? '',
    writeValue: (config, value) => {
      config.tmdbApiToken = value || undefined
    },
  },
  tmdb_api_url: {
    readValue: (config) => config.tmdbApiUrl,
    writeValue: (config, value) => {
      config.tmdbApiUrl = value.replace(/\/+$/, '')
    },
  },
  tmdb_image_url: {
    readValue: (config) => config.tmdbImageUrl,
    writeValue: (config, value) => {
      config.tmdbImageUrl = value.replace(/\/+$/, '')
    },
  },
  ffmpeg_path: {
    readValue: (config) => config.ffmpegPath ?? 'auto',
    writeValue: (config, value) => {
      config.ffmpegPath = value === 'auto' ? undefined : value
    },
  },
  smtp_url: {
    readValue: (config) => config.smtpUrl ?? '',
    writeValue: (config, value) => {
      config.smtpUrl = value || undefined
    },
  },
  smtp_from: {
    readValue: (config) => config.smtpFrom ?? '',
    writeValue: (config, value) => {
      config.smtpFrom = value || undefined
    },
  },
} satisfies Partial<Record<keyof typeof SETTING_DEFINITIONS, ConfigField>>

/** Returns the name of the environment variable that prevents changes of a setting; null if there is none. */
export function findSettingVariable(
  config: Config,
  { variable, clearedSecretVariable }: SettingDefinition,
): string | null {
  return (
    [variable, clearedSecretVariable].find((name) => name !== undefined && config.variableNames.has(name)) ??
    null
  )
}

/**
 * Returns the value that the configuration has for a setting; undefined for settings outside CONFIG_FIELDS.
 */
export function readConfigValue(config: Config, key: string): string | undefined {
  return Object.hasOwn(CONFIG_FIELDS, key)
    ? CONFIG_FIELDS[key as keyof typeof CONFIG_FIELDS].readValue(config)
    : undefined
}

/**
 * Applies the stored settings, stream resolvers and media servers to this process. Environment variables take
 * precedence over settings.
 */
export async function applyStoredConfiguration(deps: Deps): Promise<void> {
  const { config, database, keys, streamSources } = deps
  const rowsByKey = new Map((await selectSettings(database.primary)).map((row) => [row.key, row]))
  const previousFfmpegPath = config.ffmpegPath
  for (const [settingKey, field] of Object.entries(CONFIG_FIELDS)) {
    const definition: SettingDefinition = SETTING_DEFINITIONS[settingKey as keyof typeof CONFIG_FIELDS]
    if (definition.variable && config.variableNames.has(definition.variable)) continue
    field.writeValue(config, String(getCurrentSettingValue(definition, rowsByKey.get(settingKey), keys)))
  }
  applyStoredResolvers(deps, rowsByKey.get(RESOLVERS_KEY)?.value)
  applyStoredMediaServers(deps, rowsByKey.get(MEDIA_SERVERS_KEY)?.value)
  if (config.ffmpegPath !== previousFfmpegPath)
    streamSources.ffmpeg = createFfmpegFinder(config.ffmpegPath, config.programFolders)
}

const appliedResolversByDeps = new WeakMap<Deps, string>()

/**
 * Opens the stored resolvers again if they have changed. The resolvers then lose their records of failures.
 */
function applyStoredResolvers(deps: Deps, storedText: string | undefined): void {
  if ((appliedResolversByDeps.get(deps) ?? '') === (storedText ?? '')) return
  appliedResolversByDeps.set(deps, storedText ?? '')
  deps.streamSources.upstream = openResolvers(
    deps.config,
    parseStoredResolvers(deps.keys, storedText),
    deps.log,
  )
}

const appliedMediaServersByDeps = new WeakMap<Deps, string>()

/** Opens the stored media servers again if they have changed. */
function applyStoredMediaServers(deps: Deps, storedText: string | undefined): void {
  if ((appliedMediaServersByDeps.get(deps) ?? '') === (storedText ?? '')) return
  appliedMediaServersByDeps.set(deps, storedText ?? '')
  deps.streamSources.mediaServers = createMediaServerClients(parseStoredMediaServers(deps.keys, storedText))
}

/** Applies the stored settings when another process publishes a change, or when events may have been lost. */
export function watchStoredConfiguration(deps: Deps): void {
  const applyConfiguration = () =>
    void applyStoredConfiguration(deps).catch((error: unknown) =>
      deps.log.warn('settings', toErrorFields(error)),
    )
  deps.bus.subscribe('settings', applyConfiguration)
  deps.bus.onGap(applyConfiguration)
}
