import type { SearchHit } from '../../src/lib/contract/search.ts'
import { fold } from '../../src/lib/rules/fold.ts'
import type { Deps } from '../deps.ts'
import type { Viewer } from '../http/caller.ts'
import { titlesByIds } from '../queries/catalogue.ts'
import { personNames } from '../queries/person.ts'
import { findPeople, findTitles, type Match, peopleByIds } from '../queries/search.ts'
import { drawnPath } from './artwork.ts'
import { cardsById } from './cards.ts'

interface Asked {
  q: string
  limit: number
  type: 'all' | 'movie' | 'tv' | 'actor'
  kids?: boolean | undefined
}
type Found = Match & { kind: 'movie' | 'tv' | 'actor' }

/** Movies, series and actors in one answer, best match first, then by popularity; counts are of all that match. */
export async function search(deps: Deps, caller: Viewer, { q, limit, type, kids }: Asked) {
  const { reader } = deps.database
  const audience = { kids: caller.audience.kids || kids === true }
  const folded = fold(q)
  const [titles, people] = folded
    ? await Promise.all([findTitles(reader, audience, folded), findPeople(reader, audience, folded)])
    : [[], []]
  const found: Found[] = [
    ...titles.map((one) => ({ ...one, kind: one.type as 'movie' | 'tv' })),
    ...people.map((one) => ({ ...one, kind: 'actor' as const })),
  ]
  found.sort((a, b) => a.rank - b.rank || b.popularity - a.popularity)
  const count = (kind: Found['kind']) => found.filter((one) => one.kind === kind).length
  const shown = found.filter((one) => type === 'all' || one.kind === type).slice(0, limit)
  return {
    query: q,
    counts: { all: found.length, movie: count('movie'), tv: count('tv'), actor: count('actor') },
    results: await hits(deps, caller, audience, shown),
  }
}

async function hits(
  deps: Deps,
  caller: Viewer,
  audience: { kids: boolean },
  found: Found[],
): Promise<SearchHit[]> {
  const { reader } = deps.database
  const lang = caller.account.title_language
  const ids = found.filter((one) => one.kind !== 'actor').map((one) => one.id)
  const cards = await cardsById(deps, await titlesByIds(reader, audience, ids), lang)
  const rows = await peopleByIds(
    reader,
    found.filter((one) => one.kind === 'actor').map((one) => one.id),
  )
  const names = await personNames(
    reader,
    rows.map((row) => row.person_id),
    lang,
  )
  const people = new Map(rows.map((row) => [row.person_id, row]))
  return found.flatMap((one): SearchHit[] => {
    if (one.kind !== 'actor') {
      const media = cards.get(one.id)
      return media ? [{ kind: one.kind, media }] : []
    }
    const row = people.get(one.id)
    if (!row) return []
    const key = String(row.person_id)
    const profile_path = row.profile_path ?? drawnPath(deps, { kind: 'profile', key, lang }, row.person_id)
    return [
      {
        kind: 'actor',
        actor: { id: key, slug: row.slug, name: names.get(row.person_id) ?? row.name, profile_path },
      },
    ]
  })
}
