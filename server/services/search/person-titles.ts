/** Adds the titles of a person to the result when the query is the name of the person. */
import type { SearchReason } from '../../../src/lib/contract/search.ts'
import { getJobGroup, JOB_GROUPS } from '../../../src/lib/rules/job-groups.ts'
import { selectCreditedTitles } from '../../queries/person.ts'
import { getTitleDocId } from '../../queries/search-index.ts'
import type { Audience } from '../../queries/title-scope.ts'
import { isPersonQuery, searchIndex } from '../../search/engine.ts'
import {
  countLimit,
  type SearchHit as IndexHit,
  type SearchRequest,
  type SearchResult,
} from '../../search/types.ts'
import type { Deps } from '../deps.ts'

/** Number of first hits among which the person must be. */
const MAX_LEADING_HITS = 4
const MAX_TITLES = 60
/**
 * Hits that score lower than the person by more than this are weak matches. The titles of the person are
 * placed before these hits.
 */
const GUESS_DISTANCE = 0.6

interface PersonSearch {
  q: string
  type: 'all' | 'movie' | 'tv' | 'actor'
  audience: Audience
  scope: SearchRequest['scope']
}

/**
 * If the query is the name of a person, returns the result with the most popular titles of the person, and
 * the reason for each title. Otherwise returns the result unchanged.
 */
export async function addTitlesOfPerson(
  deps: Deps,
  result: SearchResult,
  { q, type, audience, scope }: PersonSearch,
): Promise<{ result: SearchResult; reasons: Map<number, SearchReason> }> {
  const person = await findTypedPerson(deps, result, { q, type, scope })
  if (!person) return { result, reasons: new Map() }
  const rows = await selectCreditedTitles(deps.database.reader, audience, {
    personId: Number(person.media_id),
    limit: MAX_TITLES,
    ...((type === 'movie' || type === 'tv') && { type }),
  })
  const knownIds = new Set(result.hits.filter((hit) => hit.kind !== 'actor').map((hit) => hit.media_id))
  const reasons = new Map<number, SearchReason>()
  const addedHits: IndexHit[] = []
  const counts = { ...result.counts }
  for (const { title_id, type: kind, name, jobs } of rows) {
    const hit = result.hits.find(
      (knownHit) => knownHit.kind === kind && knownHit.media_id === String(title_id),
    )
    if (!hit || hit.isTopicMatch) reasons.set(title_id, { kind: 'person', value: name, job: pickJob(jobs) })
    if (knownIds.has(String(title_id))) continue
    addedHits.push({
      kind,
      media_id: String(title_id),
      score: person.score,
      matched: name,
      isTopicMatch: true,
    })
    if (result.docIds.has(getTitleDocId(title_id)) || counts[kind] >= countLimit) continue
    counts[kind] += 1
    counts.all += 1
  }
  const firstGuess = result.hits.findIndex((hit) => hit.score < person.score - GUESS_DISTANCE)
  const position = firstGuess < 0 ? result.hits.length : firstGuess
  const hits = [...result.hits.slice(0, position), ...addedHits, ...result.hits.slice(position)]
  return { result: { ...result, counts, hits }, reasons }
}

async function findTypedPerson(
  deps: Deps,
  result: SearchResult,
  { q, type, scope }: Omit<PersonSearch, 'audience'>,
): Promise<IndexHit | undefined> {
  if (type === 'actor') return undefined
  const hits =
    type === 'all'
      ? result.hits.slice(0, MAX_LEADING_HITS)
      : (await searchIndex(deps.database.searchDatabase, { q, limit: 1, type: 'actor', scope })).hits
  return hits.find((hit) => hit.kind === 'actor' && isPersonQuery(q, hit.matched))
}

/** Returns the job whose group comes first on the page of a person. */
function pickJob(jobs: readonly string[]): string {
  const rank = (job: string) => {
    const group = getJobGroup(job)
    return group ? JOB_GROUPS.indexOf(group) : JOB_GROUPS.length
  }
  return [...jobs].sort((a, b) => rank(a) - rank(b))[0] ?? ''
}
