/**
 * Artwork of one image host: fetched, resized, encoded and cached. The URL of an image consists of the configured URL
 * of the host and the path that the metadata source states. The path is checked before it is used.
 */
import { createHash } from 'node:crypto'
import { createUpstream, readUpstreamBody, type Upstream, UpstreamError } from '../upstream.ts'
import type { ResolveHost } from '../upstream-guard.ts'
import type { ArtworkCache } from './artwork-cache.ts'
import { encodeImage, type ImageFormat } from './encode-image.ts'
import { createTaskLimit, TaskLimitError } from './task-limit.ts'

/**
 * The widths in which images are cached: those that the site uses (src/lib/images.ts). Other widths are rounded up to
 * the next of these, so that the cache stays small.
 */
const CACHED_WIDTHS_PIXELS = [185, 342, 500, 780, 1280] as const
/**
 * Sizes that TMDB offers for each kind of image (https://developer.themoviedb.org/docs/image-basics). For a requested
 * width of at most `maxWidth` pixels, the size `name` is fetched.
 */
const SOURCE_SIZES_BY_KIND: Record<RemoteImageKind, [maxWidth: number, name: string][]> = {
  poster: [
    [185, 'w185'],
    [342, 'w342'],
    [500, 'w500'],
    [1280, 'w780'],
  ],
  backdrop: [
    [185, 'w300'],
    [780, 'w780'],
    [1280, 'w1280'],
  ],
  still: [
    [185, 'w185'],
    [342, 'w300'],
    [1280, 'original'],
  ],
  profile: [
    [185, 'w185'],
    [1280, 'h632'],
  ],
}
const findSourceSize = (kind: RemoteImageKind, widthPixels: number) =>
  SOURCE_SIZES_BY_KIND[kind].find(([maxWidth]) => widthPixels <= maxWidth)?.[1] ?? 'original'
const IMAGE_PATH_PATTERN = /^\/[A-Za-z0-9_-]{1,80}\.(?:jpg|jpeg|png|webp)$/

const MAX_IMAGE_BYTES = 10 * 1024 * 1024
const FETCH_TIMEOUT_MS = 15_000
const IMAGE_FAILURE_PAUSE_MS = 10 * 60_000
/**
 * After the host has responded that it does not have an image, the image is not requested again for this time. Such an
 * image hardly ever appears later under the same name.
 */
const MISSING_IMAGE_PAUSE_MS = 24 * 3_600_000
const MAX_REMEMBERED_FAILURES = 5_000
/**
 * After this many failures in a row, no image is fetched for HOST_PAUSE_MS, so that no page waits for a host
 * that is down.
 */
const MAX_HOST_FAILURES = 6
const HOST_PAUSE_MS = 30_000
const runWithFetchLimit = createTaskLimit(8, 300)
const runWithEncodingLimit = createTaskLimit(2, 300)

export type RemoteImageKind = 'poster' | 'backdrop' | 'still' | 'profile'
interface ImageRequest {
  kind: RemoteImageKind
  /** Path at the image host, such as `/kqjL17yufvn9OVLyXYpvtyrFfak.jpg`. */
  imagePath: string
  widthPixels: number
  format: ImageFormat
}

export interface RemoteArtwork {
  bytes: Buffer
  format: ImageFormat
  etag: string
}
/**
 * `unavailable`: the image cannot be fetched for a while. `busy`: too many images are requested now, so the caller can
 * try again soon.
 */
export type ArtworkResult = RemoteArtwork | 'unavailable' | 'busy'

export interface ArtworkSource {
  load: (request: ImageRequest) => Promise<ArtworkResult>
}

/** True for the path of one image, without folders, query or encoded characters. */
export const isImagePath = (imagePath: string) => IMAGE_PATH_PATTERN.test(imagePath)

/** Returns the smallest width in CACHED_WIDTHS_PIXELS that is at least `widthPixels`, otherwise the largest one. */
const roundUpWidth = (widthPixels: number) =>
  CACHED_WIDTHS_PIXELS.find((width) => width >= widthPixels) ??
  CACHED_WIDTHS_PIXELS[CACHED_WIDTHS_PIXELS.length - 1] ??
  1280

interface ArtworkSourceOptions {
  /** URL of the image host, without a trailing slash. */
  baseUrl: string
  cache: ArtworkCache
  onFailure: (error: unknown) => void
  /** Returns the current time in milliseconds; used for the pauses after failures. */
  now?: () => number
  resolve?: ResolveHost
}

