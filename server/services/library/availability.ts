/** Whether a title can be played on this installation. */
import { type TitleRow, updateResolverFound } from '../../queries/title.ts'
import type { Deps } from '../deps.ts'

/** True when a media folder or a stream resolver is configured. Without one, availability is unknown. */
export const hasMediaSource = ({ streamSources }: Deps) =>
  streamSources.library !== null || streamSources.upstream !== null

/** True when the title plays a demo clip. Beside an own media source, only titles of the demo catalogue do. */
export const hasDemoClip = (deps: Deps, title: TitleRow) =>
  deps.config.demo && (title.source === 'demo' || !hasMediaSource(deps))

/** Returns the field `available` of a card; empty when it is unknown. */
export function describeAvailability(deps: Deps, title: TitleRow): { available?: boolean } {
  if (!hasMediaSource(deps)) return {}
  if (title.in_library === 1 || hasDemoClip(deps, title)) return { available: true }
  const { upstream } = deps.streamSources
  if (!upstream || title.imdb_id === null) return { available: false }
  return title.resolver_found === null ? {} : { available: title.resolver_found === 1 }
}

/**
 * Remembers whether the stream resolver has a title. For a series, the reply is about one episode: a series of which it had
 * another episode stays available.
 */
export async function saveResolverReply(deps: Deps, title: TitleRow, isFound: boolean): Promise<void> {
  const isSameReply = title.resolver_found === Number(isFound)
  const isOtherEpisode = title.type === 'tv' && !isFound && title.resolver_found !== null
  if (isSameReply || isOtherEpisode) return
  await updateResolverFound(deps.database.primary, title.title_id, isFound)
}
