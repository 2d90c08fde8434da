/** Tables of titles, seasons, episodes, people, credits, the block list and catalogue changes. */
import type { Generated } from 'kysely'
import type { BooleanInteger, TimestampMs } from './column-types.ts'

export interface CatalogueTables {
  title: {
    title_id: Generated<number>
    type: string
    slug: string
    imdb_id: string | null
    tmdb_id: number | null
    /** TVDB id, set by imports that provide it. It is used for matching only, and does not identify a title. */
    tvdb_id: Generated<number | null>
    original_title: string
    /** The English title as a sort key: in lower case, without accents and without a leading article. */
    sort_title: string
    language: string | null
    release_date: string | null
    year: number | null
    runtime: number | null
    rated: string | null
    rating: number
    rating_votes: number
    /** Rating weighted by the number of votes. It is the sort key of Top Rated. */
    score: number
    popularity: number
    safe_for_kids: BooleanInteger
    high_quality: BooleanInteger
    published: BooleanInteger
    /** 1 while a rule of the block list matches the title. */
    blocked: BooleanInteger
    status: string | null
    season_count: number
    episode_count: number
    /** Air date of the newest released season. */
    newest_season: string | null
    poster_path: string | null
    backdrop_path: string | null
    color: string | null
    trailer: string | null
    parental_guide: string
    /** Severities of `parental_guide`, packed by rules/maturity.ts. */
    guide_levels: Generated<number>
    credits_at: number | null
    source: string
    /** Hash of the normalised import record. An import skips records whose hash is unchanged. */
    source_hash: string
    created_at: TimestampMs
    updated_at: TimestampMs
    /** JSON object of columns that an administrator set before `title_edit` existed. Imports do not overwrite them. */
    edited: Generated<string>
    /**
     * Time at which the title was put into the bin; null when it is not in the bin. In the bin, the title is
     * unpublished, and `deleted_published` contains the previous value of `published`.
     */
    deleted_at: Generated<TimestampMs | null>
    deleted_published: Generated<BooleanInteger | null>
    /** 1 while the media folder or a media server has a file of the title. */
    in_library: Generated<BooleanInteger>
    /** Whether the stream resolver had a source when it was last asked; null before the first time. */
    resolver_found: Generated<BooleanInteger | null>
    resolver_asked_at: Generated<TimestampMs | null>
  }
  /** Fields that administrators have set. Imports keep the values and store the imported value in `imported`. */
  title_edit: {
    title_id: number
    field: string
    /** Value of the field as JSON. */
    value: string
    /** Imported value as JSON; null when it is not known. */
    imported: string | null
    edited_at: TimestampMs
  }
  /**
   * `folded` is the normalised text for search (rules/fold-search-text.ts). `match_key` is the normalised text for
   * history imports (rules/fold-title.ts).
   */
  title_name: {
    title_id: number
    lang: string
    text: string
    role: string
    folded: string
    match_key: string
  }
  title_text: { title_id: number; lang: string; overview: string | null; tagline: string | null }
  title_genre: { title_id: number; genre_id: number }
  title_network: { title_id: number; network: string }
  /** Countries that produced the title, as ISO 3166-1 codes. */
  title_country: { title_id: number; country: string }
  title_keyword: { title_id: number; keyword: string }
  season: {
    season_id: Generated<number>
    title_id: number
    season_number: number
    name: string | null
    air_date: string | null
    poster_path: string | null
    episode_count: number
  }
  episode: {
    episode_id: Generated<number>
    season_id: number
    title_id: number
    season_number: number
    episode_number: number
    name: string | null
    overview: string | null
    air_date: string | null
    runtime: number | null
    still_path: string | null
    imdb_id: string | null
  }
  /**
   * Overviews in languages other than that of `episode.overview`. For languages without a row, `episode.overview` is
   * shown.
   */
  episode_text: {
    title_id: number
    season_number: number
    episode_number: number
    lang: string
    overview: string
  }
  person: {
    person_id: Generated<number>
    slug: string
    name: string
    imdb_id: string | null
    tmdb_id: number | null
    birthday: string | null
    deathday: string | null
    place_of_birth: string | null
    biography: string | null
    profile_path: string | null
    popularity: number
    blocked: BooleanInteger
  }
  /** `lang` is empty for a name that is searched, but not displayed (`SEARCHED_NAME_LANGUAGE`). */
  person_name: { person_id: number; lang: string; text: string; folded: string }
  credit: {
    title_id: number
    person_id: number
    kind: string
    job: string
    character: string | null
    position: number
  }
  block_rule: {
    block_id: Generated<number>
    type: string
    media_id: number | null
    value: string | null
    reason: string | null
    created_by: string | null
    created_at: TimestampMs
  }
  /**
   * Last change of every title and person. `doc_id` is 2 x title_id for a title and 2 x person_id + 1 for a person.
   * `revision` increases with each change of the title or person. `version` is the version of the catalogue
   * (`catalogue_version.version`) after the change, so later commits have higher versions.
   */
  catalogue_change: { doc_id: number; revision: number; changed_at: TimestampMs; version: Generated<number> }
  /**
   * A single row. `version` increases with every committed change. `writer` is the id of the last transaction that
   * changed the row; on SQLite, it is a counter. Search indexes that were built with another `log_id` are rebuilt.
   */
  catalogue_version: {
    id: number
    version: number
    writer: number
    changed_at: TimestampMs
    log_id: Generated<string>
  }
}
