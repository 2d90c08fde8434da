import { bounds, families } from './constants.ts'
import { type Content, flag } from './content.ts'
import { growing } from './growing.ts'
import type { Title } from './types.ts'

const family = Object.fromEntries(families.map(([name], at) => [name, at])) as Record<
  (typeof families)[number][0],
  number
>

type Visit = (family: number, token: string | number) => void

const languageCode = (language: string): number =>
  (language.charCodeAt(0) & 31) * 32 + (language.charCodeAt(1) & 31)

/** Calls `visit` for every feature of a title. Repeats are possible. */
function visitFeatures(title: Title, visit: Visit): void {
  const decade = title.year === null ? null : Math.floor(title.year / 10)
  for (const genre of title.genres) visit(family.genre, genre)
  for (const keyword of title.keywords) visit(family.keyword, keyword)
  for (let at = 0; at < title.cast.length && at < 10; at++) visit(family.cast, title.cast[at]!)
  for (const person of title.directors) visit(family.director, person)
  for (const person of title.crew) visit(family.crew, person)
  if (title.language) visit(family.language, languageCode(title.language))
  if (decade !== null) visit(family.decade, decade)
  // Genre x language x decade: a small shelf, so that a title nobody wrote keywords for still has company.
  if (title.language && decade !== null)
    for (const genre of title.genres)
      visit(family.niche, (genre * 1024 + languageCode(title.language)) * 512 + decade)
  for (const word of title.overviewTokens ?? []) visit(family.word, word)
}

/** Popularity of a title, roughly 0..1.3: votes by their logarithm, and a rating that has to earn its trust. */
export function priorOf(title: Pick<Title, 'votes' | 'rating' | 'popularity'>): number {
  const votes = Math.max(0, title.votes)
  const trusted = (votes * title.rating + 50 * 6.2) / (votes + 50)
  return 0.1 * Math.log1p(votes + Math.max(0, title.popularity)) + 0.02 * (trusted - 6.2)
}

export interface ContentBuilder {
  add(title: Title): void
  build(): Content
}

/** Reads the titles once, in any order. Time and memory grow with the number of features. */
export function buildContent(titles: Iterable<Title>): Content {
  const builder = contentBuilder()
  for (const title of titles) builder.add(title)
  return builder.build()
}

/** The same for titles that come one by one. */
export function contentBuilder(): ContentBuilder {
  const words = new Map<string | number, number>()
  const familyOf = growing()
  const keys = growing()
  const ends = growing()
  const raw = growing(1 << 16)
  const facts: Facts = { flags: [], year: [], prior: [] }
  const genreOf = new Map<number, number>()
  return {
    add(title) {
      const from = raw.length
      visitFeatures(title, (kind, token) => {
        const name = typeof token === 'number' ? token * 16 + kind : `${kind}:${token}`
        let id = words.get(name)
        if (id === undefined) {
          id = words.size
          words.set(name, id)
          familyOf.push(kind)
          if (kind === family.genre) genreOf.set(id, Number(token))
        }
        raw.push(id)
      })
      raw.view().subarray(from).sort()
      keys.push(title.key)
      ends.push(raw.length)
      facts.flags.push((title.type === 'movie' ? flag.movie : flag.tv) | (title.kids ? flag.kids : 0))
      facts.year.push(title.year ?? 0)
      facts.prior.push(priorOf(title))
    },
    build() {
      words.clear()
      const read = { keys: keys.view(), ends: ends.view(), raw: raw.view() }
      return contentOf(read, facts, vocabulary(read.raw, read.ends, familyOf.view(), genreOf))
    },
  }
}

interface Facts {
  flags: number[]
  year: number[]
  prior: number[]
}

function contentOf(
  read: Pick<Raw, 'keys' | 'ends' | 'raw'>,
  facts: Facts,
  { keep, genreIds, weight }: ReturnType<typeof vocabulary>,
): Content {
  const size = read.keys.reduce((most, key) => Math.max(most, key + 1), 0)
  const flags = new Uint8Array(size)
  const year = new Int16Array(size)
  const prior = new Float32Array(size)
  read.keys.forEach((key, at) => {
    flags[key] = facts.flags[at]!
    year[key] = facts.year[at]!
    prior[key] = facts.prior[at]!
  })
  const order = byPrior(flags, prior)
  const rows = remap({ size, ...read, keep })
  const norm = norms(rows.start, rows.feats, weight)
  const content = { size, flags, year, prior, order, genreIds, ...rows, weight, norm }
  return { ...content, ...postings(order, rows, weight.length) }
}

