/** Loads the search documents of titles and people. Unpublished and blocked ones have no document. */
import type { Db } from '../../db/database.ts'
import {
  getPersonDocId,
  getTitleDocId,
  selectCast,
  selectPeopleForIndex,
  selectTitlesForIndex,
} from '../../queries/search-index.ts'
import type { SearchDoc } from '../../search/types.ts'

type NameRole = SearchDoc['names'][number]['role']

export async function loadTitleDocs(db: Db, ids: number[]): Promise<SearchDoc[]> {
  const { titles, names } = await selectTitlesForIndex(db, ids)
  const cast = Map.groupBy(await selectCast(db, ids), (credit) => credit.title_id)
  const namesById = Map.groupBy(names, (name) => name.title_id)
  return titles
    .filter((title) => title.published === 1 && title.blocked === 0)
    .map((title) => ({
      doc_id: getTitleDocId(title.title_id),
      kind: title.type as 'movie' | 'tv',
      media_id: String(title.title_id),
      kids: title.safe_for_kids === 1,
      visible: true,
      popularity: title.rating_votes,
      names: (namesById.get(title.title_id) ?? []).map(({ lang, text, role }) => ({
        lang,
        text,
        role: role as NameRole,
      })),
      ...(title.year !== null && { year: title.year }),
      people: (cast.get(title.title_id) ?? [])
        .filter((credit) => credit.blocked === 0)
        .map((credit) => credit.name),
    }))
}

export async function loadPersonDocs(db: Db, ids: number[]): Promise<SearchDoc[]> {
  const { people, names } = await selectPeopleForIndex(db, ids)
  const namesById = Map.groupBy(names, (name) => name.person_id)
  return people.map((person) => ({
    doc_id: getPersonDocId(person.person_id),
    kind: 'actor',
    media_id: String(person.person_id),
    kids: Number(person.safe) === 1,
    visible: true,
    popularity: Number(person.votes),
    names: (namesById.get(person.person_id) ?? []).map(({ lang, text }) => ({ lang, text, role: 'main' })),
  }))
}
