/** The steps of a search, from exact to tolerant. Each step asks the index for documents and evaluates them. */
import { toCastToken } from './entry.ts'
import { evaluateMatches, getLowestCost, type SearchRun } from './evaluate.ts'
import { type IndexWords, loadIndexWords } from './index-words.ts'
import { isInitialsQuery, toInitialsKey } from './initials.ts'
import {
  createAndExpression,
  createJoinedPairExpressions,
  createLiteralExpression,
  createLiteralOrCastExpression,
  createOrExpression,
} from './query.ts'
import { scoreWithCost } from './score.ts'
import { computeSoundSkeleton, isLatin } from './sound.ts'
import {
  createNearWordExpressions,
  createOneMisspeltExpressions,
  createOneOmittedExpressions,
  createSpacingExpressions,
  isUnknownWord,
} from './step-expressions.ts'
import { toWordToken } from './tokens.ts'
import { maxCountPerKind, type SearchRange, searchKinds, type TokenExpression, topicKinds } from './types.ts'

/** Maximum number of documents of each kind that one tolerant step evaluates. */
const maxDocsPerStep = 120
const maxInitialsMatches = 3
/**
 * Cost of a name whose initials were typed: about the cost of a name that matches the query from its second or a later
 * word on.
 */
const initialsCost = 0.4

type EvaluateExpressions = (expressions: TokenExpression[], maxDocCount?: number) => Promise<void>

/**
 * Finds the documents that contain all words as typed, up to `maxCountPerKind` + 1 of each kind, and returns their
 * slots. Evaluates the first `slotsPerKind` of each kind. Also evaluates titles whose initials are the query, and names
 * that equal the query or begin with it when spaces are ignored. If the query is an acronym that the index contains,
 * only documents with this acronym are found.
 */
export async function runLiteralSteps(run: SearchRun, slotsPerKind: number): Promise<number[]> {
  const { query, store, isKidsOnly } = run
  const foundSlots: number[] = []
  const createRange = (kind: SearchRange['kind']): SearchRange => ({ kind, isKidsOnly })
  const wordExpressions: TokenExpression[] =
    query.words.length > 0
      ? query.words.map((_, index) => createLiteralExpression(query, index))
      : query.symbols.map((token) => ({ token, prefix: false }))
  if (wordExpressions.length === 0) return foundSlots
  if (query.acronymToken) {
    const slots = await store.findSlots(
      { token: query.acronymToken, prefix: false },
      createRange('all'),
      maxCountPerKind + 1,
    )
    await evaluateMatches(run, slots.slice(0, slotsPerKind))
    if (slots.length > 0) return slots
  }
  for (const kind of searchKinds) {
    const slots = await store.findSlots(
      createAndExpression(wordExpressions),
      createRange(kind),
      maxCountPerKind + 1,
    )
    foundSlots.push(...slots)
    await evaluateMatches(run, slots.slice(0, slotsPerKind))
    // For `C++` or `100%`, also evaluates less popular names if they contain the symbols.
    if (query.words.length > 0 && query.symbols.length > 0 && slots.length > slotsPerKind) {
      const symbolExpressions = query.symbols.map((token) => ({ token, prefix: false }))
      await evaluateMatches(
        run,
        await store.findSlots(
          createAndExpression([...wordExpressions, ...symbolExpressions]),
          createRange(kind),
          slotsPerKind,
        ),
      )
    }
  }
  await evaluateInitials(run)
  const { fullNameKey, bareNameKey } = query.keys
  if (fullNameKey !== '') {
    await evaluateMatches(
      run,
      await store.findExactKeys([fullNameKey, bareNameKey || fullNameKey], createRange('all'), 60),
    )
    await evaluateMatches(run, await store.findKeyPrefix(fullNameKey, createRange('all'), 60))
  }
  return foundSlots
}

/** Adds the most popular titles of each kind whose names have the query as initials: "got" adds "Game of Thrones". */
async function evaluateInitials(run: SearchRun): Promise<void> {
  const [word = ''] = run.query.words
  if (run.query.words.length !== 1 || !isInitialsQuery(word)) return
  for (const kind of topicKinds) {
    const range: SearchRange = { kind, isKidsOnly: run.isKidsOnly }
    const slots = await run.store.findExactKeys([toInitialsKey(word)], range, maxInitialsMatches)
    for (const candidate of await run.store.loadCandidates(slots)) {
      const score = scoreWithCost(candidate.slot, candidate.popularity, {
        cost: initialsCost,
        topPopularity: run.state.top[kind],
      })
      const previousMatch = run.matches.get(candidate.slot)
      if (!previousMatch || previousMatch.score < score)
        run.matches.set(candidate.slot, { candidate, cost: initialsCost, score, nameIndex: 0 })
      run.evaluatedSlots.add(candidate.slot)
    }
  }
}

/**
 * Runs the tolerant steps. The last three steps (misspelt pairs, sound, beginning of the key) run only if the earlier
 * steps find no good match. With `isLimitedToCheapSteps`, only the steps for misspelt words run.
 */