function byPrior(flags: Uint8Array, prior: Float32Array): Uint32Array<ArrayBuffer> {
  const present = growing(Math.max(1, flags.length))
  for (let key = 0; key < flags.length; key++) if (flags[key]) present.push(key)
  return present.view().sort((a, b) => prior[b]! - prior[a]! || a - b)
}

/** Drops features that one title has alone (they connect nothing); genres stay and come first. */
function vocabulary(
  raw: Uint32Array,
  ends: Uint32Array,
  familyOf: Uint32Array,
  genreOf: ReadonlyMap<number, number>,
) {
  const count = new Uint32Array(familyOf.length)
  let from = 0
  for (const end of ends) {
    for (let at = from; at < end; at++) if (at === from || raw[at] !== raw[at - 1]) count[raw[at]!]!++
    from = end
  }
  const keep = new Int32Array(familyOf.length).fill(-1)
  const genres = [...genreOf].sort((a, b) => a[1] - b[1])
  let next = 0
  for (const [id] of genres) keep[id] = next++
  for (let id = 0; id < keep.length; id++) if (count[id]! >= 2 && keep[id] === -1) keep[id] = next++
  const weight = new Float32Array(next)
  for (let id = 0; id < keep.length; id++)
    if (keep[id]! >= 0)
      weight[keep[id]!] = families[familyOf[id]!]![1] * Math.log1p(ends.length / Math.max(1, count[id]!))
  return { keep, genreIds: Int32Array.from(genres, ([, genre]) => genre), weight }
}

interface Raw {
  readonly size: number
  readonly keys: Uint32Array
  readonly ends: Uint32Array
  readonly raw: Uint32Array
  readonly keep: Int32Array
}

function remap({ size, keys, ends, raw, keep }: Raw) {
  const arrival = new Int32Array(size).fill(-1)
  keys.forEach((key, at) => {
    arrival[key] = at
  })
  const start = new Uint32Array(size + 1)
  const feats = growing(Math.max(1, raw.length))
  for (let key = 0; key < size; key++) {
    const at = arrival[key]!
    if (at >= 0) {
      const from = at ? ends[at - 1]! : 0
      for (let slot = from; slot < ends[at]!; slot++) {
        const id = keep[raw[slot]!]!
        if (id >= 0 && (slot === from || raw[slot] !== raw[slot - 1])) feats.push(id)
      }
      feats.view().subarray(start[key]!).sort()
    }
    start[key + 1] = feats.length
  }
  return { start, feats: feats.view().slice() }
}

function norms(start: Uint32Array, feats: Uint32Array, weight: Float32Array): Float32Array<ArrayBuffer> {
  const norm = new Float32Array(start.length - 1)
  for (let key = 0; key < norm.length; key++) {
    let sum = 0
    for (let at = start[key]!; at < start[key + 1]!; at++) sum += weight[feats[at]!]! ** 2
    norm[key] = sum > 0 ? 1 / Math.sqrt(sum) : 0
  }
  return norm
}

/** For each feature its titles in popularity order, at most `bounds.posting`. */
function postings(order: Uint32Array, rows: { start: Uint32Array; feats: Uint32Array }, features: number) {
  const count = new Uint32Array(features)
  for (const id of rows.feats) if (count[id]! < bounds.posting) count[id]!++
  const postStart = new Uint32Array(features + 1)
  for (let id = 0; id < features; id++) postStart[id + 1] = postStart[id]! + count[id]!
  const post = new Uint32Array(postStart[features]!)
  const at = postStart.slice(0, features)
  for (const key of order)
    for (let slot = rows.start[key]!; slot < rows.start[key + 1]!; slot++) {
      const id = rows.feats[slot]!
      if (at[id]! < postStart[id + 1]!) post[at[id]!++] = key
    }
  return { postStart, post }
}
