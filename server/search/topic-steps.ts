/** Finds titles by facets, people and topics. Titles whose names match too are added to the matches of the search. */
import type { SearchRun } from './evaluate.ts'
import { EQUIVALENT_GENRES, LANGUAGE_OF_COUNTRY } from './facet-synonyms.ts'
import { loadIndexWords } from './index-words.ts'
import { interpretQuery, type QueryInterpretation } from './interpret.ts'
import { createAndExpression, createOrExpression } from './query.ts'
import { createNearWordExpressions } from './step-expressions.ts'
import { createNameKeys } from './tokens.ts'
import { evaluateNamesBesidePerson, evaluateNamesWithoutFacets, getRequestedKind } from './topic-names.ts'
import {
  isTopicWord,
  toFacetToken,
  toKeywordToken,
  toPersonToken,
  toTopicToken,
  unknownCountryToken,
} from './topics.ts'
import {
  type FacetValue,
  maxCountPerKind,
  type QueryFacet,
  type ScopedIndexStore,
  type SearchRange,
  type TokenExpression,
} from './types.ts'

export type TopicMatches = {
  slots: number[]
  /** Slots of the titles that have `topicWords`, or all words of the query, as a keyword. */
  keywordSlots: ReadonlySet<number>
  facets: QueryFacet[]
  topicWords: string[]
  /** True when the whole query consists of facets. */
  isFacetQuery: boolean
}

/** Minimum length of a last word that is looked up as a prefix. Shorter prefixes match too many words. */
const minUnfinishedWordLength = 4
const maxCachedNetworks = 5_000
const networkCachesByStore = new WeakMap<ScopedIndexStore, Map<string, boolean>>()

const toTokenExpression = (token: string, isPrefix = false): TokenExpression => ({ token, prefix: isPrefix })

/**
 * Looks up the facets and topics of the query. Returns null when the query has neither, when it consists of types such
 * as "movies", or when no title matches. With `hasEnoughNameMatches`, also returns null for a query of several words
 * that has topic words.
 */
export async function findTopicMatches(
  run: SearchRun,
  hasEnoughNameMatches: boolean,
): Promise<TopicMatches | null> {
  const interpretation = await interpretQueryOfRun(run)
  const { facets, topicWords } = interpretation
  const isFacetQuery = topicWords.length === 0
  if (facets.length === 0 && topicWords.length === 0) return null
  if (isFacetQuery && facets.every((facet) => facet.kind === 'type')) return null
  if (!isFacetQuery && hasEnoughNameMatches && run.query.words.length > 1) return null
  const wholeQueryKeywordSlots = facets.length > 0 ? await findWholeKeywordSlots(run) : new Set<number>()
  for (const attempt of createAttempts(run, interpretation)) {
    const expression = await attempt.createExpression()
    if (!expression) continue
    const range: SearchRange = { kind: getRequestedKind(attempt.facets), isKidsOnly: run.isKidsOnly }
    const slots = await run.store.findTopicSlots(expression, range, maxCountPerKind + 1)
    if (slots.length === 0) continue
    if (attempt.facets.length > 0 && !isFacetQuery)
      await evaluateNamesWithoutFacets(run, interpretation.nameText, slots)
    if (isFacetQuery) await evaluateNamesBesidePerson(run, attempt.facets)
    const topicKeywordSlots = await findKeywordSlots(run, topicWords, { facets: attempt.facets, range })
    const keywordSlots = wholeQueryKeywordSlots.union(topicKeywordSlots)
    return {
      slots: [...slots, ...keywordSlots],
      keywordSlots,
      facets: attempt.facets,
      topicWords,
      isFacetQuery,
    }
  }
  if (wholeQueryKeywordSlots.size === 0) return null
  const words = run.query.words.filter(isTopicWord)
  return {
    slots: [...wholeQueryKeywordSlots],
    keywordSlots: wholeQueryKeywordSlots,
    facets: [],
    topicWords: words,
    isFacetQuery,
  }
}

