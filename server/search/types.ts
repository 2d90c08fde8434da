/** The shapes that cross the border of the search engine. */

export const kinds = ['movie', 'tv', 'actor'] as const
export type Kind = (typeof kinds)[number]

export type SearchName = { lang: string; text: string; role: 'main' | 'original' | 'aka' }

/** One title or person as the catalogue hands it over. */
export type SearchDoc = {
  /** Unique over all kinds; 0 to 2^38 - 1. */
  doc_id: number
  kind: Kind
  media_id: string
  /** Safe for a kids profile. */
  kids: boolean
  /** False takes the document out of the index, for everybody. */
  visible: boolean
  /** 0 or more; only compared with others of its kind. Votes serve well. */
  popularity: number
  names: SearchName[]
  year?: number
  /** Names of the leading cast, for "actor and a word of the title". The first eight are used. */
  people?: string[]
}

export type SearchRequest = {
  q: string
  limit: number
  offset?: number
  type: 'all' | Kind
  /** Required: who is asking. Applied inside, before anything is counted. */
  scope: { kids: boolean }
}

export type SearchHit = {
  kind: Kind
  media_id: string
  /** Higher is better; comparable within one answer only. */
  score: number
  /** The stored name that matched best, as it was stored. */
  matched: string
}

export type SearchAnswer = {
  counts: { all: number; movie: number; tv: number; actor: number }
  /** False when some count stopped at `countCap` and means "at least". */
  exact: boolean
  hits: SearchHit[]
}

/** Where a count per kind stops. */
export const countCap = 500

/** What a document becomes in the index. */
export type Entry = {
  slot: number
  doc: SearchDoc
  tokens: string[]
  keys: string[]
  /** Folded names in the order of `doc.names`, one a line (written, and after a tab plain when it differs); then "·" and a cast name. */
  folds: string
}

/** A candidate as the ranking reads it. */
export type Candidate = {
  slot: number
  mediaId: string
  year: number | null
  popularity: number
  /** JSON of SearchName[]. */
  names: string
  folds: string
}

/** What to look for: tokens joined by and/or. `prefix` matches every token that starts so. */
export type Expression = { token: string; prefix: boolean } | { all: Expression[] } | { any: Expression[] }

type MaybePromise<T> = T | Promise<T>
export type Range = { kind: Kind | 'all'; kids: boolean }

/** `version` changes with every write; `top` is the highest popularity of each kind. */
export type Gen = 'a' | 'b'
export type IndexState = { version: number; live: Gen; building: boolean; top: Record<Kind, number> }
export const newIndex: IndexState = {
  version: 0,
  live: 'a',
  building: false,
  top: { movie: 0, tv: 0, actor: 0 },
}

/** One database under the engine. Slots come back kind by kind, most popular first. */
export type Store = {
  /** The state of the index; changes whenever the index does. */
  state(): MaybePromise<IndexState>
  /** Up to `limit` of each kind. */
  match(expression: Expression, range: Range, limit: number): MaybePromise<number[]>
  /** Up to `limit` for each key. */
  exactKeys(keys: string[], range: Range, limit: number): MaybePromise<number[]>
  prefixKeys(key: string, range: Range, limit: number): MaybePromise<number[]>
  candidates(slots: number[]): MaybePromise<Candidate[]>
  soundsLike(sound: string, limit: number): MaybePromise<string[]>
  /** Words first stored after `version`, sorted, `page` at a time after the word `after`. */
  words(after: string, version: number, page: number): MaybePromise<[string, number][]>
  /** All or nothing: takes out `remove` and puts in `entries`, which are in ascending order of slot. */
  write(entries: Entry[], remove: number[]): MaybePromise<void>
  rebuild(entries: AsyncIterable<Entry> | Iterable<Entry>): MaybePromise<number>
}

export type PgQuery = { query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }> }
/** What PGlite is already, and a `pg` pool becomes with ten lines. */
export type PgDb = PgQuery & { transaction<T>(work: (tx: PgQuery) => Promise<T>): Promise<T> }
