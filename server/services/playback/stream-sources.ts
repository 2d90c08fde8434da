/**
 * Opens the media folder and the stream resolvers of the operator. Media servers are added with the stored
 * configuration (stored-configuration.ts).
 */
import { type Config, SettingError } from '../../core/config.ts'
import { type Log, toErrorFields } from '../../core/log.ts'
import type { Database, Db } from '../../db/database.ts'
import { createFfmpegFinder, type FfmpegFinder } from '../../providers/ffmpeg/ffmpeg-binary.ts'
import { createAwaitedLibrary } from '../../providers/library/awaited-library.ts'
import { type Library, openLibrary } from '../../providers/library/library.ts'
import { createResolverChain, type ResolverChain } from '../../providers/resolver-chain.ts'
import { createUpstream } from '../../providers/upstream.ts'
import { hasLibraryFiles } from '../../queries/library-file.ts'
import type { MediaServerWithClient } from '../media-servers/stored-media-servers.ts'

export interface StreamSources {
  library: Library | null
  /** The stream resolvers in the order in which they are asked; null when none is configured. */
  upstream: ResolverChain | null
  /** Jellyfin and Plex servers in the order in which they are asked. */
  mediaServers: readonly MediaServerWithClient[]
  /** Finds the system's ffmpeg, which is optional. */
  ffmpeg: FfmpegFinder
}

/**
 * Opens the sources that the environment configures. `library.start()` scans the media folder later. Throws
 * `SettingError` when `MEDIA_DIR` is not a readable folder, unless the database contains files of a media folder. In
 * that case, the folder was readable before. The server then starts, and opens the folder when it can be read again.
 */
export async function openStreamSources(
  config: Config,
  log: Log,
  { primary }: Pick<Database, 'primary'>,
): Promise<StreamSources> {
  const { mediaDir, ffmpegPath, programFolders } = config
  return {
    library: mediaDir ? await openFolder(mediaDir, log, primary) : null,
    upstream: openResolvers(config, [], log),
    mediaServers: [],
    ffmpeg: createFfmpegFinder(ffmpegPath, programFolders),
  }
}

/** Id of the resolver that STREAM_UPSTREAM_URL configures. */
export const ENVIRONMENT_RESOLVER_ID = 'environment'

export interface ResolverAddress {
  id: string
  /** URL of the resolver. It may contain a user name and a password. */
  address: string
  mediaOrigins: string[]
  allowsPublicHosts: boolean
}

/**
 * Returns the resolver of STREAM_UPSTREAM_URL, followed by the given resolvers in order; null when there is
 * none.
 */
export function openResolvers(
  { streamUpstreamUrl, streamMediaOrigins }: Config,
  addresses: readonly ResolverAddress[],
  log: Log,
): ResolverChain | null {
  const resolvers = addresses.map((resolver) => ({
    id: resolver.id,
    upstream: createUpstream({ ...resolver, baseUrl: new URL(resolver.address) }),
  }))
  if (streamUpstreamUrl)
    resolvers.unshift({
      id: ENVIRONMENT_RESOLVER_ID,
      upstream: createUpstream({ baseUrl: streamUpstreamUrl, mediaOrigins: streamMediaOrigins }),
    })
  if (resolvers.length === 0) return null
  return createResolverChain(resolvers, (error) => log.warn('upstream', toErrorFields(error)))
}

async function openFolder(folderPath: string, log: Log, db: Db): Promise<Library> {
  const open = () =>
    openLibrary(folderPath, {
      onEvent: (event, fields) => (event === 'library' ? log.info(event, fields) : log.warn(event, fields)),
    })
  try {
    return await open()
  } catch (error) {
    if (!(await hasLibraryFiles(db)))
      throw new SettingError(`MEDIA_DIR must be a folder that can be read; "${folderPath}" is not.`)
    log.warn('library-away', { folder: folderPath, ...toErrorFields(error) })
    return createAwaitedLibrary(open, { onOpen: () => log.info('library-back', { folder: folderPath }) })
  }
}