export async function runTolerantSteps(
  run: SearchRun,
  getCurrentBestCost: () => number,
  isLimitedToCheapSteps: boolean,
): Promise<void> {
  const { query, store, indexStore, state } = run
  const indexWords = await loadIndexWords(indexStore, state)
  const range: SearchRange = { kind: 'all', isKidsOnly: run.isKidsOnly }
  const evaluateExpressions: EvaluateExpressions = async (expressions, maxDocCount = maxDocsPerStep) => {
    if (expressions.length > 0)
      await evaluateMatches(run, await store.findSlots(createOrExpression(expressions), range, maxDocCount))
  }
  if (!isLimitedToCheapSteps) await evaluateExpressions(createSpacingExpressions(run, indexWords))
  const nearWordExpressionLists = query.words.map((word, index) =>
    createNearWordExpressions(run, indexWords, word, index),
  )
  if (query.words.length === 1) await evaluateEachNearWord(run, nearWordExpressionLists[0] ?? [])
  else await evaluateSeveralWords(run, nearWordExpressionLists, indexWords, evaluateExpressions)
  if (isLimitedToCheapSteps || getCurrentBestCost() < 0.9) return
  // The next two steps join misspelt parts of one word, and search by sound. They run only if the index lacks a word of
  // the query, or if the query is in a script other than Latin.
  if (!isLatin(query.writtenText) || query.words.some((word) => !indexWords.has(word))) {
    await evaluateExpressions(
      createJoinedPairExpressions(
        query,
        (index) => createLiteralExpression(query, index),
        (pair, index) => createNearWordExpressions(run, indexWords, pair, index + 1),
      ),
    )
    await evaluateBySound(run, evaluateExpressions)
  }
  const { fullNameKey } = query.keys
  if (fullNameKey.length > 5)
    await evaluateMatches(
      run,
      await store.findKeyPrefix(fullNameKey.slice(0, Math.max(4, fullNameKey.length >> 1)), range, 200),
    )
}

/**
 * Runs three steps for a query of several words, until a step finds a good match. First, one word may be
 * misspelt. Second, every word may be misspelt or belong to the name of a cast member. Third, one word may be
 * missing.
 */
async function evaluateSeveralWords(
  run: SearchRun,
  nearWordExpressionLists: TokenExpression[][],
  indexWords: IndexWords,
  evaluateExpressions: EvaluateExpressions,
): Promise<void> {
  const { query } = run
  const literalExpressions = query.words.map((_, index) => createLiteralExpression(query, index))
  // A word that no document contains must be the misspelt word. If there are several such words, replacing one of them
  // finds nothing, so this step looks up nothing.
  const unknownWordIndexes = query.words.flatMap((_, index) =>
    isUnknownWord(run, indexWords, index) ? [index] : [],
  )
  const misspeltWordIndexes =
    unknownWordIndexes.length === 0
      ? query.words.map((_, index) => index)
      : unknownWordIndexes.length === 1
        ? unknownWordIndexes
        : []
  await evaluateExpressions(
    misspeltWordIndexes.flatMap((index) =>
      createOneMisspeltExpressions(literalExpressions, nearWordExpressionLists, index),
    ),
  )
  if (getLowestCost(run.matches) < 1.1) return
  const tolerantExpressions = query.words.map((_, index) =>
    createOrExpression([
      createLiteralOrCastExpression(query, index),
      ...nearWordExpressionLists[index]!,
      ...toCastExpressions(nearWordExpressionLists[index]!),
    ]),
  )
  await evaluateExpressions([createAndExpression(tolerantExpressions)])
  if (getLowestCost(run.matches) < 1.7) return
  await evaluateExpressions(createOneOmittedExpressions(run, tolerantExpressions, literalExpressions))
}

/** Returns expressions that look up the same words in the names of people. Omits expressions of prefixes. */
const toCastExpressions = (expressions: TokenExpression[]): TokenExpression[] =>
  expressions.flatMap((expression) =>
    'token' in expression && !expression.prefix
      ? [{ token: toCastToken(expression.token), prefix: false }]
      : [],
  )

/**
 * For a query of one word, looks up the index words that are nearest to this word. First finds documents whose whole
 * name is one of these words. Then looks up each of the 12 nearest words separately, so that popular matches of one
 * word do not displace matches of another word. The remaining near words are looked up together.
 */
async function evaluateEachNearWord(run: SearchRun, nearWordExpressions: TokenExpression[]): Promise<void> {
  const range: SearchRange = { kind: 'all', isKidsOnly: run.isKidsOnly }
  const nearWordTokens = nearWordExpressions.flatMap((expression) =>
    'token' in expression && !expression.prefix ? [expression.token] : [],
  )
  await evaluateMatches(run, await run.store.findExactKeys(nearWordTokens, range, 10))
  for (const expression of nearWordExpressions.slice(0, 12))
    await evaluateMatches(run, await run.store.findSlots(expression, range, 10))
  if (nearWordExpressions.length > 12)
    await evaluateMatches(
      run,
      await run.store.findSlots(createOrExpression(nearWordExpressions.slice(12)), range, maxDocsPerStep),
    )
}

/**
 * Evaluates documents that contain, for every word of the query, a word with the same sound in any script. A
 * query in a script other than Latin also accepts documents that match only one word. Words of the query are
 * ignored if they have no skeleton, or if no word of the index has the same skeleton.
 */
async function evaluateBySound(run: SearchRun, evaluateExpressions: EvaluateExpressions): Promise<void> {
  const soundExpressions: TokenExpression[] = []
  for (const [index, word] of run.query.words.slice(0, 8).entries()) {
    const sound = computeSoundSkeleton(word)
    const similarWords = sound === '' ? [] : await run.store.findWordsBySound(sound, 40)
    if (similarWords.length === 0) continue
    soundExpressions.push(
      createOrExpression([
        createLiteralExpression(run.query, index),
        ...similarWords.map((similarWord) => ({ token: toWordToken(similarWord), prefix: false })),
      ]),
    )
  }
  if (soundExpressions.length > 0) await evaluateExpressions([createAndExpression(soundExpressions)])
  if (!isLatin(run.query.writtenText))
    for (const expression of soundExpressions.slice(0, 3)) await evaluateExpressions([expression], 40)
}
