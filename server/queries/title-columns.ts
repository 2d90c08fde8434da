/** Converts a title record to the columns of the title table. */
import type { Insertable } from 'kysely'
import { packGuide } from '../../src/lib/rules/maturity.ts'
import { estimatePopularity, getWeightedRating } from '../../src/lib/rules/ranking.ts'
import { getTitleSortKey, slugify } from '../../src/lib/rules/slug.ts'
import type { DatabaseSchema } from '../db/schema.ts'
import type { TitleRecord } from './title-record.ts'

interface TitleRecordSource {
  source: string
  hash: string
  nowMs: number
}

export function getEnglishTitle(record: Pick<TitleRecord, 'names' | 'original_title'>): string {
  return (
    record.names.find((name) => name.lang === 'en' && name.role === 'main')?.text ?? record.original_title
  )
}

export const toSortTitle = (title: string) => getTitleSortKey(title)

/** Returns the candidates for the slug of a title: without the year, then with the year. */
export function createSlugCandidates(record: TitleRecord): string[] {
  const baseSlug = slugify(getEnglishTitle(record))
  const year = record.year ?? record.release_date?.slice(0, 4)
  return year ? [baseSlug, `${baseSlug}-${year}`] : [baseSlug]
}

/**
 * Returns the columns that an import writes for new and for existing titles. For a new title, `insertTitles`
 * (title-write.ts) also sets `slug`, `created_at`, `published` and `blocked`.
 */
export function toTitleRow(record: TitleRecord, { source, hash, nowMs }: TitleRecordSource) {
  const year = record.year ?? (record.release_date ? Number(record.release_date.slice(0, 4)) : null)
  const { rating, rating_votes: voteCount } = record
  return {
    type: record.type,
    imdb_id: record.imdb_id ?? null,
    tmdb_id: record.tmdb_id ?? null,
    tvdb_id: record.tvdb_id ?? null,
    original_title: record.original_title,
    sort_title: toSortTitle(getEnglishTitle(record)),
    language: record.language ?? null,
    release_date: record.release_date ?? null,
    year,
    runtime: record.runtime ?? null,
    rated: record.rated ?? null,
    rating: Math.round(rating * 10) / 10,
    rating_votes: voteCount,
    score: getWeightedRating(rating, voteCount),
    popularity: record.popularity ?? estimatePopularity({ rating, voteCount, year }, nowMs),
    safe_for_kids: record.safe_for_kids ? 1 : 0,
    high_quality: record.high_quality ? 1 : 0,
    status: record.status ?? null,
    season_count: record.seasons.filter((season) => season.season_number > 0).length,
    episode_count: record.seasons.reduce((sum, season) => sum + season.episodes.length, 0),
    newest_season: findNewestSeasonDate(record),
    poster_path: record.poster_path ?? null,
    backdrop_path: record.backdrop_path ?? null,
    trailer: record.trailer ?? null,
    parental_guide: JSON.stringify(record.parental_guide),
    guide_levels: packGuide(record.parental_guide),
    source,
    source_hash: hash,
    updated_at: nowMs,
  } satisfies Omit<Insertable<DatabaseSchema['title']>, 'slug' | 'created_at' | 'published' | 'blocked'>
}

function findNewestSeasonDate(record: TitleRecord): string | null {
  const dates = record.seasons.flatMap((season) =>
    season.season_number > 0 && season.air_date ? [season.air_date] : [],
  )
  return dates.sort().at(-1) ?? null
}
