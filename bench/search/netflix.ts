/**
 * Measures how often the search returns the intended title first, and among the first ten, for queries with which
 * viewers looked for one title. Queries and titles come from real viewing logs. The index contains only the 2,359
 * titles of the logs, all with the popularity 0.
 */
import { DatabaseSync } from 'node:sqlite'
import { createSearchTables, rebuildSearchIndex, searchIndex } from '../../server/search/engine.ts'
import { hasSearchData, readDataLines } from './data-files.ts'

if (hasSearchData) {
  const db = new DatabaseSync(':memory:')
  createSearchTables(db)
  const titlePool = readDataLines('search/netflix_title_pool.txt')
  await rebuildSearchIndex(
    db,
    titlePool.map((text, id) => ({
      doc_id: id,
      kind: 'movie' as const,
      media_id: text,
      kids: false,
      visible: true,
      popularity: 0,
      names: [{ lang: '', text, role: 'main' as const }],
    })),
  )
  const countsByMatchKind = new Map<string, [number, number, number]>()
  for (const line of readDataLines('search/netflix_real_navigational.tsv').slice(1)) {
    const [, query = '', title = '', matchKind = ''] = line.split('\t')
    const { hits } = await searchIndex(db, { q: query, limit: 10, type: 'all', scope: { kids: false } })
    const rank = hits.findIndex((hit) => hit.media_id.trim() === title.trim())
    const matchCounts = countsByMatchKind.get(matchKind) ?? [0, 0, 0]
    countsByMatchKind.set(matchKind, [
      matchCounts[0] + 1,
      matchCounts[1] + (rank === 0 ? 1 : 0),
      matchCounts[2] + (rank >= 0 ? 1 : 0),
    ])
    if (process.argv.includes('--misses') && rank !== 0)
      console.log(
        `${matchKind}\t${query}\t=> ${title} at ${rank}\t${hits
          .slice(0, 3)
          .map((hit) => hit.media_id)
          .join(' | ')}`,
      )
  }
  for (const [matchKind, [queryCount, firstCount, topTenCount]] of countsByMatchKind)
    console.log(
      `${matchKind}: ${queryCount} queries, ${firstCount} ranked first, ${topTenCount} in the top ten`,
    )
} else console.log('shared data sets not found (MARQUEE_SHARED): nothing was measured')
