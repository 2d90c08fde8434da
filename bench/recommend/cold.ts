import { buildModel } from '../../server/recommend/model.ts'
import { topPicks } from '../../server/recommend/picks.ts'
import { fixed, hits, mean, random, ratioInterval, withInterval } from './metrics.ts'
import { interactions, type RatingSet, signals, split } from './movielens.ts'
import { counts, likes, yearOf } from './temporal.ts'

type Parts = ReturnType<typeof split>

const folds = 5

const recall = (list: readonly number[], wanted: ReadonlySet<number>): number =>
  hits(list, wanted, 15) / wanted.size

interface Compared {
  readonly ours: number[]
  readonly popular: number[]
}

/** A model that never met the users of one fold, and the titles by how often the others rated them. */
function without(set: RatingSet, rows: RatingSet['users'], fold: number) {
  const train = rows.map((row, user) => (user % folds === fold ? [] : [...row]))
  const model = buildModel(set.titles, interactions(train), { version: 'bench' })
  const count = counts(set, { train, test: [] })
  return { model, order: [...count.keys()].sort((a, b) => count[b]! - count[a]! || a - b) }
}

/**
 * New profiles: the model never met the user (five folds); the profile shows the last `shown` likes of the user's
 * training part and nothing else. Relevant are the likes of the test part; both lists leave out what is shown and
 * what is not released yet.
 */
export function newProfiles(set: RatingSet, parts: Parts, shown: number): Compared {
  const result: Compared = { ours: [], popular: [] }
  for (let fold = 0; fold < folds; fold++) {
    const { model, order } = without(set, parts.train, fold)
    parts.train.forEach((row, user) => {
      const wanted = likes(parts.test[user]!)
      const known = signals(row).filter((_, at) => row[at]!.rating >= 4)
      if (user % folds !== fold || wanted.size === 0 || known.length < shown) return
      const few = known.slice(-shown).map(({ weight: _, ...signal }) => signal)
      const now = yearOf(row)
      const scope = (key: number): boolean => (set.titles[key]!.year ?? 0) <= now
      const seen = new Set(few.map((signal) => signal.titleKey!))
      const list = topPicks(model, few, { limit: 15, scope }).map((pick) => pick.key)
      result.ours.push(recall(list, wanted))
      const most = order.filter((key) => !seen.has(key) && scope(key)).slice(0, 15)
      result.popular.push(recall(most, wanted))
    })
  }
  return result
}

/**
 * The usual protocol for unknown users (strong generalisation), beside the one with the bar: nothing of the user is
 * in the model, one like drawn from all of them is shown and every other like is relevant, earlier or later.
 * `ours` and `popular` are recall@15, `found` the same out of at most 15.
 */
export function oneOfAll(set: RatingSet): Compared & { readonly found: Compared } {
  const draw = random(5)
  const result = { ours: [] as number[], popular: [] as number[] }
  const found = { ours: [] as number[], popular: [] as number[] }
  for (let fold = 0; fold < folds; fold++) {
    const { model, order } = without(set, set.users, fold)
    set.users.forEach((row, user) => {
      const liked = [...likes(row)]
      if (user % folds !== fold || liked.length < 2) return
      const titleKey = liked[Math.floor(draw() * liked.length)]!
      const wanted = new Set(liked.filter((key) => key !== titleKey))
      const now = yearOf(row)
      const scope = (key: number): boolean => (set.titles[key]!.year ?? 0) <= now
      const signal = { kind: 'liked', titleKey, at: 0 } as const
      const list = topPicks(model, [signal], { limit: 15, scope }).map((pick) => pick.key)
      const most = order.filter((key) => key !== titleKey && scope(key)).slice(0, 15)
      const larger = wanted.size / Math.min(15, wanted.size)
      for (const [who, keys] of [['ours', list] as const, ['popular', most] as const]) {
        result[who].push(recall(keys, wanted))
        found[who].push(recall(keys, wanted) * larger)
      }
    })
  }
  return { ...result, found }
}

