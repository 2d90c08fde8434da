/** Whether a title can be played on this installation. */
import { DAY_MS } from '../../core/dates.ts'
import { selectFilesOfTitle } from '../../queries/library-file.ts'
import { selectItemsOfTitle } from '../../queries/media-server-item.ts'
import type { TitleRow } from '../../queries/title.ts'
import type { Deps } from '../deps.ts'
import { listItemEpisodeKeys } from '../media-servers/item-episodes.ts'

/** True when a media folder, a media server or a stream resolver is configured. Without one, availability is unknown. */
export const hasMediaSource = ({ streamSources }: Deps) =>
  streamSources.library !== null || streamSources.upstream !== null || streamSources.mediaServers.length > 0

/** True when the title plays a demo clip. Beside an own media source, only titles of the demo catalogue do. */
export const hasDemoClip = (deps: Deps, title: TitleRow) =>
  deps.config.demo && (title.source === 'demo' || !hasMediaSource(deps))

/** The resolver may have the title by then, so that an older negative reply is not trusted. */
const NEGATIVE_REPLY_LIFE_MS = DAY_MS
/** Returns the field `available` of a card; empty when it is unknown. */
export function describeAvailability(deps: Deps, title: TitleRow): { available?: boolean } {
  if (!hasMediaSource(deps)) return {}
  if (title.in_library === 1 || hasDemoClip(deps, title)) return { available: true }
  const { upstream } = deps.streamSources
  if (!upstream || title.imdb_id === null) return { available: false }
  if (title.resolver_found === 1) return { available: true }
  const isRecent = deps.now() - Number(title.resolver_asked_at ?? 0) < NEGATIVE_REPLY_LIFE_MS
  return title.resolver_found === 0 && isRecent ? { available: false } : {}
}

/**
 * Returns a function that returns the field `available` of an episode. A stream resolver is asked for an episode only when it
 * is played, so that an episode without a file is unknown beside one.
 */
export async function loadEpisodeAvailability(
  deps: Deps,
  title: TitleRow,
): Promise<(episode: { season_number: number; episode_number: number }) => { available?: boolean }> {
  if (!hasMediaSource(deps)) return () => ({})
  if (hasDemoClip(deps, title)) return () => ({ available: true })
  const files = await selectFilesOfTitle(deps.database.reader, title.title_id)
  const items = await selectItemsOfTitle(deps.database.reader, title.title_id)
  const episodeKeys = new Set([
    ...files.flatMap(({ season_number, episodes }) =>
      (JSON.parse(episodes) as number[]).map((number) => `${season_number}:${number}`),
    ),
    ...items.flatMap(listItemEpisodeKeys),
  ])
  const mayBeResolved = deps.streamSources.upstream !== null && title.imdb_id !== null
  return ({ season_number, episode_number }) => {
    if (episodeKeys.has(`${season_number}:${episode_number}`)) return { available: true }
    return mayBeResolved ? {} : { available: false }
  }
}
