/** The seven dump files in reading order. Earlier files determine which rows of later files are read. */
import type { DumpTable } from './dump-file.ts'

export const RATINGS_TABLE: DumpTable = {
  name: 'title.ratings',
  columns: ['tconst', 'averageRating', 'numVotes'],
}
export const EPISODES_TABLE: DumpTable = {
  name: 'title.episode',
  columns: ['tconst', 'parentTconst', 'seasonNumber', 'episodeNumber'],
}
export const BASICS_TABLE: DumpTable = {
  name: 'title.basics',
  columns: [
    'tconst',
    'titleType',
    'primaryTitle',
    'originalTitle',
    'isAdult',
    'startYear',
    'endYear',
    'runtimeMinutes',
    'genres',
  ],
}
export const AKAS_TABLE: DumpTable = {
  name: 'title.akas',
  columns: ['titleId', 'ordering', 'title', 'region', 'language', 'types', 'attributes'],
}
export const PRINCIPALS_TABLE: DumpTable = {
  name: 'title.principals',
  columns: ['tconst', 'ordering', 'nconst', 'category', 'job', 'characters'],
}
export const CREW_TABLE: DumpTable = { name: 'title.crew', columns: ['tconst', 'directors', 'writers'] }
export const NAMES_TABLE: DumpTable = { name: 'name.basics', columns: ['nconst', 'primaryName'] }

/**
 * IMDb title types with the type in the catalogue. `tvEpisode` is missing, because episodes are part of their series.
 */
export const IMDB_TITLE_TYPES: Readonly<Record<string, 'movie' | 'tv'>> = {
  movie: 'movie',
  tvMovie: 'movie',
  short: 'movie',
  tvShort: 'movie',
  tvSpecial: 'movie',
  video: 'movie',
  tvSeries: 'tv',
  tvMiniSeries: 'tv',
}
export const DEFAULT_IMDB_TITLE_TYPES = ['movie', 'tvMovie', 'tvSeries', 'tvMiniSeries']
