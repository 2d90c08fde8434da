/** The seven dump files in reading order. Each file determines which rows of the next ones are wanted. */
import type { Table } from './dump-file.ts'

export const RATINGS: Table = { name: 'title.ratings', columns: ['tconst', 'averageRating', 'numVotes'] }
export const EPISODES: Table = {
  name: 'title.episode',
  columns: ['tconst', 'parentTconst', 'seasonNumber', 'episodeNumber'],
}
export const BASICS: Table = {
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
export const AKAS: Table = {
  name: 'title.akas',
  columns: ['titleId', 'ordering', 'title', 'region', 'language', 'types', 'attributes'],
}
export const PRINCIPALS: Table = {
  name: 'title.principals',
  columns: ['tconst', 'ordering', 'nconst', 'category', 'job', 'characters'],
}
export const CREW: Table = { name: 'title.crew', columns: ['tconst', 'directors', 'writers'] }
export const NAMES: Table = { name: 'name.basics', columns: ['nconst', 'primaryName'] }

/** IMDb title types with the type in the catalogue. `tvEpisode` is missing, because episodes are part of their series. */
export const TITLE_TYPES: Readonly<Record<string, 'movie' | 'tv'>> = {
  movie: 'movie',
  tvMovie: 'movie',
  short: 'movie',
  tvShort: 'movie',
  tvSpecial: 'movie',
  video: 'movie',
  tvSeries: 'tv',
  tvMiniSeries: 'tv',
}
export const DEFAULT_TYPES = ['movie', 'tvMovie', 'tvSeries', 'tvMiniSeries']
