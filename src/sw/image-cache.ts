/** Caches images while somebody is signed in, and serves them. */
import { IMAGE_CACHE } from '../lib/storage-keys.ts'
import { CACHE_MATCH_OPTIONS, cacheIfPossible } from './cache-access.ts'
import type { FetchEvent } from './worker-scope.ts'

const MAX_IMAGES = 500

/**
 * True for images that never change at their URL. The server omits `immutable` from drawn images that stand in for
 * another image, and from images of hidden titles.
 */
const isCacheableImage = ({ status, headers }: Response) =>
  status === 200 && headers.get('cache-control')?.includes('immutable') === true

/** True if the image cache exists. Pages create it while somebody is signed in (lib/client/stored-session.ts). */
export const isSignedIn = () => caches.has(IMAGE_CACHE)

async function openImageCache(): Promise<Cache | null> {
  return (await isSignedIn()) ? caches.open(IMAGE_CACHE) : null
}

/**
 * Serves an image from the cache if it is there, because a cached image never changes at its URL. Without a network,
 * serves another size of the image, or else an empty image.
 */
export async function serveImage(event: FetchEvent): Promise<Response> {
  const cache = await openImageCache()
  const { request } = event
  const cachedResponse = await cache?.match(request.url, CACHE_MATCH_OPTIONS)
  if (cachedResponse) return cachedResponse
  const response = await fetch(request).catch(() => null)
  if (!response) return (cache && (await matchOtherImageSize(cache, request.url))) ?? createEmptyImage()
  if (cache && isCacheableImage(response) && response.type === 'basic') {
    const responseCopy = response.clone()
    event.waitUntil(cacheIfPossible(cache, request.url, responseCopy).then(() => evictOldImages(cache)))
  }
  return response
}

/** Caches the images that a page has loaded before the worker was active. They usually come from the HTTP cache. */
export async function cacheImages(imageUrls: readonly string[]): Promise<void> {
  const cache = await openImageCache()
  if (!cache) return
  for (const imageUrl of imageUrls) {
    if (new URL(imageUrl).origin !== location.origin || (await cache.match(imageUrl, CACHE_MATCH_OPTIONS)))
      continue
    const response = await fetch(imageUrl).catch(() => null)
    if (response && isCacheableImage(response)) await cacheIfPossible(cache, imageUrl, response)
  }
  await evictOldImages(cache)
}

/** Finds another size of an image, for example `/images/w500/…` for `/images/w342/…`. */
async function matchOtherImageSize(cache: Cache, url: string): Promise<Response | undefined> {
  const getImageName = (imageUrl: string) => new URL(imageUrl).pathname.replace(/^\/images\/[^/]+/, '')
  const cachedRequest = (await cache.keys()).find(
    (request) => getImageName(request.url) === getImageName(url),
  )
  return cachedRequest && cache.match(cachedRequest, CACHE_MATCH_OPTIONS)
}

/** An empty image, which avoids the broken-image icon and keeps the reserved space. */
function createEmptyImage(): Response {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>'
  return new Response(svg, { headers: { 'Content-Type': 'image/svg+xml' } })
}

/** Deletes the images that were cached first, so that at most MAX_IMAGES remain. */
async function evictOldImages(cache: Cache): Promise<void> {
  const cachedRequests = await cache.keys()
  for (const cachedRequest of cachedRequests.slice(0, Math.max(0, cachedRequests.length - MAX_IMAGES)))
    await cache.delete(cachedRequest)
}
