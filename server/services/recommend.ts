/** Top picks, genre rows and similar titles: the engine's answers (server/recommend/) as cards, with their reasons. */
import type { Recommendation } from '../../src/lib/contract/recommend.ts'
import { GENRE_NAMES } from '../../src/lib/rules/genres.ts'
import type { BrowseFilters } from '../browse/types.ts'
import type { Deps } from '../deps.ts'
import type { ProfileCaller, Viewer } from '../http/caller.ts'
import { titlesInOrder } from '../queries/browse.ts'
import { signalsOff } from '../queries/signal.ts'
import { popularPicks } from '../recommend/fallback.ts'
import * as genreRows from '../recommend/genre-rows.ts'
import * as picks from '../recommend/picks.ts'
import * as neighbours from '../recommend/similar.ts'
import { type Pick, type Reason, type Scope, type Signal, signalId } from '../recommend/types.ts'
import { cardsOf, titleLanguage } from './cards.ts'
import { find, idOf } from './catalogue.ts'
import { hiddenTitles, namesOf, signalsOf } from './signals.ts'

interface Picks {
  limit: number
  type?: 'movie' | 'tv' | undefined
  rating?: number | undefined
  'rating-votes'?: number | undefined
  kids?: boolean | undefined
  'include-rated'?: boolean | undefined
  'exclude-rated'?: boolean | undefined
  'genres-included'?: number[] | undefined
  'genres-excluded'?: number[] | undefined
}
interface By<C> {
  deps: Deps
  caller: C
}

const audienceFor = (caller: Viewer, kids: boolean | undefined) => ({
  kids: caller.audience.kids || kids === true,
})

/** What a profile may be offered: its signals, those it switched off, and which titles are in question at all. */
async function asked({ deps, caller }: By<ProfileCaller>, query: Omit<Picks, 'limit'>) {
  const { primary } = deps.database
  const [all, off] = await Promise.all([
    signalsOf(primary, caller.profile),
    signalsOff(primary, caller.profile.profile_id),
  ])
  const audience = audienceFor(caller, query.kids)
  const given = {
    rating: query.rating,
    votes: query['rating-votes'],
    include: query['genres-included'],
    exclude: query['genres-excluded'],
  }
  const filters = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as BrowseFilters
  const fits = await deps.browse.fits(query.type, { audience, filters })
  const gone = hiddenTitles(all)
  const again =
    query['include-rated'] === true && query['exclude-rated'] !== true
      ? all.flatMap((one) => (one.kind === 'liked' && one.titleKey !== undefined ? [one.titleKey] : []))
      : []
  return {
    signals: all,
    options: {
      scope: (key: number) => fits(key) && !gone.has(key),
      again: new Set(again),
      off: new Set(off),
      kids: audience.kids,
      ...(query.type && { type: query.type }),
    },
  }
}

/** The order that the server has anyway, while there is no model. */
async function popular(deps: Deps, signals: Parameters<typeof popularPicks>[1], scope: Scope, limit: number) {
  const pages = (['movie', 'tv'] as const).map((type) =>
    deps.browse.page(type, {
      audience: { kids: false },
      filters: {},
      order: 'popularity.desc',
      offset: 0,
      limit: 500,
    }),
  )
  const [movies, series] = (await Promise.all(pages)).map((page) => page.ids)
  const mixed = (movies ?? []).flatMap((id, at) => [id, ...(series?.[at] === undefined ? [] : [series[at]])])
  return popularPicks(mixed, signals, { limit, scope })
}

async function answer(deps: Deps, caller: Viewer, chosen: readonly Pick[]): Promise<Recommendation[]> {
  const rows = await titlesInOrder(
    deps.database.reader,
    caller.audience,
    chosen.map((pick) => pick.key),
  )
  const cards = await cardsOf(deps, rows, titleLanguage(caller))
  const reasons = new Map(chosen.map((pick) => [String(pick.key), pick.reasons]))
  const named = chosen.flatMap((pick) => pick.reasons.flatMap((reason) => reason.key ?? []))
  const names = await namesOf(deps, caller, named)
  return cards.map((card) => ({
    ...card,
    reasons: (reasons.get(card.id) ?? []).flatMap((one) => told(one, names)),
  }))
}

/** A reason is told only when the caller may know of the title that it names. */
function told({ kind, key, genre, signal }: Reason, names: Map<number, string>): Recommendation['reasons'] {
  const title = key === undefined ? undefined : names.get(key)
  if (key !== undefined && title === undefined) return []
  return [
    {
      kind,
      ...(key !== undefined && { media_id: String(key) }),
      ...(title !== undefined && { title }),
      ...(genre !== undefined && { genre }),
      ...(signal !== undefined && { signal }),
    },
  ]
}