/**
 * Returns the slots of the titles that have the whole query as a keyword. Such a keyword may contain the name of a
 * facet: "war on drugs".
 */
const findWholeKeywordSlots = (run: SearchRun): Promise<Set<number>> =>
  findKeywordSlots(run, run.query.words.filter(isTopicWord), {
    facets: [],
    range: { kind: 'all', isKidsOnly: run.isKidsOnly },
  })

async function findKeywordSlots(
  run: SearchRun,
  words: readonly string[],
  { facets, range }: { facets: QueryFacet[]; range: SearchRange },
): Promise<Set<number>> {
  if (words.length === 0) return new Set()
  const expression = createAndExpression([
    toTokenExpression(toKeywordToken(words)),
    ...facets.filter((facet) => facet.kind !== 'type').map(createFacetExpression),
  ])
  return new Set(await run.store.findTopicSlots(expression, range, maxCountPerKind + 1))
}

async function interpretQueryOfRun(run: SearchRun): Promise<QueryInterpretation> {
  const { query } = run
  const interpretation = await interpretQuery(query.words, query.isLastWordUnfinished, (words) =>
    findNetwork(run, words),
  )
  const person = await findPerson(run, interpretation)
  if (!person) return interpretation
  return { ...interpretation, facets: [...interpretation.facets, person], topicWords: [] }
}

/**
 * Returns the network that these words name; undefined if the audience may see no title of such a network. The result
 * is cached per store and state of the index.
 */
async function findNetwork(run: SearchRun, words: readonly string[]): Promise<FacetValue | undefined> {
  const facet: FacetValue = { kind: 'network', value: words.join('-') }
  const token = toFacetToken(facet)
  if (token.length < 4) return undefined
  const range: SearchRange = { kind: 'all', isKidsOnly: run.isKidsOnly }
  const cacheKey = `${run.state.live}${run.state.version}${range.isKidsOnly} ${token}`
  const isNetworkByCacheKey = networkCachesByStore.get(run.store) ?? new Map<string, boolean>()
  networkCachesByStore.set(run.store, isNetworkByCacheKey)
  let isKnownNetwork = isNetworkByCacheKey.get(cacheKey)
  if (isKnownNetwork === undefined) {
    isKnownNetwork = (await run.store.findTopicSlots(toTokenExpression(token), range, 1)).length > 0
    if (isNetworkByCacheKey.size >= maxCachedNetworks) isNetworkByCacheKey.clear()
    isNetworkByCacheKey.set(cacheKey, isKnownNetwork)
  }
  return isKnownNetwork ? facet : undefined
}

/**
 * Returns the person whose whole name is equal to the query without its facets. Returns undefined when the query has no
 * facets, when fewer than two words remain, or when no such person exists.
 */
async function findPerson(
  run: SearchRun,
  { facets, nameText }: QueryInterpretation,
): Promise<QueryFacet | undefined> {
  const words = nameText.split(' ')
  if (facets.length === 0 || words.length < 2) return undefined
  const range: SearchRange = { kind: 'actor', isKidsOnly: run.isKidsOnly }
  const [slot] = await run.store.findExactKeys([createNameKeys(words).fullNameKey], range, 1)
  return slot === undefined ? undefined : { kind: 'person', value: nameText, text: nameText }
}

type TopicSearchAttempt = { facets: QueryFacet[]; createExpression: () => Promise<TokenExpression | null> }

