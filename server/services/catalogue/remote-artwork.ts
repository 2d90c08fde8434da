/** Loads artwork of the metadata source through the cache of this server. */
import { join } from 'node:path'
import { toErrorFields } from '../../core/log.ts'
import { createArtworkCache } from '../../providers/artwork/artwork-cache.ts'
import {
  type ArtworkResult,
  type ArtworkSource,
  createArtworkSource,
} from '../../providers/artwork/artwork-source.ts'
import type { ImageFormat } from '../../providers/artwork/encode-image.ts'
import type { Deps } from '../deps.ts'
import { loadSettingValue } from '../operations/settings.ts'
import type { RemoteArt } from './artwork.ts'

/**
 * Longest time that a request waits for the image host. Browsers open only six connections to a server
 * without HTTP/2, so images of a slow host would delay all other requests of the page. After this time, the
 * image is still loaded and cached.
 */
const MAX_IMAGE_WAIT_MS = 3_000
/**
 * Folder of the cached images, below DATA_DIR. Operators can delete the folder at any time, because missing images are
 * fetched again.
 */
const IMAGE_FOLDER = 'images'
const sourcesByDeps = new WeakMap<Deps, { baseUrl: string; source: ArtworkSource }>()

/**
 * Returns the image. Returns `unavailable` if the settings select drawn artwork or the image host does not
 * send the image. Returns `busy` if the image takes too long.
 */
export async function loadRemoteArtwork(
  deps: Deps,
  { kind, imagePath, widthPixels, format }: RemoteArt & { widthPixels: number; format: ImageFormat },
): Promise<ArtworkResult> {
  if (deps.config.artworkSource !== 'tmdb') return 'unavailable'
  const imagePromise = findArtworkSource(deps).load({ kind, imagePath, widthPixels, format })
  let timer: NodeJS.Timeout | undefined
  const timeoutPromise = new Promise<'busy'>((resolve) => {
    timer = setTimeout(resolve, MAX_IMAGE_WAIT_MS, 'busy')
  })
  return Promise.race([imagePromise, timeoutPromise]).finally(() => clearTimeout(timer))
}

/** Returns the source of the configured host. The host can change while the server runs. */
function findArtworkSource(deps: Deps): ArtworkSource {
  const baseUrl = deps.config.tmdbImageUrl
  const cachedSource = sourcesByDeps.get(deps)
  if (cachedSource?.baseUrl === baseUrl) return cachedSource.source
  const cache = createArtworkCache({
    folder: join(deps.config.dataDir, IMAGE_FOLDER),
    loadMaxBytes: async () =>
      (await loadSettingValue(deps.database.reader, 'artwork_cache_megabytes')) * 1_000_000,
  })
  const onFailure = (error: unknown) => deps.log.warn('artwork', toErrorFields(error))
  const source = createArtworkSource({ baseUrl, cache, onFailure, now: deps.monotonicNow })
  sourcesByDeps.set(deps, { baseUrl, source })
  return source
}
