import { foldSearchText } from '../../src/lib/rules/fold-search-text.ts'
import type { Db } from '../db/database.ts'
import type { TitleRow } from './title.ts'
import { type Audience, queryVisibleTitles } from './title-scope.ts'

/** Maximum number of returned titles with the same name. */
const MAX_NAMESAKES = 10

/** Returns the titles with this exact name in any language, ignoring case and accents; most votes first. */
export async function selectTitlesByExactName(db: Db, audience: Audience, name: string): Promise<TitleRow[]> {
  const foldedName = foldSearchText(name)
  if (foldedName === '') return []
  return queryVisibleTitles(db, audience)
    .selectAll('title')
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('title_name')
          .select('title_name.title_id')
          .whereRef('title_name.title_id', '=', 'title.title_id')
          .where('title_name.folded', '=', foldedName),
      ),
    )
    .orderBy('rating_votes', 'desc')
    .orderBy('title_id')
    .limit(MAX_NAMESAKES)
    .execute()
}
