/** Rows whose title is similar to a title of the shared catalogue must never be matched to that title automatically. */
import { expect, test } from 'vitest'
import { matchTitle } from '../../../../server/importers/history/match-title.ts'
import type { CandidateSource } from '../../../../server/importers/history/title-match.ts'
import { generateNearMisses, isPerhapsSameTitle, type NearMiss } from '../../../support/near-miss-titles.ts'
import { withSharedData } from '../../../support/shared-data.ts'
import { loadSharedCandidates, type MemoryCatalogue } from './shared-data.ts'

const NEAR_MISSES_PER_KIND = 250

function hideMeantTitle(catalogue: MemoryCatalogue, nearMiss: NearMiss): CandidateSource {
  if (!nearMiss.shouldRemoveMeantTitle) return catalogue
  return {
    findByIds: (ids, type) => catalogue.findByIds(ids, type).filter((title) => title !== nearMiss.meantTitle),
    findByTitle: (foldedTitle, type) =>
      catalogue.findByTitle(foldedTitle, type).filter((title) => title !== nearMiss.meantTitle),
  }
}

test(
  'none of at least 500 generated rows is matched to a title that only resembles the title of the row',
  withSharedData(async () => {
    const catalogue = loadSharedCandidates()
    const nearMisses = generateNearMisses(catalogue.candidates, NEAR_MISSES_PER_KIND)
    const countsByKindAndOutcome: Record<string, number> = {}
    const wrongMatches: string[] = []
    for (const nearMiss of nearMisses) {
      const { kind, row, meantTitle } = nearMiss
      const { outcome, title, reason } = await matchTitle(row, hideMeantTitle(catalogue, nearMiss))
      countsByKindAndOutcome[`${kind} ${outcome}`] = (countsByKindAndOutcome[`${kind} ${outcome}`] ?? 0) + 1
      if (!title || (meantTitle && (title === meantTitle || isPerhapsSameTitle(title, meantTitle)))) continue
      wrongMatches.push(
        `${kind}: ${row.title} (${row.year}) as ${title.titles[0]} (${title.year}), ${reason}`,
      )
    }
    console.info(`${nearMisses.length} near misses`, countsByKindAndOutcome)
    expect(wrongMatches).toEqual([])
    expect(nearMisses.length).toBeGreaterThanOrEqual(500)
    expect(Object.keys(countsByKindAndOutcome).map((key) => key.split(' ')[0])).toEqual(
      expect.arrayContaining(['article', 'numeral', 'initials', 'year', 'type', 'pair']),
    )
  }),
)
