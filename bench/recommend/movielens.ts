import { join } from 'node:path'
import type { Interaction, Signal, Title } from '../../server/recommend/types.ts'
import { csv, films, overviews, toTitle } from './data.ts'

export interface Rating {
  readonly user: number
  readonly key: number
  readonly rating: number
  /** Seconds since the epoch, as GroupLens gives it. */
  readonly at: number
}

export interface RatingSet {
  readonly titles: readonly Title[]
  /** Ratings of one user each, oldest first (ties as in the file). */
  readonly users: readonly (readonly Rating[])[]
}

const genreIds: Readonly<Record<string, number>> = {
  Action: 28,
  Adventure: 12,
  Animation: 16,
  Children: 10751,
  Comedy: 35,
  Crime: 80,
  Documentary: 99,
  Drama: 18,
  Fantasy: 14,
  'Film-Noir': 80,
  Horror: 27,
  Musical: 10402,
  Mystery: 9648,
  Romance: 10749,
  'Sci-Fi': 878,
  Thriller: 53,
  War: 10752,
  Western: 37,
}

/**
 * A folder in the form of ml_latest_small (ratings, movies, links; .csv or .csv.gz), joined with the catalogue by
 * TMDB id or IMDb id. Films the catalogue lacks keep the genres and the year MovieLens knows.
 */
export function readRatings(folder: string): RatingSet {
  const path = (name: string): string => (folder.startsWith('/') ? join(folder, name) : `${folder}/${name}`)
  const all = films()
  const byTmdb = new Map(all.map((film) => [film.id, film]))
  const byImdb = new Map(all.flatMap((film) => (film.imdb_id ? [[film.imdb_id, film] as const] : [])))
  const words = overviews()
  const links = new Map(csv(path('links.csv.gz')).map((row) => [row[0]!, row]))
  const keyOf = new Map<string, number>()
  const titles = csv(path('movies.csv.gz')).map(([id, name, genres], key) => {
    keyOf.set(id!, key)
    const link = links.get(id!)
    const film = byTmdb.get(Number(link?.[2])) ?? byImdb.get(`tt${link?.[1]}`)
    const year = Number(/\((\d{4})\)\s*$/.exec(name!)?.[1] ?? Number.NaN)
    const known = genres!.split('|').flatMap((genre) => genreIds[genre] ?? [])
    const title = toTitle(key, film ?? { id: 0, title: name!, genre_ids: known }, film && words.get(film.id))
    return { ...title, year: Number.isNaN(year) ? title.year : year }
  })
  const users = new Map<number, Rating[]>()
  for (const [user, movie, rating, at] of csv(path('ratings.csv.gz'))) {
    const row = users.get(Number(user)) ?? []
    users.set(Number(user), row)
    row.push({ user: Number(user), key: keyOf.get(movie!)!, rating: Number(rating), at: Number(at) })
  }
  return { titles, users: [...users.values()].map((row) => row.sort((a, b) => a.at - b.at)) }
}

/** The protocol's split: the last floor(20 %), at least one, of each user's ratings are held back. */
export function split(users: RatingSet['users']): { train: Rating[][]; test: Rating[][] } {
  const parts = users.map((row) => {
    const held = row.length < 2 ? 0 : Math.max(1, Math.floor(row.length * 0.2))
    return [row.slice(0, row.length - held), row.slice(row.length - held)] as const
  })
  return { train: parts.map(([train]) => train), test: parts.map(([, test]) => test) }
}

/** Straight lines through points (x, y). */
const through =
  (points: readonly (readonly [number, number])[]) =>
  (x: number): number => {
    for (let at = 1; at < points.length; at++) {
      const [x0, y0] = points[at - 1]!
      const [x1, y1] = points[at]!
      if (x <= x1 || at === points.length - 1)
        return y0 + ((y1 - y0) * (Math.min(Math.max(x, x0), x1) - x0)) / (x1 - x0)
    }
    return 0
  }

const value = through([
  [0.5, 0.1],
  [2, 0.2],
  [3, 0.5],
  [4, 1],
  [5, 1.2],
])
const weight = through([
  [0.5, -0.5],
  [2, -0.2],
  [3, 0.4],
  [4, 1],
  [5, 1.4],
])

/** Stars against the habit of the user: someone whose mean is 4.5 does not mean 4 as praise. */
const habit = (row: readonly Rating[]): number =>
  row.reduce((sum, one) => sum + one.rating, 0) / Math.max(1, row.length) - 3.5

export function interactions(train: readonly (readonly Rating[])[]): Interaction[] {
  return train.flatMap((row, profile) => {
    const mean = habit(row)
    return row.map(({ key, rating, at }) => ({ profile, titleKey: key, at, value: value(rating - mean) }))
  })
}

export function signals(row: readonly Rating[]): Signal[] {
  const mean = habit(row)
  return row.map(({ key, rating, at }) => ({
    kind: rating >= 4 ? 'liked' : rating < 2.5 ? 'disliked' : 'completed',
    titleKey: key,
    at,
    weight: weight(rating - mean),
  }))
}
