/** Real navigational queries from viewing logs against their own pool of 2,359 titles, which carry no popularity. */
import { DatabaseSync } from 'node:sqlite'
import { indexSchema, rebuildIndex, search } from '../../server/search/engine.ts'
import { hasData, lines } from './corpora.ts'

if (hasData) {
  const db = new DatabaseSync(':memory:')
  for (const statement of indexSchema('sqlite')) db.exec(statement)
  const titles = lines('search/netflix_title_pool.txt')
  await rebuildIndex(
    db,
    titles.map((text, i) => ({
      doc_id: i,
      kind: 'movie' as const,
      media_id: text,
      kids: false,
      visible: true,
      popularity: 0,
      names: [{ lang: '', text, role: 'main' as const }],
    })),
  )
  const table = new Map<string, [number, number, number]>()
  for (const line of lines('search/netflix_real_navigational.tsv').slice(1)) {
    const [, q = '', title = '', match = ''] = line.split('\t')
    const { hits } = await search(db, { q, limit: 10, type: 'all', scope: { kids: false } })
    const at = hits.findIndex((hit) => hit.media_id.trim() === title.trim())
    const row = table.get(match) ?? [0, 0, 0]
    table.set(match, [row[0] + 1, row[1] + (at === 0 ? 1 : 0), row[2] + (at >= 0 ? 1 : 0)])
    if (process.argv.includes('--misses') && at !== 0)
      console.log(
        `${match}\t${q}\t=> ${title} at ${at}\t${hits
          .slice(0, 3)
          .map((hit) => hit.media_id)
          .join(' | ')}`,
      )
  }
  for (const [match, [n, first, ten]] of table)
    console.log(`${match}: ${n} queries, first ${first}, in the first ten ${ten}`)
} else console.log('the published data sets are not here (MARQUEE_SHARED): nothing measured')
