/** The readings of a query, from literal to generous, as questions to the index. */
import { wordCost } from './edit.ts'
import { isVocabulary } from './entry.ts'
import { bestCost, judge, type Run } from './judge.ts'
import { all, any, joined, literal, literalOrCast, respaced } from './query.ts'
import { isLatin, skeleton } from './sound.ts'
import { isArticle, variants, wordToken } from './tokens.ts'
import { countCap, type Expression, kinds, type Range } from './types.ts'
import { type Words, wordsOf } from './words.ts'

/** Documents of each kind that one wider reading may bring in. */
const guessLimit = 120
/** Near words looked up for one word, and for all words of a query together. */
const maxNear = 48
const maxNearAll = 120

type Ask = (parts: Expression[], limit?: number) => Promise<void>

/** Everything that holds all the words as typed, up to just over `countCap` a kind; the best part of it judged. */
export async function literalSteps(run: Run, perKind: number): Promise<number[]> {
  const { query, store, kids } = run
  const found: number[] = []
  const range = (kind: Range['kind']): Range => ({ kind, kids })
  const groups: Expression[] =
    query.words.length > 0
      ? query.words.map((_, at) => literal(query, at))
      : query.symbols.map((token) => ({ token, prefix: false }))
  if (groups.length === 0) return found
  for (const kind of kinds) {
    const slots = await store.match(all(groups), range(kind), countCap + 1)
    found.push(...slots)
    await judge(run, slots.slice(0, perKind))
    // `C++` and `100%`: of the names that hold the words, first those that hold the signs too.
    if (query.words.length > 0 && query.symbols.length > 0 && slots.length > perKind) {
      const signs = query.symbols.map((token) => ({ token, prefix: false }))
      await judge(run, await store.match(all([...groups, ...signs]), range(kind), perKind))
    }
  }
  const { full, bare } = query.keys
  if (full !== '') {
    await judge(run, await store.exactKeys([full, bare || full], range('all'), 60))
    await judge(run, await store.prefixKeys(full, range('all'), 60))
  }
  return found
}

/** Wider readings, one after another until one is convincing; `lightly`, only one misspelt word is thought of. */
export async function widerSteps(run: Run, best: () => number, lightly: boolean): Promise<void> {
  const { query, store, state } = run
  const words = await wordsOf(store, state)
  const range: Range = { kind: 'all', kids: run.kids }
  const ask: Ask = async (parts, limit = guessLimit) => {
    if (parts.length > 0) await judge(run, await store.match(any(parts), range, limit))
  }
  if (!lightly) await ask(spacing(run, words))
  const near = query.words.map((word, at) => nearby(run, words, word, at))
  if (query.words.length === 1) await eachNear(run, near[0] ?? [])
  else await severalWords(run, near, words, ask)
  if (lightly || best() < 0.9) return
  // Spelling by ear, and pairs of misspelt halves, only where some word is in no document at all.
  if (!isLatin(query.written) || query.words.some((word) => !words.known(word))) {
    await ask(
      joined(
        query,
        (at) => literal(query, at),
        (pair, at) => nearby(run, words, pair, at + 1),
      ),
    )
    await bySound(run, ask)
  }
  const { full } = query.keys
  if (full.length > 5)
    await judge(run, await store.prefixKeys(full.slice(0, Math.max(4, full.length >> 1)), range, 200))
}

/** One word misspelt, then any of them or part of a name in the cast, then one of them missing. */
async function severalWords(run: Run, near: Expression[][], words: Words, ask: Ask): Promise<void> {
  const { query } = run
  const literals = query.words.map((_, at) => literal(query, at))
  // A word that no document holds can only be the misspelt one.
  const unknown = query.words.flatMap((_, at) => (isUnknown(run, words, at) ? [at] : []))
  const wrong = unknown.length === 0 ? query.words.map((_, at) => at) : unknown.length === 1 ? unknown : []
  await ask(wrong.flatMap((at) => oneWrong(literals, near, at)))
  if (bestCost(run.pool) < 1.1) return
  const loose = query.words.map((_, at) => any([literalOrCast(query, at), ...near[at]!]))
  await ask([all(loose)])
  if (bestCost(run.pool) < 1.7) return
  await ask(oneMissing(run, loose, literals))
}

