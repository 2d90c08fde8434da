/** What the player needs before its first picture, in one answer (decision 0019). */
import type { WatchStart, WatchWanted } from '../../src/lib/contract/watch.ts'
import type { Deps } from '../deps.ts'
import type { Viewer } from '../http/caller.ts'
import { details, episodes, idOf } from './catalogue.ts'
import { history } from './history.ts'
import { lookupHere } from './stream.ts'

/** Undefined where no profile acts. Throws what the calls of its parts throw: 404 and 429. */
export async function watchStart(
  deps: Deps,
  caller: Viewer,
  { type, slug, season, episode }: WatchWanted,
): Promise<WatchStart | undefined> {
  const { acting } = caller
  if (!acting) return undefined
  const by = { deps, caller: { ...caller, profile: { ...acting, enterable: true } } }
  const media = await details(deps, caller, type, { slug })
  const list = media.seasons?.find((one) => one.season_number === season)
  const place = type === 'tv' ? { season: season ?? 0, episode: episode ?? 0 } : {}
  const [past, stream, all] = await Promise.all([
    history(by, { type, mediaId: media.id }),
    media.imdb_id
      ? lookupHere(deps, caller, { type, imdbId: media.imdb_id, quality: 'auto', ...place })
      : null,
    list && episodes(deps, caller, idOf(list.id)),
  ])
  const { profile_id } = acting
  return { profile_id, media, history: past, ...(all && { episodes: all }), ...(stream && { stream }) }
}
