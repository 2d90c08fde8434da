/** Opens the configured sources of streams: the media folder and the stream resolver of the operator. */
import { type Config, SettingError } from '../../core/config.ts'
import type { Log } from '../../core/log.ts'
import { createFfmpegFinder, type FfmpegFinder } from '../../providers/ffmpeg/ffmpeg-binary.ts'
import { type Library, openLibrary } from '../../providers/library/library.ts'
import { createUpstream, type Upstream } from '../../providers/upstream.ts'

export interface StreamSources {
  library: Library | null
  upstream: Upstream | null
  /** Finds the system's ffmpeg, which is optional. */
  ffmpeg: FfmpegFinder
}

/** Throws `SettingError` when `MEDIA_DIR` is not a readable folder. The folder is scanned later, by `library.start()`. */
export async function openStreamSources(config: Config, log: Log): Promise<StreamSources> {
  const { mediaDir, streamUpstreamUrl, streamMediaOrigins, ffmpegPath, programFolders } = config
  return {
    library: mediaDir ? await openFolder(mediaDir, log) : null,
    upstream: streamUpstreamUrl
      ? createUpstream({ base: streamUpstreamUrl, mediaOrigins: streamMediaOrigins })
      : null,
    ffmpeg: createFfmpegFinder(ffmpegPath, programFolders),
  }
}

async function openFolder(folder: string, log: Log): Promise<Library> {
  try {
    return await openLibrary(folder, {
      onEvent: (event, fields) => (event === 'library' ? log.info(event, fields) : log.warn(event, fields)),
    })
  } catch {
    throw new SettingError(`MEDIA_DIR must be a folder that can be read; "${folder}" is not.`)
  }
}
