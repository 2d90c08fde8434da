/**
 * Response cache for responses that are equal for all callers with the same audience and language. All processes share
 * the cache when Redis is configured. The caller is authenticated against the primary database before every lookup.
 */

import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getOverviewLanguage, getTitleLanguage, getViewerDate, type Viewer } from '../services/auth/caller.ts'
import type { Deps } from '../services/deps.ts'
import type { Route } from './route.ts'

/**
 * Hash of the source code. The cache key contains it, because another server version may format responses differently.
 */
let sourceCodeHash: string | undefined
const pendingTextsByDeps = new WeakMap<Deps, Map<string, Promise<string>>>()

function hashSourceCode(): string {
  const projectRoot = join(import.meta.dirname, '..', '..')
  const hash = createHash('sha256')
  for (const file of globSync(['server/**/*.ts', 'src/lib/**/*.ts'], { cwd: projectRoot }).sort())
    hash.update(readFileSync(join(projectRoot, file)))
  return hash.digest('base64url').slice(0, 12)
}

interface SharedResponseRequest {
  route: Route
  caller: Viewer
  params: unknown
  query: unknown
  version: string
}

/**
 * Returns the JSON of the response. When the response is not cached, `buildResponse` runs once for all concurrent
 * callers of this process.
 */
export async function getSharedResponse(
  deps: Deps,
  sharedRequest: SharedResponseRequest,
  buildResponse: () => Promise<string>,
): Promise<string> {
  const cacheKey = createCacheKey(deps, sharedRequest)
  const cachedText = await deps.cache.get(cacheKey)
  if (cachedText !== undefined) return cachedText
  const pendingTexts = pendingTextsByDeps.get(deps) ?? new Map<string, Promise<string>>()
  pendingTextsByDeps.set(deps, pendingTexts)
  const pendingText =
    pendingTexts.get(cacheKey) ??
    buildResponse()
      .then((text) => {
        deps.cache.set(cacheKey, text, sharedRequest.route.cacheMs ?? 0)
        return text
      })
      .finally(() => pendingTexts.delete(cacheKey))
  pendingTexts.set(cacheKey, pendingText)
  return pendingText
}

/**
 * Returns the cache key, which contains everything that the response depends on. The date of the viewer is a part of
 * the key, because ages and the list of aired episodes change daily.
 */
function createCacheKey(
  deps: Deps,
  { route, caller, params, query, version }: SharedResponseRequest,
): string {
  const { method, base, path } = route.endpoint
  const { audience, catalogueVersion } = caller
  sourceCodeHash ??= hashSourceCode()
  const keyParts = [
    sourceCodeHash,
    catalogueVersion,
    getViewerDate(caller, deps.now()),
    `${method} ${base}${path}`,
    audience.key,
    getTitleLanguage(caller),
    getOverviewLanguage(caller),
    params,
    query,
    version,
    deps.streamSources.library !== null,
    deps.streamSources.upstream !== null,
    deps.streamSources.mediaServers.length > 0,
    deps.config.artworkSource,
  ]
  return createHash('sha256').update(JSON.stringify(keyParts)).digest('base64url')
}
