/** Search without a network: finds titles and people in the cached replies of a profile. */
import { listCachedReplies } from '../client/read-cache.ts'
import type { ReplyOf } from '../contract/endpoint.ts'
import type { MediaCard, MediaDetails } from '../contract/media.ts'
import type * as calls from '../contract/search.ts'
import { foldSearchText } from '../rules/fold-search-text.ts'
import { isGuideWithinLimits, packGuide, packGuideLimits, parseGuideFilter } from '../rules/maturity.ts'

export type SearchReply = ReplyOf<typeof calls.searchCatalogue>
type CachedSearchHit = SearchReply['results'][number]
/** A card from a cached reply. It has a parental guide only if the reply contained the details of the title. */
type CachedCard = MediaCard & Partial<Pick<MediaDetails, 'parental_guide'>>
const MAX_HITS = 60

export interface OfflineSearchOptions {
  profileId: string
  isKidsProfile: boolean
  /** If true, the search omits people, and titles that are known not to be playable here. */
  isLimitedToAvailable: boolean
  /** Highest accepted severity for each filtered category of the parental guide, such as `violence-mild`. */
  guideFilters: readonly string[]
}

/**
 * Returns titles and people for which every word of the query is a prefix of a word of their name. Misspellings are
 * not tolerated. The filters work as on the server: with any filter, the search finds no people. With a filter by the
 * parental guide, it finds only titles whose severities are known.
 */
export async function searchCachedReplies(
  query: string,
  { profileId, isKidsProfile, isLimitedToAvailable, guideFilters }: OfflineSearchOptions,
): Promise<SearchReply> {
  const guideLimits = packGuideLimits(parseGuideFilter(guideFilters))
  const isWithinFilters = (hit: CachedSearchHit) => {
    if (hit.kind === 'actor') return !isLimitedToAvailable && guideLimits === 0
    const { available, parental_guide: guide = [] }: CachedCard = hit.media
    return (
      !(isLimitedToAvailable && available === false) &&
      isGuideWithinLimits(packGuide(guide), guideLimits, false)
    )
  }
  const hitsByKey = new Map<string, CachedSearchHit>()
  for (const reply of await listCachedReplies(profileId)) collectHits(reply, hitsByKey)
  const queryWords = foldSearchText(query).split(' ').filter(Boolean)
  const matchingHits = [...hitsByKey.values()]
    .filter((hit) => hit.kind === 'actor' || !isKidsProfile || hit.media.safe_for_kids)
    .filter(isWithinFilters)
    .filter((hit) => hasMatchingNames(listHitNames(hit), queryWords))
    .slice(0, MAX_HITS)
  const countHits = (kind: CachedSearchHit['kind']) => matchingHits.filter((hit) => hit.kind === kind).length
  const hitCounts = {
    all: matchingHits.length,
    movie: countHits('movie'),
    tv: countHits('tv'),
    actor: countHits('actor'),
  }
  return { query, counts: hitCounts, results: matchingHits }
}

const listHitNames = (hit: CachedSearchHit) =>
  hit.kind === 'actor' ? [hit.actor.name] : [hit.media.title, hit.media.original_title]

function hasMatchingNames(names: readonly string[], queryWords: readonly string[]): boolean {
  if (queryWords.length === 0) return false
  const words = names.flatMap((name) => foldSearchText(name).split(' '))
  return queryWords.every((queryWord) => words.some((word) => word.startsWith(queryWord)))
}

/** Adds all objects of a reply that have the fields of a title or a person. */
function collectHits(replyValue: unknown, hitsByKey: Map<string, CachedSearchHit>): void {
  if (typeof replyValue !== 'object' || replyValue === null) return
  const candidateObject = replyValue as Record<string, unknown>
  if (typeof candidateObject['slug'] === 'string' && typeof candidateObject['id'] === 'string') {
    const hit = toSearchHit(candidateObject)
    const hitKey = `${hit?.kind} ${candidateObject['id']}`
    const earlierHit = hitsByKey.get(hitKey)
    // A card must not remove the parental guide that the details of the same title contain.
    if (hit && 'media' in hit && earlierHit && 'media' in earlierHit)
      hitsByKey.set(hitKey, { ...hit, media: { ...earlierHit.media, ...hit.media } })
    else if (hit) hitsByKey.set(hitKey, hit)
  }
  for (const fieldValue of Object.values(candidateObject)) collectHits(fieldValue, hitsByKey)
}

function toSearchHit(candidateObject: Record<string, unknown>): CachedSearchHit | null {
  if (candidateObject['type'] === 'movie' || candidateObject['type'] === 'tv') {
    const card = candidateObject as unknown as MediaCard
    // Details contain genres as objects with id and name.
    const genres = card.genres.map((genre) =>
      typeof genre === 'number' ? genre : (genre as { id: number }).id,
    )
    return { kind: card.type, media: { ...card, genres } }
  }
  if (typeof candidateObject['name'] !== 'string' || !('profile_path' in candidateObject)) return null
  const { id, slug, name, profile_path } = candidateObject as {
    id: string
    slug: string
    name: string
    profile_path: string | null
  }
  return { kind: 'actor', actor: { id, slug, name, profile_path } }
}
