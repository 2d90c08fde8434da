/** TMDB: the tables of its export. */
import type { FormatCase } from './case.ts'

const TMDB_HEADER =
  'TMDb ID,IMDb ID,Type,Name,Release Date,Season Number,Episode Number,Rating,Your Rating,Date Rated\n'

export const TMDB_CASES: FormatCase[] = [
  {
    fileName: 'ratings.csv',
    format: 'tmdb',
    text:
      `${TMDB_HEADER}949,tt0113277,movie,Heat,1995-12-15T00:00:00Z,,,7.9,8.5,2020-01-02T00:00:00Z\n` +
      '70523,,tv,Dark,2017-12-01,1,2,8.7,9,2020-01-03T00:00:00Z\n' +
      '70523,,tv,Dark,2017-12-01,,,8.7,,2020-01-03T00:00:00Z\n1,,person,Ann,,,,,9,\n' +
      '950,,movie,Heat 2,1996-12-15,,,7.9,8.5,2020-02-30\n',
    rows: [
      {
        kind: 'rated',
        type: 'movie',
        ids: { tmdb: 949, imdb: 'tt0113277' },
        title: 'Heat',
        year: 1995,
        rating: 8.5,
        at: '2020-01-02T00:00:00Z',
      },
      { kind: 'rated', type: 'tv', ids: { tmdb: 70523 }, season: 1, episode: 2, rating: 9 },
    ],
    skips: [
      { line: 4, skip: 'bad_row' },
      { line: 5, skip: 'not_a_title' },
      { line: 6, skip: 'bad_date' },
    ],
  },
  {
    // The text has the form in which a spreadsheet program with German settings saves the file.
    fileName: 'tmdb/ratings.csv',
    format: 'tmdb',
    text: `${TMDB_HEADER.replaceAll(',', ';')}949;tt0113277;movie;Heat;15.12.1995;;;7,9;8,5;21.01.2020 18:30\n`,
    rows: [{ kind: 'rated', title: 'Heat', year: 1995, rating: 8.5, at: '2020-01-21T18:30:00Z' }],
  },
  {
    fileName: 'tmdb/watchlist.csv',
    format: 'tmdb',
    text: `${TMDB_HEADER}949,tt0113277,movie,Heat,1995-12-15T00:00:00Z,,,7.9,,2020-01-02T16:22:35Z\n`,
    rows: [{ kind: 'listed', title: 'Heat', at: '2020-01-02T16:22:35Z' }],
  },
  {
    fileName: 'tmdb/watchlist.csv',
    format: 'tmdb',
    text: `${TMDB_HEADER}949,tt0113277,movie,Heat,1995-12-15T00:00:00Z,,,7.9,8.5,2020-01-02T00:00:00Z\n`,
    rows: [
      { kind: 'listed', title: 'Heat' },
      { kind: 'rated', title: 'Heat', rating: 8.5, at: '2020-01-02T00:00:00Z' },
    ],
  },
  {
    fileName: 'tmdb/rainy-days.csv',
    format: 'tmdb',
    text: `${TMDB_HEADER}949,tt0113277,movie,Heat,1995-12-15T00:00:00Z,,,7.9,8.5,2020-01-02T00:00:00Z\n`,
    rows: [
      { kind: 'listed', title: 'Heat', list: 'rainy-days' },
      { kind: 'rated', title: 'Heat', rating: 8.5 },
    ],
  },
  {
    fileName: 'tmdb/favorites.csv',
    format: 'tmdb',
    text: `${TMDB_HEADER}949,tt0113277,movie,Heat,1995-12-15T00:00:00Z,,,7.9,,\n`,
    rows: [{ kind: 'liked', title: 'Heat' }],
  },
  {
    fileName: 'tmdb/rainy-days.csv',
    format: 'tmdb',
    text: `${TMDB_HEADER}949,tt0113277,movie,Heat,1995-12-15T00:00:00Z,,,7.9,,\n`,
    rows: [{ kind: 'listed', title: 'Heat', list: 'rainy-days' }],
  },
  {
    fileName: 'tmdb/Rainy Days.txt',
    format: 'tmdb',
    text: `${TMDB_HEADER}949,tt0113277,movie,Heat,1995-12-15T00:00:00Z,,,7.9,,\n`.replaceAll(',', '\t'),
    rows: [{ kind: 'listed', title: 'Heat', list: 'Rainy Days' }],
  },
  {
    fileName: 'tmdb/Favorites.txt',
    format: 'tmdb',
    text: `${TMDB_HEADER}949,tt0113277,movie,Heat,1995-12-15T00:00:00Z,,,7.9,,\n`.replaceAll(',', '\t'),
    rows: [{ kind: 'liked', title: 'Heat' }],
  },
]