/** Returns the ways to look up a query, from strict to tolerant. The first way that finds a title is used. */
function createAttempts(run: SearchRun, interpretation: QueryInterpretation): TopicSearchAttempt[] {
  const { facets, topicWords } = interpretation
  const lookedUpFacets = facets.filter((facet) => facet.kind !== 'type')
  const topicWordExpressions = topicWords.map((word, index) =>
    createWordExpression(word, interpretation.isLastWordUnfinished && index === topicWords.length - 1),
  )
  const createAttempt = (
    attemptFacets: QueryFacet[],
    wordExpressions: TokenExpression[] | (() => Promise<TokenExpression[]>),
  ): TopicSearchAttempt => ({
    facets: attemptFacets,
    async createExpression() {
      const expressions = [
        ...attemptFacets.filter((facet) => facet.kind !== 'type').map(createFacetExpression),
        ...(typeof wordExpressions === 'function' ? await wordExpressions() : wordExpressions),
      ]
      return expressions.length > 0 ? createAndExpression(expressions) : null
    },
  })
  const attempts = [createAttempt(facets, topicWordExpressions)]
  const createTolerantWordExpressions = () => createTolerantExpressions(run, topicWords)
  if (topicWordExpressions.length > 0 && facets.length > 0)
    attempts.push(createAttempt(facets, createTolerantWordExpressions))
  if (topicWordExpressions.length > 3) {
    const omittableWordIndexes = topicWordExpressions
      .keys()
      .filter((index) => !/^\d+$/.test(topicWords[index] ?? ''))
    const alternatives = [...omittableWordIndexes].map((omittedIndex) =>
      createAndExpression(topicWordExpressions.toSpliced(omittedIndex, 1)),
    )
    if (alternatives.length > 0) attempts.push(createAttempt(facets, [createOrExpression(alternatives)]))
  }
  // One facet may exclude all titles: a movie has no network, for example. These attempts omit one facet
  // each.
  if (lookedUpFacets.length > 1)
    for (const omittedFacet of lookedUpFacets.filter((facet) => facet.kind !== 'person')) {
      const otherFacets = facets.filter((facet) => facet !== omittedFacet)
      attempts.push(createAttempt(otherFacets, topicWordExpressions))
      if (topicWordExpressions.length > 0)
        attempts.push(createAttempt(otherFacets, createTolerantWordExpressions))
    }
  return attempts
}

function createWordExpression(word: string, isWordUnfinished: boolean): TokenExpression {
  const isPrefix = isWordUnfinished && word.length >= minUnfinishedWordLength
  return createOrExpression([
    toTokenExpression(toTopicToken(word), isPrefix),
    toTokenExpression(toPersonToken(word), isPrefix),
  ])
}

function createFacetExpression(facet: FacetValue): TokenExpression {
  if (facet.kind === 'person')
    return createAndExpression(facet.value.split(' ').map((word) => toTokenExpression(toPersonToken(word))))
  if (facet.kind === 'country') return createCountryExpression(facet)
  if (facet.kind !== 'genre') return toTokenExpression(toFacetToken(facet))
  const genreIds = new Set([
    facet.value,
    ...EQUIVALENT_GENRES.filter((genreGroup) => genreGroup.includes(facet.value)).flat(),
  ])
  return createOrExpression(
    [...genreIds].map((genreId) => toTokenExpression(toFacetToken({ kind: 'genre', value: genreId }))),
  )
}

/**
 * Returns an expression that finds titles of a country, and titles of unknown country in the main language of this
 * country.
 */
function createCountryExpression(facet: FacetValue): TokenExpression {
  const language = LANGUAGE_OF_COUNTRY[facet.value]
  const expression = toTokenExpression(toFacetToken(facet))
  if (!language) return expression
  const languageToken = toTokenExpression(toFacetToken({ kind: 'language', value: language }))
  return createOrExpression([
    expression,
    createAndExpression([languageToken, toTokenExpression(unknownCountryToken)]),
  ])
}

/**
 * Returns one expression per topic word. Each expression also matches index words that are similar to its topic word,
 * because the name of a person may be misspelt.
 */
async function createTolerantExpressions(run: SearchRun, topicWords: string[]): Promise<TokenExpression[]> {
  const indexWords = await loadIndexWords(run.indexStore, run.state)
  return topicWords.map((word) => {
    const nearWords = createNearWordExpressions(run, indexWords, word, -1).flatMap((expression) =>
      'token' in expression && !expression.prefix ? [expression.token] : [],
    )
    return createOrExpression(
      [word, ...nearWords].flatMap((wordForm) => [
        toTokenExpression(toTopicToken(wordForm)),
        toTokenExpression(toPersonToken(wordForm)),
      ]),
    )
  })
}
