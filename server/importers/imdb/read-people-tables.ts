/** Reads the dump tables of cast, crew and names of people. */
import type { IdSet } from '../id-set.ts'
import { reportSkip } from '../import-report.ts'
import { CREW_TABLE, NAMES_TABLE, PRINCIPALS_TABLE } from './dump-tables.ts'
import { parseImdbId } from './ids.ts'
import {
  createIdFilter,
  type DumpReadContext,
  type DumpRowFields,
  parseWholeNumber,
  readTable,
} from './read-table.ts'

/**
 * Categories of title.principals that become cast. `archive_footage` is left out, because these people appear only in
 * footage of other titles.
 */
const CAST_CATEGORIES = new Set(['actor', 'actress', 'self'])
const CREW_CATEGORIES = new Set([
  'director',
  'writer',
  'producer',
  'composer',
  'cinematographer',
  'editor',
  'production_designer',
])
/**
 * Maximum number of directors per title, and of writers per title, that are read from title.crew. Long series have
 * hundreds of directors and writers.
 */
const MAX_CREW_PER_JOB = 5
/**
 * First position of the credits from title.crew. Positions in title.principals are below 100, so they never equal a
 * position from title.crew.
 */
const FIRST_CREW_BILLING_ORDER = 1_000

type TitleAndPersonIds = Record<'titles' | 'people', IdSet>

export function readPrincipals(
  context: DumpReadContext,
  { titles: titleIds, people: personIds }: TitleAndPersonIds,
): Promise<number> {
  const onRow = ([tconst, ordering, nconst, category, , characters]: DumpRowFields, location: string) => {
    const [billingOrder, personId] = [parseWholeNumber(ordering), parseImdbId(nconst ?? '')]
    if (personId === -1) return reportSkip(context.report, location, 'has no valid person')
    if (!category) return reportSkip(context.report, location, 'has no category')
    if (Number.isNaN(billingOrder) || billingOrder >= FIRST_CREW_BILLING_ORDER)
      return reportSkip(context.report, location, 'has no valid ordering')
    if (!CAST_CATEGORIES.has(category) && !CREW_CATEGORIES.has(category)) return
    personIds.add(personId)
    context.scratchDatabase.insert(
      'credit',
      parseImdbId(tconst ?? ''),
      billingOrder,
      personId,
      category,
      characters ?? null,
    )
  }
  return readTable(context, { table: PRINCIPALS_TABLE, filterLine: createIdFilter(titleIds), onRow })
}

export function readCrew(
  context: DumpReadContext,
  { titles: titleIds, people: personIds }: TitleAndPersonIds,
): Promise<number> {
  const onRow = ([tconst, directors, writers]: DumpRowFields, location: string) => {
    let billingOrder = FIRST_CREW_BILLING_ORDER
    for (const [category, commaSeparatedIds] of [
      ['director', directors],
      ['writer', writers],
    ] as const) {
      for (const nconst of commaSeparatedIds?.split(',').slice(0, MAX_CREW_PER_JOB) ?? []) {
        const personId = parseImdbId(nconst)
        if (personId === -1) return reportSkip(context.report, location, 'has no valid person')
        personIds.add(personId)
        context.scratchDatabase.insert(
          'credit',
          parseImdbId(tconst ?? ''),
          billingOrder++,
          personId,
          category,
          null,
        )
      }
    }
  }
  return readTable(context, { table: CREW_TABLE, filterLine: createIdFilter(titleIds), onRow })
}

export function readNames(context: DumpReadContext, personIds: IdSet): Promise<number> {
  const onRow = ([nconst, name]: DumpRowFields, location: string) => {
    if (!name) return reportSkip(context.report, location, 'has no name')
    context.scratchDatabase.insert('person', parseImdbId(nconst ?? ''), name)
  }
  return readTable(context, { table: NAMES_TABLE, filterLine: createIdFilter(personIds), onRow })
}
