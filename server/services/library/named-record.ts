/** Creates the record of a title of which only the names and the year are known. */
import { trimToVisibleText } from '../../../src/lib/rules/profile-name.ts'
import { createFieldProblem } from '../../core/problem.ts'
import type { TitleType } from '../../queries/title.ts'
import type { TitleRecord } from '../../queries/title-record.ts'

/**
 * Returns the record of a title with these names and this year. Throws 422 without a name. The record of a series has
 * no episodes, because they are added together with the files of the series (sync-files.ts).
 */
export function createNamedRecord({
  type,
  titles,
  year,
}: {
  type: TitleType
  titles: readonly { lang: string; text: string }[]
  year?: number | null | undefined
}): TitleRecord {
  const names = titles.flatMap(({ lang, text }) => {
    const name = trimToVisibleText(text)
    return name === '' ? [] : [{ lang, text: name }]
  })
  const mainName = names.find(({ lang }) => lang === 'en') ?? names[0]
  if (!mainName) throw createFieldProblem('titles', 'needed')
  return {
    type,
    original_title: mainName.text,
    names: names.map((name) => ({ ...name, role: 'main' as const })),
    ...(year && { year }),
    genres: [],
    rating: 0,
    rating_votes: 0,
    safe_for_kids: false,
    high_quality: false,
    networks: [],
    texts: [],
    keywords: [],
    cast: [],
    crew: [],
    parental_guide: [],
    seasons: [],
  }
}
