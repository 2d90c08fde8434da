/** Types that the search engine and its callers share. */

export const topicKinds = ['movie', 'tv'] as const
export const searchKinds = ['movie', 'tv', 'actor'] as const
export type SearchKind = (typeof searchKinds)[number]

export type SearchName = { lang: string; text: string; role: 'main' | 'original' | 'aka' }

/** One title or person as the catalogue provides it. */
export type SearchDoc = {
  /** Unique among the documents of all kinds; from 0 to 2^38 - 1. */
  doc_id: number
  kind: SearchKind
  media_id: string
  /** Safe for a kids profile. */
  kids: boolean
  /** False removes the document from the index, for every audience. */
  visible: boolean
  /** 0 or more, for instance a number of votes. It is compared only with the popularity of the same kind. */
  popularity: number
  names: SearchName[]
  year?: number
  /**
   * Names of the leading cast. The first eight are indexed, so that a query may mix them with title words.
   */
  people?: string[]
  /** Names of directors, creators and writers. A query may mix the first three names with title words. */
  crew?: string[]
  /** Keywords. A query finds the title by a whole keyword or by words of it. */
  keywords?: string[]
  /**
   * Other texts about the content (characters, the plot), most important first. Their words find the title.
   */
  topics?: string[]
  /** Values of facets; see `FacetValue`. */
  facets?: FacetValue[]
}

export type FacetKind = 'genre' | 'network' | 'language' | 'country' | 'year' | 'decade' | 'type' | 'person'
/**
 * A facet and its value. The value is a genre id, a network id, an ISO 639-1 language, an ISO 3166-1 country, a year,
 * the first year of a decade, `movie` or `tv`, or the name of a person.
 */
export type FacetValue = { kind: FacetKind; value: string }
/** A facet that was recognised in a query, and the folded words of the query that name it. */
export type QueryFacet = FacetValue & { text: string }
/** A season, and perhaps an episode, that a query names, such as "s08e03". */
export type EpisodeRef = { season: number; episode: number | null }

export type SearchRequest = {
  q: string
  limit: number
  offset?: number
  type: 'all' | SearchKind
  /** The audience. It restricts the search itself, so counts never include documents that may not be shown. */
  scope: {
    kids: boolean
    /** Present for an audience with limits other than the kids rule. */
    visibility?: DocVisibility
  }
}

/** Which documents an audience with limits may see. */
export type DocVisibility = {
  /**
   * Must be the same function object until a title changes, because the function object is the cache key of lookups.
   */
  isTitleVisible: (docId: number) => boolean
  /**
   * Returns whether a person may be shown, or undefined when only `selectVisiblePeople` can tell. Must be the same
   * function object until its result for a person changes, because the function object is the cache key of lookups.
   */
  isPersonVisible?: (docId: number) => boolean | undefined
  /** Returns the document ids of the people among `docIds` that may be shown. */
  selectVisiblePeople: (docIds: number[]) => Promise<ReadonlySet<number>>
}

export type SearchHit = {
  kind: SearchKind
  media_id: string
  /** A higher score is better. Scores can be compared only within one result. */
  score: number
  /** The name that matched best, in the form that the catalogue provides. */
  matchedName: string
  /** True for a title that was found by its facets or topics, not by its name. */
  isTopicMatch: boolean
}

export type SearchResult = {
  counts: { all: number; movie: number; tv: number; actor: number }
  /**
   * False when the real count may be higher. Either a count stopped at `maxCountPerKind`, or a search for an
   * audience with limits did not read all matches.
   */
  exact: boolean
  hits: SearchHit[]
  /** The first hits of all kinds, regardless of the requested kind and page; see `MAX_LEADING_HITS`. */
  leadingHits: SearchHit[]
  /** Ids of all documents of the result, including documents that are not on the page. */
  docIds: ReadonlySet<number>
  /** Facets that were recognised in the query and that found titles. */
  facets: QueryFacet[]
  /** Words of the query that found titles by their topics. The names of these titles may lack the words. */
  topicWords: string[]
  episode: EpisodeRef | null
}

export const MAX_LEADING_HITS = 4

/** Highest number that a search counts for each kind. More matches are not counted. */
export const maxCountPerKind = 500