export async function topPicks(by: By<ProfileCaller>, query: Picks) {
  const { deps, caller } = by
  const { signals, options } = await asked(by, query)
  const model = deps.recommender.current()
  const chosen = model
    ? picks.topPicks(model, signals, { ...options, limit: query.limit })
    : await popular(deps, signals, options.scope, query.limit)
  return { results: await answer(deps, caller, chosen) }
}

interface GenreRows extends Omit<Picks, 'limit'> {
  'genres-limit': number
  'result-limit': number
}

/** The profile's favourite genres, each with its best titles; no title stands in two rows. */
export async function topGenres(by: By<ProfileCaller>, query: GenreRows) {
  const { deps, caller } = by
  const { signals, options } = await asked(by, query)
  const model = deps.recommender.current()
  if (!model) return { results: [] }
  const limits = { limit: query['result-limit'], genres: query['genres-limit'] }
  const rows = genreRows.topGenres(model, signals, { ...options, ...limits })
  return {
    results: await Promise.all(
      rows.map(async ({ genre, picks: chosen }) => ({
        genre: { id: genre, name: GENRE_NAMES[genre] ?? String(genre) },
        results: await answer(deps, caller, chosen),
      })),
    ),
  }
}

interface BecauseRows {
  rows: number
  'result-limit': number
  kids?: boolean | undefined
}
/** Whether a deed begins a row, and the words of its reason. */
const BEGINS: Partial<Record<Signal['kind'], Reason['kind']>> = {
  completed: 'watched',
  watched: 'watched',
  liked: 'liked',
}

/** What is most like the titles watched or liked last, a row each; a signal that is switched off begins none. */
export async function because(by: By<ProfileCaller>, query: BecauseRows) {
  const { deps, caller } = by
  const { signals, options } = await asked(by, query)
  const model = deps.recommender.current()
  if (!model) return { results: [] }
  const deeds = signals
    .filter((one) => BEGINS[one.kind] && !options.off.has(signalId(one)))
    .sort((a, b) => b.at - a.at || (a.titleKey ?? 0) - (b.titleKey ?? 0))
    .slice(0, query.rows * 4)
  const known = new Set(signals.flatMap((one) => one.titleKey ?? []))
  const names = await namesOf(
    deps,
    caller,
    deeds.flatMap((one) => one.titleKey ?? []),
  )
  const rows: { because: Recommendation['reasons'][number]; results: Recommendation[] }[] = []
  const shown = new Set<number>()
  for (const deed of deeds) {
    const { titleKey: key } = deed
    const kind = BEGINS[deed.kind]
    if (rows.length === query.rows || key === undefined || !kind || !names.has(key) || shown.has(key))
      continue
    const scope = (one: number) => options.scope(one) && !known.has(one) && !shown.has(one)
    const found = neighbours.similar(model, key, { limit: query['result-limit'], scope, kids: options.kids })
    if (found.length === 0) continue
    for (const one of found) shown.add(one.key)
    shown.add(key)
    const reason = { kind, key, signal: signalId(deed), share: 1 }
    const results = await answer(
      deps,
      caller,
      found.map((one) => ({ ...one, reasons: [reason] })),
    )
    rows.push(...told(reason, names).map((one) => ({ because: one, results })))
  }
  return { results: rows }
}

interface Similar {
  limit: number
  type?: 'movie' | 'tv' | undefined
  kids?: boolean | undefined
}

/** Neighbours of a title, the same for everybody but for what they may see and what they said they do not like. */
export async function similar({ deps, caller }: By<Viewer>, mediaId: string, query: Similar) {
  const title = await find(deps, caller, null, { id: idOf(mediaId) })
  const type = query.type ?? (title.type as 'movie' | 'tv')
  const audience = audienceFor(caller, query.kids)
  const gone = caller.acting
    ? hiddenTitles(await signalsOf(deps.database.primary, caller.acting), 'disliked')
    : new Set<number>()
  const fits = await deps.browse.fits(type, { audience, filters: {} })
  const scope = (key: number) => key !== title.title_id && fits(key) && !gone.has(key)
  const model = deps.recommender.current()
  const { limit } = query
  const chosen = model
    ? neighbours.similar(model, title.title_id, { limit, scope, type, kids: audience.kids })
    : []
  const filled = chosen.length > 0 ? chosen : await popular(deps, [], scope, limit)
  return {
    results: await answer(
      deps,
      caller,
      filled.map((one) => ({ reasons: [], ...one })),
    ),
  }
}
