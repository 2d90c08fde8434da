/** Top picks, top genres and similar titles from what a profile did and what titles share. */
import type { Recommendation } from '../../src/lib/contract/recommend.ts'
import { GENRE_NAMES } from '../../src/lib/rules/genres.ts'
import { affinity, type Taste, tasteOf, titleVector } from '../../src/lib/rules/taste.ts'
import type { Deps } from '../deps.ts'
import type { ProfileCaller, Viewer } from '../http/caller.ts'
import { type TitleRow, titlesByIds } from '../queries/catalogue.ts'
import {
  type CandidateFilters,
  candidates,
  type Features,
  featuresOf,
  relatives,
  type Signal,
  signalsOf,
} from '../queries/recommend.ts'
import { cardsOf } from './cards.ts'
import { find, idOf } from './catalogue.ts'

const CHOICE = 600
const RELATIVES = 300

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

async function learn({
  deps,
  caller,
}: By<ProfileCaller>): Promise<{ taste: Taste; signals: Signal[]; titles: Map<number, string> }> {
  const signals = await signalsOf(deps.database.primary, caller.profile.profile_id)
  const ids = [...new Set(signals.map((signal) => signal.title_id))]
  const rows = await titlesByIds(deps.database.reader, caller.audience, ids)
  const cards = await cardsOf(deps, rows, caller.account.title_language)
  const features = await featuresOf(deps.database.reader, ids)
  const chosen = JSON.parse(caller.profile.content_genres) as { movie: number[]; tv: number[] }
  const known = signals.map((signal) => ({ ...signal, vector: vectorOf(features, signal.title_id) }))
  return {
    taste: tasteOf(known, [...chosen.movie, ...chosen.tv], deps.now()),
    signals,
    titles: new Map(cards.map((card) => [Number(card.id), card.title])),
  }
}

function vectorOf({ genres, keywords, people }: Features, id: number) {
  return titleVector({
    genres: genres.get(id) ?? [],
    keywords: keywords.get(id) ?? [],
    people: people.get(id) ?? [],
  })
}

/** Finished and disliked titles never come back as a pick; what is in the list only when asked for. */
function spent(signals: Signal[], query: Picks): Set<number> {
  const rated = query['exclude-rated'] === true || query['include-rated'] === false
  return new Set(
    signals
      .filter(
        (one) =>
          one.kind === 'disliked' ||
          one.finished ||
          one.kind === 'watched' ||
          (rated && one.kind === 'liked'),
      )
      .filter((one) => !(query['include-rated'] === true && one.kind === 'liked'))
      .map((one) => one.title_id),
  )
}

async function ranked(
  by: By<ProfileCaller>,
  query: Picks,
): Promise<{ row: TitleRow; score: number; reasons: Recommendation['reasons'] }[]> {
  const { deps, caller } = by
  const { taste, signals, titles } = await learn(by)
  const filters: CandidateFilters = {
    type: query.type,
    rating: query.rating,
    votes: query['rating-votes'],
    include: query['genres-included'],
    exclude: query['genres-excluded'],
  }
  const gone = spent(signals, query)
  const rows = (
    await candidates(deps.database.reader, audienceFor(caller, query.kids), filters, CHOICE)
  ).filter((row) => !gone.has(row.title_id))
  const features = await featuresOf(
    deps.database.reader,
    rows.map((row) => row.title_id),
  )
  return rows
    .map((row) => {
      const liking = affinity(taste, vectorOf(features, row.title_id))
      const reasons = liking.reasons.map((reason): Recommendation['reasons'][number] => {
        if (reason.kind === 'genre') return { kind: 'genre', genre: reason.genre }
        const title = titles.get(reason.titleId)
        return { kind: reason.kind, media_id: String(reason.titleId), ...(title && { title }) }
      })
      const score = liking.score * 2 + row.score / 10 + row.popularity / 40
      return { row, score, reasons: reasons.length > 0 ? reasons : [{ kind: 'popular' as const }] }
    })
    .sort((a, b) => b.score - a.score || a.row.title_id - b.row.title_id)
}

async function answer(
  deps: Deps,
  caller: Viewer,
  picked: { row: TitleRow; reasons: Recommendation['reasons'] }[],
) {
  const cards = await cardsOf(
    deps,
    picked.map((one) => one.row),
    caller.account.title_language,
  )
  return cards.map((card, at): Recommendation => ({ ...card, reasons: picked[at]?.reasons ?? [] }))
}

export async function topPicks(by: By<ProfileCaller>, query: Picks) {
  const picked = (await ranked(by, query)).slice(0, query.limit)
  return { results: await answer(by.deps, by.caller, picked) }
}

interface GenreRows extends Omit<Picks, 'limit'> {
  'genres-limit': number
  'result-limit': number
}

/** The profile's favourite genres, each with its best titles; no title stands in two rows. */
export async function topGenres(by: By<ProfileCaller>, query: GenreRows) {
  const all = await ranked(by, { ...query, limit: CHOICE })
  const features = await featuresOf(
    by.deps.database.reader,
    all.map((one) => one.row.title_id),
  )
  const weight = new Map<number, number>()
  for (const [place, one] of all.slice(0, 120).entries()) {
    for (const genre of features.genres.get(one.row.title_id) ?? [])
      weight.set(genre, (weight.get(genre) ?? 0) + one.score / (1 + place / 20))
  }
  const genres = [...weight].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([genre]) => genre)
  const used = new Set<number>()
  const rows = []
  for (const genre of genres) {
    if (rows.length >= query['genres-limit']) break
    const mine = all.filter(
      (one) => !used.has(one.row.title_id) && features.genres.get(one.row.title_id)?.includes(genre),
    )
    const picked = mine.slice(0, query['result-limit'])
    if (picked.length < Math.min(4, query['result-limit'])) continue
    for (const one of picked) used.add(one.row.title_id)
    rows.push({
      genre: { id: genre, name: GENRE_NAMES[genre] ?? String(genre) },
      results: await answer(by.deps, by.caller, picked),
    })
  }
  return { results: rows }
}

interface Similar {
  limit: number
  type?: 'movie' | 'tv' | undefined
  kids?: boolean | undefined
}

export async function similar({ deps, caller }: By<Viewer>, mediaId: string, query: Similar) {
  const title = await find(deps, caller, null, { id: idOf(mediaId) })
  const type = query.type ?? title.type
  const { reader } = deps.database
  const disliked = caller.acting
    ? new Set(
        (await signalsOf(deps.database.primary, caller.acting.profile_id))
          .filter((one) => one.kind === 'disliked')
          .map((one) => one.title_id),
      )
    : new Set<number>()
  const rows = (
    await relatives(reader, audienceFor(caller, query.kids), title.title_id, type, RELATIVES)
  ).filter((row) => row.type === type && !disliked.has(row.title_id))
  const features = await featuresOf(reader, [title.title_id, ...rows.map((row) => row.title_id)])
  const own = tasteOf(
    [{ title_id: title.title_id, kind: 'liked', at: deps.now(), vector: vectorOf(features, title.title_id) }],
    [],
    deps.now(),
  )
  const picked = rows
    .map((row) => {
      const near = affinity(own, vectorOf(features, row.title_id)).score
      const era = row.year && title.year ? Math.exp(-Math.abs(row.year - title.year) / 20) : 0
      return {
        row,
        reasons: [],
        score: near + 0.1 * era + 0.1 * Number(row.language === title.language) + row.score / 60,
      }
    })
    .sort((a, b) => b.score - a.score || a.row.title_id - b.row.title_id)
    .slice(0, query.limit)
  return { results: await answer(deps, caller, picked) }
}