/** A document as it is stored in the index. */
export type IndexEntry = {
  slot: number
  doc: Pick<SearchDoc, 'doc_id' | 'kind' | 'media_id' | 'popularity' | 'year'>
  /** JSON array of the name texts. */
  names: string
  /** Tokens of the names, separated by spaces. */
  tokens: string
  keys: string[]
  /** Tokens of the facets, the people and the topics of a title, separated by spaces. */
  topicTokens: string
  /**
   * One line per name, in the order of `names`: the folded name, and after a tab its normalised form if that
   * differs. Lines that start with "·" are names of cast and crew.
   */
  folds: string
}

/** The entries of a rebuild, some hundreds at a time. */
export type EntryPages = AsyncIterable<IndexEntry[]> | Iterable<IndexEntry[]>

/** The columns of a stored document that the ranking needs. */
export type SearchCandidate = {
  slot: number
  mediaId: string
  year: number | null
  popularity: number
  /** JSON array of the name texts. */
  names: string
  folds: string
}

/** A boolean expression of tokens. `prefix` matches every token that starts with `token`. */
export type TokenExpression =
  | { token: string; prefix: boolean }
  | { all: TokenExpression[] }
  | { any: TokenExpression[] }

type MaybePromise<T> = T | Promise<T>
export type SearchRange = { kind: SearchKind | 'all'; isKidsOnly: boolean }

/** The index has two sets of tables. Searches use one set while a rebuild fills the other. */
export type TableSet = 'a' | 'b'
/** The state as the index stores it. */
export type IndexState = {
  /** Increases with every write. */
  version: number
  /** The set of tables that searches use. */
  live: TableSet
  /** True from the start of a rebuild until its end. */
  building: boolean
  /** Highest popularity of each kind. */
  top: Record<SearchKind, number>
  /** The version that the last rebuild wrote; undefined before the first rebuild. */
  builtVersion?: number
}
export const emptyIndexState: IndexState = {
  version: 0,
  live: 'a',
  building: false,
  top: { movie: 0, tv: 0, actor: 0 },
}

export type VisibleDocsLookup = {
  expression: TokenExpression
  range: SearchRange
  limit: number
  /** True for tokens of names, false for topic tokens. */
  isForNames: boolean
  /** Must be the same function object until its result for a document changes, because results are cached. */
  isVisible: (docId: number) => boolean
}

/**
 * The index in one database. Methods that look up an expression return slots sorted by kind, then by popularity, most
 * popular first.
 */
export type IndexStore = {
  /** Returns the state, which changes with every write. */
  readState(): MaybePromise<IndexState>
  /** Returns up to `maxSlotCount` slots of each kind. */
  findSlots(expression: TokenExpression, range: SearchRange, maxSlotCount: number): MaybePromise<number[]>
  /** Like `findSlots`, but for expressions of topic tokens. People have no topics. */
  findTopicSlots(
    expression: TokenExpression,
    range: SearchRange,
    maxSlotCount: number,
  ): MaybePromise<number[]>
  /** Returns up to `limit` slots of each kind. Leaves out documents for which `isVisible` is false. */
  findVisibleDocs(lookup: VisibleDocsLookup): MaybePromise<number[]>
  /** Returns up to `maxSlotCount` slots for each key. */
  findExactKeys(keys: string[], range: SearchRange, maxSlotCount: number): MaybePromise<number[]>
  /**
   * Returns up to `maxSlotCount` slots whose key starts with `key`, in the order of the keys. Sorting by
   * popularity would require reading every key that starts with a short `key`.
   */
  findKeyPrefix(key: string, range: SearchRange, maxSlotCount: number): MaybePromise<number[]>
  loadCandidates(slots: number[]): MaybePromise<SearchCandidate[]>
  findWordsBySound(sound: string, maxWordCount: number): MaybePromise<string[]>
  /**
   * Returns up to `pageSize` words that follow `afterWord`, sorted, with their document counts. Only words that were
   * first stored after the given version are returned; -1 means all words.
   */
  listWords(afterWord: string, afterVersion: number, pageSize: number): MaybePromise<[string, number][]>
  /**
   * Removes the documents `idsToRemove` and writes `entries` in one transaction. The entries must be in
   * ascending order of slot.
   */
  writeBatch(entries: IndexEntry[], idsToRemove: number[]): MaybePromise<void>
  rebuildAll(pages: EntryPages): MaybePromise<number>
}

/**
 * The methods that a search for one audience may use. `findVisibleDocs` is left out, because its caller can pass the
 * `isVisible` of any audience.
 */
export type ScopedIndexStore = Omit<IndexStore, 'findVisibleDocs'>
