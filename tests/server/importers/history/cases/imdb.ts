/** IMDb: exported ratings and lists. */
import type { FormatCase } from './case.ts'

export const IMDB_CASES: FormatCase[] = [
  {
    file: 'imdb/ratings.csv',
    format: 'imdb-ratings',
    text:
      'Const,Your Rating,Date Rated,Title,Original Title,URL,Title Type,IMDb Rating,Runtime (mins),Year,Genres,Release Date,Directors\n' +
      'tt0113277,9,2020-01-02,Heat,Heat,u,Movie,8.3,170,1995,"Crime, Drama",1995-12-15,Michael Mann\n' +
      'tt5753856,8,2020-01-02,Dark,Dark,u,TV Series,8.7,60,2017,Drama,2017-12-01,\n' +
      'tt6305578,8,2020-01-02,Secrets,Secrets,u,TV Episode,8,50,2017,Drama,2017-12-01,\nx,8,,,,,,,,,,,\n',
    rows: [
      { kind: 'rated', ids: { imdb: 'tt0113277' }, type: 'movie', rating: 9, runtime: 170, at: '2020-01-02' },
      { type: 'tv', title: 'Dark' },
    ],
    skips: [
      { line: 4, skip: 'not_a_title' },
      { line: 5, skip: 'bad_row' },
    ],
  },
  {
    file: 'imdb/watchlist.csv',
    format: 'imdb-list',
    text: 'Position,Const,Created,Modified,Description,Title,Original Title,URL,Title Type,IMDb Rating,Runtime (mins),Year,Your Rating,Date Rated\n1,tt0113277,2020-01-02,2020-01-02,,Jagten,The Hunt,u,Movie,8.3,115,2012,9,2021-01-01\n',
    rows: [{ kind: 'listed', title: 'Jagten', originalTitle: 'The Hunt', year: 2012, at: '2020-01-02' }],
  },
]
