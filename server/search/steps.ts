/** The steps of a search, from exact to tolerant. Each step asks the index for documents and evaluates them. */
import { wordCost } from './edit.ts'
import { isVocabulary } from './entry.ts'
import { bestCost, judge, type Run } from './judge.ts'
import { all, any, joined, literal, literalOrCast, respaced } from './query.ts'
import { isLatin, skeleton } from './sound.ts'
import { isArticle, variants, wordToken } from './tokens.ts'
import { countCap, type Expression, kinds, type Range } from './types.ts'
import { type Words, wordsOf } from './words.ts'

/** Documents of each kind that one wider step may evaluate. */
const maxDocsPerStep = 120
/** Maximum number of near words looked up for one word, and for all words of a query together. */
const maxNearPerWord = 48
const maxNearPerQuery = 120

type EvaluateExpressions = (parts: Expression[], limit?: number) => Promise<void>

/**
 * Finds the documents that contain all words as typed, up to `countLimit` + 1 of each kind, and evaluates the first
 * `perKind` of each. Returns all slots found.
 */
export async function literalSteps(run: Run, perKind: number): Promise<number[]> {
  const { query, store, kids } = run
  const foundSlots: number[] = []
  const rangeOf = (kind: Range['kind']): Range => ({ kind, kids })
  const wordExpressions: Expression[] =
    query.words.length > 0
      ? query.words.map((_, index) => literal(query, index))
      : query.symbols.map((token) => ({ token, prefix: false }))
  if (wordExpressions.length === 0) return foundSlots
  for (const kind of kinds) {
    const slots = await store.match(all(wordExpressions), rangeOf(kind), countCap + 1)
    foundSlots.push(...slots)
    await judge(run, slots.slice(0, perKind))
    // For `C++` or `100%`, names that contain the symbols too are evaluated first.
    if (query.words.length > 0 && query.symbols.length > 0 && slots.length > perKind) {
      const symbolExpressions = query.symbols.map((token) => ({ token, prefix: false }))
      await judge(
        run,
        await store.match(all([...wordExpressions, ...symbolExpressions]), rangeOf(kind), perKind),
      )
    }
  }
  const { full, bare } = query.keys
  if (full !== '') {
    await judge(run, await store.exactKeys([full, bare || full], rangeOf('all'), 60))
    await judge(run, await store.prefixKeys(full, rangeOf('all'), 60))
  }
  return foundSlots
}

/** Runs wider steps until one finds a good match. With `cheapStepsOnly`, only single misspelt words are considered. */
export async function widerSteps(
  run: Run,
  currentBest: () => number,
  cheapStepsOnly: boolean,
): Promise<void> {
  const { query, store, state } = run
  const words = await wordsOf(store, state)
  const range: Range = { kind: 'all', kids: run.kids }
  const evaluateExpressions: EvaluateExpressions = async (expressions, limit = maxDocsPerStep) => {
    if (expressions.length > 0) await judge(run, await store.match(any(expressions), range, limit))
  }
  if (!cheapStepsOnly) await evaluateExpressions(spacingExpressions(run, words))
  const nearWords = query.words.map((word, index) => nearWordExpressions(run, words, word, index))
  if (query.words.length === 1) await evaluateEachNear(run, nearWords[0] ?? [])
  else await evaluateSeveralWords(run, nearWords, words, evaluateExpressions)
  if (cheapStepsOnly || currentBest() < 0.9) return
  // Phonetic search and pairs of misspelt halves run only when some word is in no document or in another script.
  if (!isLatin(query.written) || query.words.some((word) => !words.known(word))) {
    await evaluateExpressions(
      joined(
        query,
        (index) => literal(query, index),
        (pair, index) => nearWordExpressions(run, words, pair, index + 1),
      ),
    )
    await evaluateBySound(run, evaluateExpressions)
  }
  const { full } = query.keys
  if (full.length > 5)
    await judge(run, await store.prefixKeys(full.slice(0, Math.max(4, full.length >> 1)), range, 200))
}

/**
 * For queries of several words: first one misspelt word, then any of them misspelt or part of a cast name, then one
 * of them missing.
 */
async function evaluateSeveralWords(
  run: Run,
  nearWords: Expression[][],
  words: Words,
  evaluateExpressions: EvaluateExpressions,
): Promise<void> {
  const { query } = run
  const literalExpressions = query.words.map((_, index) => literal(query, index))
  // A word that no document contains must be the misspelt one.
  const unknownIndexes = query.words.flatMap((_, index) => (isUnknownWord(run, words, index) ? [index] : []))
  const misspeltIndexes =
    unknownIndexes.length === 0
      ? query.words.map((_, index) => index)
      : unknownIndexes.length === 1
        ? unknownIndexes
        : []
  await evaluateExpressions(
    misspeltIndexes.flatMap((index) => oneMisspelt(literalExpressions, nearWords, index)),
  )
  if (bestCost(run.pool) < 1.1) return
  const tolerantExpressions = query.words.map((_, index) =>
    any([literalOrCast(query, index), ...nearWords[index]!]),
  )
  await evaluateExpressions([all(tolerantExpressions)])
  if (bestCost(run.pool) < 1.7) return
  await evaluateExpressions(oneMissing(run, tolerantExpressions, literalExpressions))
}

