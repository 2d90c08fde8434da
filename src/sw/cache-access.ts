/** Options of lookups in the caches: the header `Vary` of a cached response is ignored. */
export const CACHE_MATCH_OPTIONS = { ignoreVary: true }

/** Caches a response. If the storage of the device is full, does nothing: the response is then used without a cache. */
export const cacheIfPossible = (cache: Cache, cacheKey: string, response: Response): Promise<void> =>
  cache.put(cacheKey, response).catch(() => {})
