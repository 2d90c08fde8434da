import { buildModel, type Model } from '../../server/recommend/model.ts'
import { topPicks } from '../../server/recommend/picks.ts'
import { similar } from '../../server/recommend/similar.ts'
import type { Interaction, Title } from '../../server/recommend/types.ts'
import { lines } from './data.ts'
import { fixed, hits, mean, withInterval } from './metrics.ts'

interface Show {
  readonly name: string
  readonly year?: number
  readonly first_air_date?: string
  readonly genre_ids?: number[]
  readonly genres_raw?: string[]
  readonly original_language?: string
  readonly countries?: string[]
  readonly imdb_votes?: number
  readonly vote_count?: number
  readonly imdb_rating?: number
  readonly vote_average?: number
  readonly popularity?: number
}

const genreIds: Readonly<Record<string, number>> = {
  action: 10759,
  animation: 16,
  comedy: 35,
  crime: 80,
  documentation: 99,
  drama: 18,
  family: 10751,
  fantasy: 10765,
  horror: 9648,
  reality: 10764,
  romance: 10766,
  scifi: 10765,
  thriller: 9648,
  war: 10768,
  western: 37,
}

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/** The series of the catalogue and, by key, their names. Countries stand in for keywords: there are no others. */
function shows(): { titles: Title[]; names: string[] } {
  const rows = lines('catalogue/tv.jsonl.gz').map((line) => JSON.parse(line) as Show)
  const titles = rows.map((row, key): Title => {
    const genres = row.genre_ids ?? (row.genres_raw ?? []).flatMap((name) => genreIds[name] ?? [])
    const year = row.year ?? Number(row.first_air_date?.slice(0, 4) ?? Number.NaN)
    return {
      key,
      type: 'tv',
      genres: [...new Set(genres)],
      keywords: [...(row.countries ?? []), ...(row.genres_raw ?? [])],
      cast: [],
      directors: [],
      crew: [],
      language: row.original_language ?? null,
      year: Number.isNaN(year) ? null : year,
      rating: row.imdb_rating ?? row.vote_average ?? 0,
      votes: row.imdb_votes ?? row.vote_count ?? 0,
      popularity: row.popularity ?? 0,
      kids: genres.some((genre) => genre === 16 || genre === 10751 || genre === 10762),
    }
  })
  return { titles, names: rows.map((row) => row.name) }
}

const share = (one: readonly number[], other: readonly number[]): number =>
  one.filter((genre) => other.includes(genre)).length / new Set([...one, ...other]).size

/** Are the neighbours of a series closer in genre than chance, with no ratings at all. */
function content(titles: readonly Title[]): boolean {
  const model = buildModel(titles, [], { version: 'bench' })
  const known = titles.filter((title) => title.genres.length > 0)
  const ours: number[] = []
  const chance: number[] = []
  known.forEach((title, at) => {
    const list = similar(model, title.key, { limit: 15, scope: (key) => titles[key]!.genres.length > 0 })
    ours.push(mean(list.map(({ key }) => share(title.genres, titles[key]!.genres))))
    chance.push(
      mean(list.map((_, n) => share(title.genres, known[(at * 31 + n * 97 + 1) % known.length]!.genres))),
    )
  })
  console.log(
    `  ${known.length} series: genre overlap of 15 similar ${withInterval(ours)}, of 15 others ${fixed(mean(chance))}`,
  )
  return mean(ours) > 2 * mean(chance)
}

/** The lists by title keys, those that still have three series. */
function likedTogether(titles: readonly Title[], names: readonly string[]): number[][] {
  const keyOf = new Map<string, number>()
  names.forEach((name, key) => {
    const known = keyOf.get(plain(name))
    if (known === undefined || titles[known]!.votes < titles[key]!.votes) keyOf.set(plain(name), key)
  })
  return lines('recsys/tv_baskets.csv.gz')
    .map((line) => [...new Set(line.split('|').flatMap((name) => keyOf.get(plain(name)) ?? []))])
    .filter((list) => list.length >= 3)
}

/** A ridge so strong that nothing is left of the crowd but how many met a title. */
const speechless = { ridge: 1e9, minSupport: 3 }

/**
 * Lists of series liked together (a smoke test): hide one of each list, look for it among 10 picks. All rank only
 * the series that occur in the lists of the training part. True when the picks find more than TopPopular.
 */
function baskets(titles: readonly Title[], names: readonly string[]): boolean {
  const lists = likedTogether(titles, names)
  const train: Interaction[] = lists.flatMap((list, profile) =>
    profile % 10 === 0 ? [] : list.map((titleKey) => ({ profile, titleKey, at: 0, value: 1 })),
  )
  const count = new Uint32Array(titles.length)
  for (const { titleKey } of train) count[titleKey]!++
  const order = [...count.keys()].sort((a, b) => count[b]! - count[a]!)
  const held = lists
    .filter((_, profile) => profile % 10 === 0)
    .map((list, at) => {
      const hidden = new Set([list[at % list.length]!])
      return { hidden, shown: list.filter((key) => !hidden.has(key)) }
    })
  const picked = (model: Model): number[] =>
    held.map(({ hidden, shown }) => {
      const signals = shown.map((titleKey) => ({ kind: 'liked' as const, titleKey, at: 0 }))
      const picks = topPicks(model, signals, { limit: 10, scope: (key) => count[key]! > 0 })
      return hits(
        picks.map(({ key }) => key),
        hidden,
        10,
      )
    })
  const ours = picked(buildModel(titles, train, { version: 'bench' }))
  const content = picked(buildModel(titles, train, { version: 'bench', crowd: speechless }))
  const popular = held.map(({ hidden, shown }) => {
    const rest = order.filter((key) => !shown.includes(key))
    return hits(rest, hidden, 10)
  })
  console.log(
    `  ${held.length} unseen lists of ${lists.length}: HR@10 ${withInterval(ours)}, TopPopular ` +
      `${withInterval(popular)}, content and popularity alone ${withInterval(content)}`,
  )
  return mean(ours) > mean(popular)
}

export function series(): boolean {
  const { titles, names } = shows()
  const close = content(titles)
  return baskets(titles, names) && close
}
