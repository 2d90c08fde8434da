/** Search without a network: over the titles and people in the answers that were kept for this profile. */
import { all } from '../client/shelf.ts'
import type { ReplyOf } from '../contract/endpoint.ts'
import type { MediaCard } from '../contract/media.ts'
import type * as calls from '../contract/search.ts'
import { fold } from '../rules/fold.ts'

type Reply = ReplyOf<typeof calls.search>
type Hit = Reply['results'][number]
const MOST = 60

/** Every word of the query begins a word of a title or name. Nothing else is known here: no spelling is forgiven. */
export async function searchSeen(query: string, profile: string, kids: boolean): Promise<Reply> {
  const found = new Map<string, Hit>()
  for (const answer of await all(profile)) collect(answer, found)
  const asked = fold(query).split(' ').filter(Boolean)
  const results = [...found.values()]
    .filter((hit) => hit.kind === 'actor' || !kids || hit.media.safe_for_kids)
    .filter((hit) => matches(namesOf(hit), asked))
    .slice(0, MOST)
  const count = (kind: Hit['kind']) => results.filter((hit) => hit.kind === kind).length
  const counts = { all: results.length, movie: count('movie'), tv: count('tv'), actor: count('actor') }
  return { query, counts, results }
}

const namesOf = (hit: Hit) =>
  hit.kind === 'actor' ? [hit.actor.name] : [hit.media.title, hit.media.original_title]

function matches(names: readonly string[], asked: readonly string[]): boolean {
  if (asked.length === 0) return false
  const words = names.flatMap((name) => fold(name).split(' '))
  return asked.every((start) => words.some((word) => word.startsWith(start)))
}

/** Whatever looks like a title or a person, wherever an answer has it. */
function collect(value: unknown, found: Map<string, Hit>): void {
  if (typeof value !== 'object' || value === null) return
  const one = value as Record<string, unknown>
  if (typeof one['slug'] === 'string' && typeof one['id'] === 'string') {
    const hit = hitOf(one)
    if (hit) found.set(`${hit.kind} ${one['id']}`, hit)
  }
  for (const part of Object.values(one)) collect(part, found)
}

function hitOf(one: Record<string, unknown>): Hit | null {
  if (one['type'] === 'movie' || one['type'] === 'tv') {
    const card = one as unknown as MediaCard
    /* Details carry their genres with names. */
    const genres = card.genres.map((genre) =>
      typeof genre === 'number' ? genre : (genre as { id: number }).id,
    )
    return { kind: card.type, media: { ...card, genres } }
  }
  if (typeof one['name'] !== 'string' || !('profile_path' in one)) return null
  const { id, slug, name, profile_path } = one as {
    id: string
    slug: string
    name: string
    profile_path: string | null
  }
  return { kind: 'actor', actor: { id, slug, name, profile_path } }
}
