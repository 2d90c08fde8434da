/** Actors and their filmography, limited to what the caller's audience may see. */
import type { Actor } from '../../src/lib/contract/media.ts'
import { ageOf } from '../../src/lib/rules/age.ts'
import { LIMITS } from '../../src/lib/rules/limits.ts'
import type { Deps } from '../deps.ts'
import type { Viewer } from '../http/caller.ts'
import { Problem } from '../problem.ts'
import type { TitleType } from '../queries/catalogue.ts'
import { type PersonRow, personNames, titlesOfPerson, visiblePerson } from '../queries/person.ts'
import { drawnPath } from './artwork.ts'
import { cardsOf, titleLanguage } from './cards.ts'

/** Path of the drawn portrait of a person without a photo. */
export function portrait(deps: Deps, personId: number, lang: string): string {
  return drawnPath(deps, { kind: 'profile', key: String(personId), lang }, personId)
}

export async function actor(deps: Deps, caller: Viewer, personRef: { id: number } | { slug: string }) {
  const row = await visiblePerson(deps.database.reader, caller.audience, personRef)
  if (!row) throw new Problem('not_found')
  const lang = titleLanguage(caller)
  const names = await personNames(deps.database.reader, [row.person_id], lang)
  return toActor(deps, row, names.get(row.person_id) ?? row.name, lang)
}

function toActor(deps: Deps, row: PersonRow, name: string, lang: string): Actor {
  return {
    id: String(row.person_id),
    slug: row.slug,
    name,
    birthday: row.birthday,
    deathday: row.deathday,
    age: ageOf(row.birthday, row.deathday, new Date(deps.now())),
    place_of_birth: row.place_of_birth,
    biography: row.biography,
    profile_path: row.profile_path ?? portrait(deps, row.person_id, lang),
  }
}

export async function filmography(
  deps: Deps,
  caller: Viewer,
  personId: number,
  { type, page, limit }: { type: TitleType; page: number; limit: number },
) {
  const { rows, total } = await titlesOfPerson(deps.database.reader, caller.audience, {
    personId,
    type,
    page,
    limit,
  })
  const results = await cardsOf(deps, rows, titleLanguage(caller))
  return { page, limit, total_results: total, total_pages: Math.ceil(total / limit), results }
}

export async function actorWithTitles(deps: Deps, caller: Viewer, id: number) {
  const person = await actor(deps, caller, { id })
  const [movies, series] = await Promise.all(
    (['movie', 'tv'] as const).map((type) =>
      filmography(deps, caller, id, { type, page: 1, limit: LIMITS.listMax }),
    ),
  )
  return { ...person, movies: movies?.results ?? [], series: series?.results ?? [] }
}
