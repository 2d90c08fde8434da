/** What the player needs before its first picture, in one answer, and the picture's bytes (decision 0019). */
import type { WatchStart, WatchWanted } from '../../src/lib/contract/playback.ts'
import { isHls, type Surroundings, sourceOrder } from '../../src/lib/rules/player-quality.ts'
import type { Deps } from '../deps.ts'
import type { Viewer } from '../http/caller.ts'
import { details, episodes, idOf } from './catalogue.ts'
import { history } from './history.ts'
import { lookupHere } from './stream.ts'
import { refuseHaste } from './stream-rate.ts'

/** Undefined where no profile acts. Throws what the calls of its parts throw: 404 and 429. */
export async function watchStart(
  deps: Deps,
  caller: Viewer,
  wanted: WatchWanted,
): Promise<WatchStart | undefined> {
  refuseHaste(deps, caller.account.account_id)
  return partsOf(deps, caller, wanted)
}

async function partsOf(
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

/** What every browser plays; of anything else only the browser itself knows. */
const isPlain = (type: string) => type === 'video/mp4' || type === 'video/webm'

/** Whether the player goes on from a place of the title, or of the episode: layouts/early-picture.js has the same rule. */
function hasPlace({ history: { latest, episodes: seen } }: WatchStart, wanted: WatchWanted): boolean {
  const here = seen.find((one) => one.season === wanted.season && one.episode === wanted.episode)
  const last = wanted.type === 'tv' ? here : latest
  return !!last && !last.finished && last.progress >= 5
}

/**
 * The address that the player will choose, or null where it has to see for itself: another profile, a place to go on from,
 * a title that may not play, a stream that adapts, an outside resolver. Throws what `watchStart` throws.
 *
 * Some browsers ask for later ranges by this address again (`goesOn`): by then there is a place, and they ask often.
 */
export async function watchBegin(
  deps: Deps,
  caller: Viewer,
  { profile, ...wanted }: WatchWanted & { profile: string },
  { goesOn, ...around }: Omit<Surroundings, 'canPlay'> & { goesOn: boolean },
): Promise<string | null> {
  if (caller.acting?.profile_id !== profile) return null
  if (!goesOn) refuseHaste(deps, caller.account.account_id)
  const start = await partsOf(deps, caller, wanted)
  if (!start || (hasPlace(start, wanted) && !goesOn)) return null
  const isHere = (one: { episode_number: number }) => one.episode_number === wanted.episode
  if (wanted.type === 'tv' && !start.episodes?.results.find(isHere)?.released) return null
  const sources = start.stream?.sources ?? []
  if (sources.some((one) => isHls(one.mime_type))) return null
  const [first] = sourceOrder(sources, caller.account.media_quality, { ...around, canPlay: isPlain })
  return first && isPlain(first.mime_type) ? first.url : null
}