/**
 * New titles: a fifth of the titles is taken out of training altogether (as signals too). Relevant are the liked
 * test titles among them. `among`: rank only the new titles, or all unseen ones.
 */
export function newTitles(set: RatingSet, parts: Parts, among: 'new' | 'all', fold = 0) {
  const draw = random(11)
  const part = set.titles.map(() => Math.floor(draw() * folds))
  const fresh = (key: number): boolean => part[key] === fold
  const train = parts.train.map((row) => row.filter((one) => !fresh(one.key)))
  const model = buildModel(set.titles, interactions(train), { version: 'bench' })
  const count = counts(set, { train, test: [] })
  const votes = set.titles.map((title) => title.votes)
  const shuffled = set.titles.map(() => draw())
  const by = (score: (key: number) => number): number[] =>
    [...set.titles.keys()].sort((a, b) => score(b) - score(a) || shuffled[a]! - shuffled[b]!)
  const byCount = by((key) => count[key]!)
  const byVotes = by((key) => votes[key]!)
  const result: Compared & { votes: number[] } = { ours: [], popular: [], votes: [] }
  parts.train.forEach((row, user) => {
    const wanted = new Set([...likes(parts.test[user]!)].filter(fresh))
    if (wanted.size === 0) return
    const now = yearOf(row)
    const seen = new Set(row.map((one) => one.key))
    const scope = (key: number): boolean =>
      !seen.has(key) && (among === 'all' || fresh(key)) && (set.titles[key]!.year ?? 0) <= now
    const list = topPicks(model, signals(train[user]!), { limit: 15, scope }).map((pick) => pick.key)
    result.ours.push(recall(list, wanted))
    result.popular.push(recall(byCount.filter(scope).slice(0, 15), wanted))
    result.votes.push(recall(byVotes.filter(scope).slice(0, 15), wanted))
  })
  return result
}

const ratio = (a: readonly number[], b: readonly number[]): string => `${fixed(mean(a) / mean(b), 2)} times`

/** True when every kind of newcomer is served at least twice as well as by TopPopular. */
export function cold(set: RatingSet, parts: Parts = split(set.users)): boolean {
  let twice = true
  for (const shown of [1, 3, 5]) {
    const { ours, popular } = newProfiles(set, parts, shown)
    twice &&= mean(ours) >= 2 * mean(popular)
    console.log(
      `  profile shows ${shown} like(s)  users ${ours.length}  recall@15 ${withInterval(ours)}  ` +
        `TopPopular ${fixed(mean(popular))}  ${ratio(ours, popular)} ` +
        `[${ratioInterval(ours, popular)
          .map((bound) => fixed(bound, 2))
          .join(', ')}]`,
    )
  }
  const { found, ...any } = oneOfAll(set)
  for (const [name, { ours, popular }] of [['recall@15', any] as const, ['of at most 15', found] as const])
    console.log(
      `  any like shown, all others relevant (no bar)  users ${ours.length}  ${name} ${withInterval(ours)}  ` +
        `TopPopular ${withInterval(popular)}  ${ratio(ours, popular)}`,
    )
  for (const among of ['new', 'all'] as const) {
    const runs = Array.from({ length: folds }, (_, fold) => newTitles(set, parts, among, fold))
    const ours = runs.flatMap((run) => run.ours)
    const popular = runs.flatMap((run) => run.popular)
    const votes = runs.flatMap((run) => run.votes)
    if (among === 'new') twice &&= mean(ours) >= 2 * mean(popular)
    console.log(
      `  titles never trained on, ranked among ${among === 'new' ? 'new titles' : 'all titles'}  ` +
        `lists ${ours.length}  recall@15 ${withInterval(ours)}  TopPopular ${fixed(mean(popular))}  ` +
        `catalogue votes ${fixed(mean(votes))}  ${ratio(ours, votes)} the votes`,
    )
  }
  return twice
}
