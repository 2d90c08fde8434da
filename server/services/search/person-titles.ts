/** Adds the titles of a person to the result when the query is the name of the person. */
import type { SearchReason } from '../../../src/lib/contract/search.ts'
import { CREW_JOB_GROUPS, getCrewJobGroup } from '../../../src/lib/rules/job-groups.ts'
import { selectCreditedTitles } from '../../queries/person.ts'
import { getTitleDocId } from '../../queries/search-index.ts'
import type { Audience } from '../../queries/title-scope.ts'
import { isPersonQuery } from '../../search/engine.ts'
import { type SearchHit as IndexHit, maxCountPerKind, type SearchResult } from '../../search/types.ts'
import type { Deps } from '../deps.ts'

const MAX_CREDITED_TITLES_PER_TYPE = 60
/**
 * A hit is a weak match if its score is lower than that of the person by more than this distance. The titles of the
 * person are placed before these hits.
 */
const WEAK_MATCH_SCORE_DISTANCE = 0.6

interface PersonSearch {
  searchText: string
  type: 'all' | 'movie' | 'tv' | 'actor'
  audience: Audience
}

/**
 * If the query is the name of a person among the leading hits, adds the most popular titles of the person to the
 * result. Also returns a reason for each of these titles that was not found by its own name. In all other cases,
 * returns the result unchanged. Only titles of `type` are added to the hits, but the counts include the titles of every
 * type.
 */
export async function addTitlesOfPerson(
  deps: Deps,
  searchResult: SearchResult,
  { searchText, type, audience }: PersonSearch,
): Promise<{ result: SearchResult; reasonsByTitleId: Map<number, SearchReason> }> {
  const person = searchResult.leadingHits.find(
    (hit) => hit.kind === 'actor' && isPersonQuery(searchText, hit.matchedName),
  )
  if (!person) return { result: searchResult, reasonsByTitleId: new Map() }
  const rows = await selectCreditedTitles(deps.database.reader, audience, {
    personId: Number(person.media_id),
    limitPerType: MAX_CREDITED_TITLES_PER_TYPE,
  })
  const hitMediaIds = new Set(
    searchResult.hits.filter((hit) => hit.kind !== 'actor').map((hit) => hit.media_id),
  )
  const reasonsByTitleId = new Map<number, SearchReason>()
  const addedHits: IndexHit[] = []
  const counts = { ...searchResult.counts }
  for (const { title_id, type: kind, name, jobs } of rows) {
    const hit = searchResult.hits.find(
      (existingHit) => existingHit.kind === kind && existingHit.media_id === String(title_id),
    )
    if (!hit || hit.isTopicMatch)
      reasonsByTitleId.set(title_id, { kind: 'person', value: name, job: pickMainJob(jobs) })
    if (!searchResult.docIds.has(getTitleDocId(title_id)) && counts[kind] < maxCountPerKind) {
      counts[kind] += 1
      counts.all += 1
    }
    if (hitMediaIds.has(String(title_id)) || (type !== 'all' && type !== kind)) continue
    addedHits.push({
      kind,
      media_id: String(title_id),
      score: person.score,
      matchedName: name,
      isTopicMatch: true,
    })
  }
  const firstWeakMatchIndex = searchResult.hits.findIndex(
    (hit) => hit.score < person.score - WEAK_MATCH_SCORE_DISTANCE,
  )
  const insertIndex = firstWeakMatchIndex < 0 ? searchResult.hits.length : firstWeakMatchIndex
  const hits = [
    ...searchResult.hits.slice(0, insertIndex),
    ...addedHits,
    ...searchResult.hits.slice(insertIndex),
  ]
  return { result: { ...searchResult, counts, hits }, reasonsByTitleId }
}

/** Returns the job whose group comes first on the page of a person. */
function pickMainJob(jobs: readonly string[]): string {
  const getJobRank = (job: string) => {
    const jobGroup = getCrewJobGroup(job)
    return jobGroup ? CREW_JOB_GROUPS.indexOf(jobGroup) : CREW_JOB_GROUPS.length
  }
  return [...jobs].sort((a, b) => getJobRank(a) - getJobRank(b))[0] ?? ''
}
