/** Search without a network: finds titles and people in the cached replies of a profile. */
import { listCachedReplies } from '../client/read-cache.ts'
import type { ReplyOf } from '../contract/endpoint.ts'
import type { MediaCard } from '../contract/media.ts'
import type * as calls from '../contract/search.ts'
import { foldSearchText } from '../rules/fold-search-text.ts'

type SearchReply = ReplyOf<typeof calls.searchCatalogue>
type Hit = SearchReply['results'][number]
const MAX_RESULTS = 60

/**
 * Returns titles and people for which every word of the query is a prefix of a word of their name. Misspellings are
 * not tolerated.
 */
export async function searchCachedReplies(
  query: string,
  profile: string,
  isKidsProfile: boolean,
): Promise<SearchReply> {
  const hitsByKey = new Map<string, Hit>()
  for (const reply of await listCachedReplies(profile)) collectHits(reply, hitsByKey)
  const queryWords = foldSearchText(query).split(' ').filter(Boolean)
  const results = [...hitsByKey.values()]
    .filter((hit) => hit.kind === 'actor' || !isKidsProfile || hit.media.safe_for_kids)
    .filter((hit) => matchesWords(getNames(hit), queryWords))
    .slice(0, MAX_RESULTS)
  const countHits = (kind: Hit['kind']) => results.filter((hit) => hit.kind === kind).length
  const counts = {
    all: results.length,
    movie: countHits('movie'),
    tv: countHits('tv'),
    actor: countHits('actor'),
  }
  return { query, counts, results }
}

const getNames = (hit: Hit) =>
  hit.kind === 'actor' ? [hit.actor.name] : [hit.media.title, hit.media.original_title]

function matchesWords(names: readonly string[], queryWords: readonly string[]): boolean {
  if (queryWords.length === 0) return false
  const words = names.flatMap((name) => foldSearchText(name).split(' '))
  return queryWords.every((prefix) => words.some((word) => word.startsWith(prefix)))
}

/** Adds all objects of a reply that have the fields of a title or a person. */
function collectHits(value: unknown, hitsByKey: Map<string, Hit>): void {
  if (typeof value !== 'object' || value === null) return
  const object = value as Record<string, unknown>
  if (typeof object['slug'] === 'string' && typeof object['id'] === 'string') {
    const hit = toHit(object)
    if (hit) hitsByKey.set(`${hit.kind} ${object['id']}`, hit)
  }
  for (const fieldValue of Object.values(object)) collectHits(fieldValue, hitsByKey)
}

function toHit(object: Record<string, unknown>): Hit | null {
  if (object['type'] === 'movie' || object['type'] === 'tv') {
    const card = object as unknown as MediaCard
    // Details contain genres as objects with id and name.
    const genres = card.genres.map((genre) =>
      typeof genre === 'number' ? genre : (genre as { id: number }).id,
    )
    return { kind: card.type, media: { ...card, genres } }
  }
  if (typeof object['name'] !== 'string' || !('profile_path' in object)) return null
  const { id, slug, name, profile_path } = object as {
    id: string
    slug: string
    name: string
    profile_path: string | null
  }
  return { kind: 'actor', actor: { id, slug, name, profile_path } }
}