export function createArtworkSource({
  baseUrl,
  cache,
  onFailure,
  now = () => performance.now(),
  resolve,
}: ArtworkSourceOptions): ArtworkSource {
  const parsedBaseUrl = new URL(baseUrl)
  const upstream = createUpstream({
    baseUrl: parsedBaseUrl,
    mediaOrigins: [],
    now,
    ...(resolve && { resolve }),
  })
  const failures = createFailureMemory(now)
  const activeLoadsByFileName = new Map<string, Promise<ArtworkResult>>()

  async function fetchAndEncode(request: ImageRequest, fileName: string): Promise<ArtworkResult> {
    const { kind, imagePath, widthPixels, format } = request
    if (failures.isPaused(imagePath)) return 'unavailable'
    try {
      const url = `${baseUrl}/${findSourceSize(kind, widthPixels)}${imagePath}`
      const sourceBytes = await runWithFetchLimit(() => fetchImage(upstream, url))
      failures.recordSuccess()
      const encodedBytes =
        sourceBytes && (await runWithEncodingLimit(() => encodeImage(sourceBytes, widthPixels, format)))
      if (!encodedBytes) {
        failures.recordMissingImage(imagePath)
        return 'unavailable'
      }
      await cache.write(fileName, encodedBytes)
      return createRemoteArtwork(encodedBytes, fileName, format)
    } catch (error) {
      if (error instanceof TaskLimitError) return 'busy'
      if (failures.recordFailure(imagePath, error instanceof UpstreamError)) onFailure(error)
      return 'unavailable'
    }
  }

  return {
    async load(request) {
      const { kind, imagePath, format } = request
      if (!isImagePath(imagePath)) return 'unavailable'
      const widthPixels = roundUpWidth(request.widthPixels)
      const cacheKeySource = [baseUrl, findSourceSize(kind, widthPixels), imagePath, widthPixels].join(' ')
      const fileName = `${createHash('sha256').update(cacheKeySource).digest('hex').slice(0, 40)}.${format}`
      const cachedBytes = await cache.read(fileName)
      if (cachedBytes) return createRemoteArtwork(cachedBytes, fileName, format)
      const activeLoad = activeLoadsByFileName.get(fileName)
      if (activeLoad) return activeLoad
      const loadPromise = fetchAndEncode({ ...request, widthPixels }, fileName).finally(() =>
        activeLoadsByFileName.delete(fileName),
      )
      activeLoadsByFileName.set(fileName, loadPromise)
      return loadPromise
    },
  }
}

const createRemoteArtwork = (bytes: Buffer, fileName: string, format: ImageFormat): RemoteArtwork => ({
  bytes,
  format,
  etag: `"${fileName.replace('.', '-')}"`,
})

/** Returns the bytes of an image; null when the host does not have the image. Throws `UpstreamError`. */
async function fetchImage(upstream: Upstream, url: string): Promise<Buffer | null> {
  const { response } = await upstream.fetchMedia(url, { Accept: 'image/jpeg, image/png, image/webp' })
  try {
    if (response.statusCode === 404 || response.statusCode === 410) return null
    if (response.statusCode !== 200)
      throw new UpstreamError(`image host responded with status ${response.statusCode}`)
    return await readUpstreamBody(response, MAX_IMAGE_BYTES, FETCH_TIMEOUT_MS)
  } finally {
    response.destroy()
  }
}

/** Records which images failed recently, and how many requests to the host failed in succession. */
function createFailureMemory(now: () => number) {
  const pausedUntilMsByPath = new Map<string, number>()
  let hostFailureCount = 0
  let hostPausedUntilMs = 0
  const pauseFetchesOfImage = (imagePath: string, durationMs: number) => {
    pausedUntilMsByPath.delete(imagePath)
    pausedUntilMsByPath.set(imagePath, now() + durationMs)
    if (pausedUntilMsByPath.size > MAX_REMEMBERED_FAILURES)
      pausedUntilMsByPath.delete(pausedUntilMsByPath.keys().next().value ?? '')
  }
  return {
    isPaused: (imagePath: string) =>
      now() < hostPausedUntilMs || now() < (pausedUntilMsByPath.get(imagePath) ?? 0),
    recordSuccess: () => {
      hostFailureCount = 0
    },
    recordMissingImage: (imagePath: string) => pauseFetchesOfImage(imagePath, MISSING_IMAGE_PAUSE_MS),
    /**
     * Records a failure. Returns true when the failure must be logged: the image could not be encoded, or this is the
     * first failure of the host since its last success.
     */
    recordFailure(imagePath: string, isHostFailure: boolean): boolean {
      pauseFetchesOfImage(imagePath, IMAGE_FAILURE_PAUSE_MS)
      if (!isHostFailure) return true
      hostFailureCount += 1
      if (hostFailureCount >= MAX_HOST_FAILURES) hostPausedUntilMs = now() + HOST_PAUSE_MS
      return hostFailureCount === 1
    },
  }
}