function isUnknownWord({ query }: Run, words: Words, index: number): boolean {
  const word = query.words[index] ?? ''
  if (query.open && index === query.words.length - 1) return false
  return isVocabulary(word) && !words.known(word) && variants(query.words, index).length === 0
}

/** Expressions for words written together or split, and for words that belong to the name of a cast member. */
function spacingExpressions(run: Run, words: Words): Expression[] {
  const { query } = run
  const wordExpression = (index: number) =>
    any([literalOrCast(query, index), ...respaced(query, index, words.known)])
  const splitExpressions = query.words.map((_, index) => respaced(query, index, words.known))
  const alternatives = joined(
    query,
    (index) => literal(query, index),
    (pair, index) => {
      const prefix = query.open && index + 2 === query.words.length
      return prefix || words.known(pair) ? [{ token: wordToken(pair), prefix }] : []
    },
  )
  if (query.words.length > 1 || splitExpressions.some((expressions) => expressions.length > 0)) {
    alternatives.push(all(query.words.map((_, index) => wordExpression(index))))
  }
  return alternatives
}

/** Number of edits allowed for a word of this length. */
const editsFor = (length: number) => (length < 2 ? 0 : length < 5 ? 1 : 2)

/** Expressions for the words of the index nearest to the typed one, the likeliest first. */
function nearWordExpressions(run: Run, words: Words, word: string, index: number): Expression[] {
  const prefix = run.query.open && index === run.query.words.length - 1
  const edits = editsFor(word.length)
  if (edits === 0 || /^\d+$/.test(word)) return []
  const nearMatches = [...words.near(word, { edits: 1, sameFirst: false, open: prefix && word.length > 3 })]
  if (edits === 2) nearMatches.push(...words.near(word, { edits: 2, sameFirst: true, open: false }))
  const costByToken = new Map<string, number>()
  for (const { word: nearWord, weight, beginning } of nearMatches) {
    if (nearWord === word) continue
    const cost = wordCost(word, nearWord, false, 3) - weight / 500 + (beginning ? 0.3 : 0)
    costByToken.set(`${nearWord}${beginning ? '*' : ''}`, cost)
  }
  return [...costByToken]
    .sort((a, b) => a[1] - b[1])
    .slice(0, Math.min(maxNearPerWord, Math.ceil(maxNearPerQuery / run.query.words.length)))
    .map(([nearWord]) =>
      nearWord.endsWith('*')
        ? { token: nearWord.slice(0, -1), prefix: true }
        : { token: nearWord, prefix: false },
    )
}

function oneMisspelt(
  literalExpressions: Expression[],
  nearWords: Expression[][],
  misspeltIndex: number,
): Expression[] {
  const replacements = nearWords[misspeltIndex] ?? []
  if (replacements.length === 0) return []
  return [
    all(
      literalExpressions.map((expression, index) =>
        index === misspeltIndex ? any(replacements) : expression,
      ),
    ),
  ]
}

/** Expressions for all words but one. Articles and single letters are left out as well. */
function oneMissing(
  run: Run,
  tolerantExpressions: Expression[],
  literalExpressions: Expression[],
): Expression[] {
  const significantIndexes = run.query.words.flatMap((word, index) =>
    isArticle(word) || word.length < 2 ? [] : [index],
  )
  if (significantIndexes.length === 0) return []
  const indexesWithout = (omitted: number) => significantIndexes.filter((index) => index !== omitted)
  const alternatives =
    significantIndexes.length < 2
      ? []
      : significantIndexes
          .slice(0, 12)
          .map((omitted) => all(indexesWithout(omitted).map((index) => literalExpressions[index]!)))
  return significantIndexes.length < run.query.words.length
    ? [all(significantIndexes.map((index) => tolerantExpressions[index]!)), ...alternatives]
    : alternatives
}

/**
 * For queries of one word: first whole names, then each of the nearest words separately, so that popular matches of
 * one do not displace matches of another.
 */
async function evaluateEachNear(run: Run, nearWords: Expression[]): Promise<void> {
  const range: Range = { kind: 'all', kids: run.kids }
  const words = nearWords.flatMap((expression) =>
    'token' in expression && !expression.prefix ? [expression.token] : [],
  )
  await judge(run, await run.store.exactKeys(words, range, 10))
  for (const expression of nearWords.slice(0, 12))
    await judge(run, await run.store.match(expression, range, 10))
  if (nearWords.length > 12)
    await judge(run, await run.store.match(any(nearWords.slice(12)), range, maxDocsPerStep))
}

/**
 * Finds documents that contain a word with the same sound for every word of the query, in any script. A query in
 * another script than Latin also accepts documents that match one word. Words without a skeleton are ignored.
 */
async function evaluateBySound(run: Run, evaluateExpressions: EvaluateExpressions): Promise<void> {
  const soundExpressions: Expression[] = []
  for (const [index, word] of run.query.words.slice(0, 8).entries()) {
    const sound = skeleton(word)
    const similarWords = sound === '' ? [] : await run.store.soundsLike(sound, 40)
    if (similarWords.length === 0) continue
    soundExpressions.push(
      any([
        literal(run.query, index),
        ...similarWords.map((similarWord) => ({ token: wordToken(similarWord), prefix: false })),
      ]),
    )
  }
  if (soundExpressions.length > 0) await evaluateExpressions([all(soundExpressions)])
  if (!isLatin(run.query.written))
    for (const expression of soundExpressions.slice(0, 3)) await evaluateExpressions([expression], 40)
}
