/**
 * Explains why a search has found titles whose names do not match the query, for example "Network: HBO" or "Keyword:
 * time travel".
 */
import type { SearchReason } from '../../../src/lib/contract/search.ts'
import { LOCALES } from '../../../src/lib/i18n/locales.ts'
import { selectCredits, selectTopicsForIndex } from '../../queries/search-index.ts'
import { selectTitleIdsWithSeason } from '../../queries/title-details.ts'
import { countTopicWords, findTopicExcerpt, findTypedWords } from '../../search/engine.ts'
import type { QueryFacet, SearchResult } from '../../search/types.ts'
import type { Deps } from '../deps.ts'

/** Kinds of facets. The kind that explains a result best comes first. */
const FACET_ORDER: readonly QueryFacet['kind'][] = [
  'person',
  'network',
  'genre',
  'country',
  'language',
  'decade',
  'year',
]
type CreditRow = Awaited<ReturnType<typeof selectCredits>>[number]

/**
 * Returns the reasons by title id. If the query names a season or episode, each series that has it gets a reason.
 * Otherwise, only titles that were not found by their names have a reason.
 * `restrictedProfileQuery` is the query of a kids profile or a profile with limits, and null for other profiles. If it
 * is set, reasons do not quote keywords and overviews, because these texts are written for adults. Instead, the reasons
 * contain the words of the query that were found in these texts.
 */
export async function loadSearchReasons(
  deps: Deps,
  { hits, facets, topicWords, episode }: SearchResult,
  restrictedProfileQuery: string | null,
): Promise<Map<number, SearchReason>> {
  const { reader } = deps.database
  if (episode) {
    const seriesIds = hits.filter((hit) => hit.kind === 'tv').map((hit) => Number(hit.media_id))
    const titleIds = await selectTitleIdsWithSeason(reader, seriesIds, episode)
    const episodeText =
      episode.episode === null ? String(episode.season) : `${episode.season}x${episode.episode}`
    return new Map(titleIds.map((titleId) => [titleId, { kind: 'episode', value: episodeText }]))
  }
  const topicTitleIds = hits.filter((hit) => hit.isTopicMatch).map((hit) => Number(hit.media_id))
  if (topicTitleIds.length === 0) return new Map()
  const needsCredits = topicWords.length > 0 || facets.some((facet) => facet.kind === 'person')
  const [credits, topics] = await Promise.all([
    needsCredits ? selectCredits(reader, topicTitleIds) : [],
    selectTopicsForIndex(reader, topicWords.length > 0 ? topicTitleIds : [], LOCALES),
  ])
  const reasonsByTitleId = new Map<number, SearchReason>()
  for (const titleId of topicTitleIds) {
    const isOfTitle = (row: { title_id: number }) => row.title_id === titleId
    const creditsOfTitle = credits.filter((credit) => isOfTitle(credit) && credit.blocked === 0)
    const reason =
      findTopicReason(topicWords, restrictedProfileQuery, {
        credits: creditsOfTitle,
        keywords: topics.keywords.filter(isOfTitle).map((row) => row.keyword),
        overviews: topics.overviews.filter(isOfTitle).flatMap((row) => row.overview ?? []),
      }) ?? findFacetReason(facets, creditsOfTitle)
    if (reason) reasonsByTitleId.set(titleId, reason)
  }
  return reasonsByTitleId
}

interface TopicTexts {
  credits: CreditRow[]
  keywords: string[]
  overviews: string[]
}

/**
 * Returns the reason whose text contains the most words of the query. Of texts with equally many words, keywords come
 * first, then people, then characters, then the plot.
 */
function findTopicReason(
  topicWords: readonly string[],
  restrictedProfileQuery: string | null,
  texts: TopicTexts,
): SearchReason | undefined {
  if (topicWords.length === 0) return undefined
  const getShownText = (text: string, getExcerpt: (text: string) => string): string =>
    restrictedProfileQuery === null
      ? getExcerpt(text)
      : findTypedWords(restrictedProfileQuery, text, topicWords)
  const candidates: { reason: SearchReason; text: string }[] = [
    ...texts.keywords.map((text) => ({
      reason: { kind: 'keyword' as const, value: getShownText(text, (keyword) => keyword) },
      text,
    })),
    ...texts.credits.map(({ name, job }) => ({
      reason: { kind: 'person' as const, value: name, job },
      text: name,
    })),
    ...texts.credits.flatMap(({ character }) =>
      character ? [{ reason: { kind: 'character' as const, value: character }, text: character }] : [],
    ),
    ...texts.overviews.map((text) => ({
      reason: {
        kind: 'plot' as const,
        value: getShownText(text, (plot) => findTopicExcerpt(plot, topicWords)),
      },
      text,
    })),
  ]
  let bestReason: SearchReason | undefined
  let bestWordCount = 0
  for (const { reason, text } of candidates) {
    const wordCount = countTopicWords(text, topicWords)
    if (wordCount > bestWordCount && reason.value !== '') [bestReason, bestWordCount] = [reason, wordCount]
  }
  return bestReason
}

function findFacetReason(facets: readonly QueryFacet[], credits: CreditRow[]): SearchReason | undefined {
  const facet = FACET_ORDER.flatMap((kind) => facets.filter((candidate) => candidate.kind === kind))[0]
  if (!facet) return undefined
  if (facet.kind !== 'person') return { kind: facet.kind, value: facet.value }
  const facetWords = facet.value.split(' ')
  const credit = credits.find(({ name }) => countTopicWords(name, facetWords) === facetWords.length)
  return credit && { kind: 'person', value: credit.name, job: credit.job }
}
