/** Loads the statistics of the viewings of a profile (docs/decisions/0031-statistics.md). */
import { createFieldProblem } from '../../core/problem.ts'
import {
  selectMostCreditedPeople,
  selectStatisticsGenres,
  selectStatisticsTitles,
  selectStatisticsViewings,
} from '../../queries/statistics.ts'
import { selectTitlesByIds } from '../../queries/title.ts'
import { getTitleLanguage } from '../auth/caller.ts'
import { loadCardsById } from '../catalogue/cards.ts'
import type { ProfileContext } from '../context.ts'
import { computeStatistics } from './compute-statistics.ts'
import { getDayNumberConverter } from './local-day.ts'

const MAX_LISTED_TITLES = 10
const MAX_LISTED_PEOPLE = 10

interface StatisticsQuery {
  year?: number | undefined
  time_zone: string
}

/** Loads the statistics of a year, or of all time. Throws 422 for an unknown time zone. */
export async function loadStatistics({ deps, caller }: ProfileContext, query: StatisticsQuery) {
  const { primary, reader } = deps.database
  const profileId = caller.profile.profile_id
  const getLocalDayNumber = requireDayNumberConverter(query.time_zone)
  const [viewings, titles, genres] = await Promise.all([
    selectStatisticsViewings(primary, profileId),
    selectStatisticsTitles(primary, caller.audience, profileId),
    selectStatisticsGenres(primary, profileId),
  ])
  const todayNumber = getLocalDayNumber(deps.now())
  const { titles: rankedTitles, ...statistics } = computeStatistics({
    viewings,
    titles,
    genres,
    year: query.year,
    getLocalDayNumber,
    todayNumber,
  })
  const titleIds = rankedTitles.map(({ titleId }) => titleId)
  const topTitles = rankedTitles.slice(0, MAX_LISTED_TITLES)
  const rows = await selectTitlesByIds(reader, caller.audience, titleIds.slice(0, MAX_LISTED_TITLES))
  const [cardsById, people] = await Promise.all([
    loadCardsById(deps, rows, getTitleLanguage(caller)),
    selectMostCreditedPeople(reader, titleIds, MAX_LISTED_PEOPLE),
  ])
  return {
    ...statistics,
    titles: topTitles.flatMap(({ titleId, ...sum }) => {
      const card = cardsById.get(titleId)
      return card ? [{ media: card, ...sum }] : []
    }),
    actors: people.filter(({ role }) => role === 'cast'),
    directors: people.filter(({ role }) => role === 'crew'),
  }
}

function requireDayNumberConverter(timeZone: string): (timeMs: number) => number {
  try {
    return getDayNumberConverter(timeZone)
  } catch {
    throw createFieldProblem('time_zone', 'unknown')
  }
}
