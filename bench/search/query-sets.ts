/** Reads the query sets of the search benchmark: their queries, and the titles and people that each query must find. */
import { readDataLines } from './data-files.ts'

export type BenchQuery = {
  queryId: string
  corpus: string
  kind: string
  query: string
  targets: string[]
  title: string
}

export function readDerivedQueries(): BenchQuery[] {
  return readDataLines('search/queries_derived.tsv.gz')
    .slice(1)
    .map((line) => {
      const [queryId = '', corpus = '', kind = '', , query = '', targets = '', title = ''] = line.split('\t')
      return { queryId, corpus, kind, query, targets: targets.split('|'), title }
    })
}

/** Returns queries that are misspelt person names from real questions about movies. */
export function readNameQueries(): BenchQuery[] {
  return readDataLines('search/human_name_misspellings.tsv.gz')
    .slice(1)
    .map((line, index) => {
      const [query = '', , , title = '', idsText = ''] = line.split('\t')
      return {
        queryId: `H${index}`,
        corpus: 'people',
        kind: 'human_names',
        query,
        targets: idsText.split(/[|,; ]/),
        title,
      }
    })
}
