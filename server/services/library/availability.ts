/** Determines whether a title can be played on this installation. */
import type { EpisodeRef } from '../../../src/lib/rules/episode-order.ts'
import { DAY_MS, isOlderThan } from '../../core/dates.ts'
import { selectFilesOfTitles } from '../../queries/library-file.ts'
import { selectItemsOfTitles } from '../../queries/media-server-item.ts'
import { selectSourcesVersion } from '../../queries/sources-version.ts'
import type { TitleRow } from '../../queries/title.ts'
import type { Deps } from '../deps.ts'
import { listItemEpisodeKeys } from '../media-servers/item-episodes.ts'

/**
 * True when a media folder or a media server is configured. Their titles are known in advance; a stream resolver is
 * asked only when a title is played.
 */
export const hasMediaFolderOrServer = ({ streamSources }: Deps) =>
  streamSources.library !== null || streamSources.mediaServers.length > 0

/**
 * True when a media folder, a media server or a stream resolver is configured. Otherwise the availability of
 * titles is unknown.
 */
export const hasMediaSource = (deps: Deps) =>
  hasMediaFolderOrServer(deps) || deps.streamSources.upstream !== null

/**
 * Returns a version that changes whenever files or items of media servers change. The availability of episodes depends
 * on these files and items, but the version of the catalogue does not.
 */
export async function loadSourcesVersion(deps: Deps): Promise<string> {
  return hasMediaFolderOrServer(deps) ? selectSourcesVersion(deps.database.primary) : ''
}

/**
 * True when the title plays a demo clip. If a media source is configured, only titles of the demo catalogue
 * play demo clips.
 */
export const hasDemoClip = (deps: Deps, title: TitleRow) =>
  deps.config.isDemoEnabled && (title.source === 'demo' || !hasMediaSource(deps))

/**
 * Lifetime of a negative reply of the resolver. It is limited, because the resolver may get the title later.
 */
const NEGATIVE_REPLY_LIFETIME_MS = DAY_MS
/** Returns the field `available` of a card. Returns an empty object when the availability is unknown. */
export function describeAvailability(deps: Deps, title: TitleRow): { available?: boolean } {
  if (!hasMediaSource(deps)) return {}
  if (title.in_library === 1 || hasDemoClip(deps, title)) return { available: true }
  const { upstream } = deps.streamSources
  if (!upstream || title.imdb_id === null) return { available: false }
  if (title.resolver_found === 1) return { available: true }
  const isReplyRecent = !isOlderThan(
    Number(title.resolver_asked_at ?? 0),
    NEGATIVE_REPLY_LIFETIME_MS,
    deps.now(),
  )
  return title.resolver_found === 0 && isReplyRecent ? { available: false } : {}
}

/** Returns a function that returns the field `available` of an episode of the title. */
export async function loadEpisodeAvailability(
  deps: Deps,
  title: TitleRow,
): Promise<(episode: EpisodeRef) => { available?: boolean }> {
  const findAvailability = await loadEpisodeAvailabilityOfTitles(deps, [title])
  return (episode) => findAvailability(title, episode)
}

/**
 * Returns a function that returns the field `available` of an episode of these titles. A stream resolver is
 * asked for an episode only when the episode is played. If a resolver can be asked for a title, the availability of
 * its episodes that no file or media server contains is therefore unknown.
 */
export async function loadEpisodeAvailabilityOfTitles(
  deps: Deps,
  titles: readonly TitleRow[],
): Promise<(title: TitleRow, episode: EpisodeRef) => { available?: boolean }> {
  if (!hasMediaSource(deps)) return () => ({})
  const titleIds = titles.filter((title) => !hasDemoClip(deps, title)).map(({ title_id }) => title_id)
  const [libraryFiles, serverItems] = await Promise.all([
    selectFilesOfTitles(deps.database.reader, titleIds),
    selectItemsOfTitles(deps.database.reader, titleIds),
  ])
  const episodeKeys = new Set([
    ...libraryFiles.flatMap(({ title_id, season_number, episodes }) =>
      (JSON.parse(episodes) as number[]).map(
        (episodeNumber) => `${title_id} ${season_number}:${episodeNumber}`,
      ),
    ),
    ...serverItems.flatMap((serverItem) =>
      listItemEpisodeKeys(serverItem).map((episodeKey) => `${serverItem.title_id} ${episodeKey}`),
    ),
  ])
  return (title, { season_number, episode_number }) => {
    if (hasDemoClip(deps, title)) return { available: true }
    if (episodeKeys.has(`${title.title_id} ${season_number}:${episode_number}`)) return { available: true }
    const canBeResolved = deps.streamSources.upstream !== null && title.imdb_id !== null
    return canBeResolved ? {} : { available: false }
  }
}