function isUnknown({ query }: Run, words: Words, at: number): boolean {
  const word = query.words[at] ?? ''
  if (query.open && at === query.words.length - 1) return false
  return isVocabulary(word) && !words.known(word) && variants(query.words, at).length === 0
}

/** Words run together or torn apart, and words that are the name of somebody in the cast. */
function spacing(run: Run, words: Words): Expression[] {
  const { query } = run
  const group = (at: number) => any([literalOrCast(query, at), ...respaced(query, at, words.known)])
  const torn = query.words.map((_, at) => respaced(query, at, words.known))
  const ways = joined(
    query,
    (at) => literal(query, at),
    (pair, at) => {
      const open = query.open && at + 2 === query.words.length
      return open || words.known(pair) ? [{ token: wordToken(pair), prefix: open }] : []
    },
  )
  if (query.words.length > 1 || torn.some((parts) => parts.length > 0)) {
    ways.push(all(query.words.map((_, at) => group(at))))
  }
  return ways
}

/** How many edits a word of this length may hold. */
const editsFor = (length: number) => (length < 2 ? 0 : length < 5 ? 1 : 2)

/** Words of the index near the one typed, the likeliest first. */
function nearby(run: Run, words: Words, word: string, at: number): Expression[] {
  const open = run.query.open && at === run.query.words.length - 1
  const edits = editsFor(word.length)
  if (edits === 0 || /^\d+$/.test(word)) return []
  const found = [...words.near(word, { edits: 1, sameFirst: false, open: open && word.length > 3 })]
  if (edits === 2) found.push(...words.near(word, { edits: 2, sameFirst: true, open: false }))
  const cost = new Map<string, number>()
  for (const { word: other, weight, beginning } of found) {
    if (other === word) continue
    const value = wordCost(word, other, false, 3) - weight / 500 + (beginning ? 0.3 : 0)
    cost.set(`${other}${beginning ? '*' : ''}`, value)
  }
  return [...cost]
    .sort((a, b) => a[1] - b[1])
    .slice(0, Math.min(maxNear, Math.ceil(maxNearAll / run.query.words.length)))
    .map(([other]) =>
      other.endsWith('*') ? { token: other.slice(0, -1), prefix: true } : { token: other, prefix: false },
    )
}

function oneWrong(literals: Expression[], near: Expression[][], wrong: number): Expression[] {
  const options = near[wrong] ?? []
  if (options.length === 0) return []
  return [all(literals.map((group, at) => (at === wrong ? any(options) : group)))]
}

/** All words but one. Articles and the like are not worth keeping when another word is left out. */
function oneMissing(run: Run, loose: Expression[], literals: Expression[]): Expression[] {
  const strong = run.query.words.flatMap((word, at) => (isArticle(word) || word.length < 2 ? [] : [at]))
  if (strong.length === 0) return []
  const without = (left: number) => strong.filter((at) => at !== left)
  const ways =
    strong.length < 2 ? [] : strong.slice(0, 12).map((left) => all(without(left).map((at) => literals[at]!)))
  return strong.length < run.query.words.length ? [all(strong.map((at) => loose[at]!)), ...ways] : ways
}

/** One word only: whole names first, then the nearest words each on its own, so that popular ones do not hide them. */
async function eachNear(run: Run, near: Expression[]): Promise<void> {
  const range: Range = { kind: 'all', kids: run.kids }
  const names = near.flatMap((option) => ('token' in option && !option.prefix ? [option.token] : []))
  await judge(run, await run.store.exactKeys(names, range, 10))
  for (const option of near.slice(0, 12)) await judge(run, await run.store.match(option, range, 10))
  if (near.length > 12) await judge(run, await run.store.match(any(near.slice(12)), range, guessLimit))
}

/** Words that sound alike, in any alphabet: all of them, across alphabets then any. Words too short to have a sound are let go. */
async function bySound(run: Run, ask: Ask): Promise<void> {
  const groups: Expression[] = []
  for (const [at, word] of run.query.words.slice(0, 8).entries()) {
    const sound = skeleton(word)
    const alike = sound === '' ? [] : await run.store.soundsLike(sound, 40)
    if (alike.length === 0) continue
    groups.push(any([literal(run.query, at), ...alike.map((w) => ({ token: wordToken(w), prefix: false }))]))
  }
  if (groups.length > 0) await ask([all(groups)])
  if (!isLatin(run.query.written)) for (const group of groups.slice(0, 3)) await ask([group], 40)
}
