/** IMDb: exported ratings and lists. */
import type { FormatCase } from './case.ts'

export const IMDB_CASES: FormatCase[] = [
  {
    fileName: 'imdb/ratings.csv',
    format: 'imdb-ratings',
    text:
      'Const,Your Rating,Date Rated,Title,Original Title,URL,Title Type,IMDb Rating,Runtime (mins),Year,Genres,Release Date,Directors\n' +
      'tt0113277,9,2020-01-02,Heat,Heat,u,Movie,8.3,170,1995,"Crime, Drama",1995-12-15,Michael Mann\n' +
      'tt5753856,8,2020-01-02,Dark,Dark,u,TV Series,8.7,60,2017,Drama,2017-12-01,\n' +
      'tt6305578,8,2020-01-02,Secrets,Secrets,u,TV Episode,8,50,2017,Drama,2017-12-01,\nx,8,,,,,,,,,,,\n' +
      'tt0113278,8,2020-01-02,Odd,Odd,u,constructor,8,50,2017,Drama,2017-12-01,\n',
    rows: [
      { kind: 'rated', ids: { imdb: 'tt0113277' }, type: 'movie', rating: 9, runtime: 170, at: '2020-01-02' },
      { type: 'tv', title: 'Dark' },
      { kind: 'rated', type: 'tv', title: 'Secrets', episodeTitle: 'Secrets', rating: 8 },
    ],
    skips: [
      { line: 5, skip: 'bad_row' },
      { line: 6, skip: 'not_a_title' },
    ],
  },
  {
    fileName: 'ratings.csv',
    format: 'imdb-ratings',
    text:
      'Const,Your Rating,Date Rated,Title,Title Type,Year\n' +
      'tt0113277,9,2/1/2020,Heat,Movie,1995\ntt0113278,9,1/31/2020,Heat 2,Movie,1996\n' +
      'tt0113279,9,2/30/2020,Heat 3,Movie,1997\ntt0113280,9,,Heat 4,Movie,1998\n' +
      'tt21338724,7,1/13/2020,Monsieur Spade: Episode #1.6,TV Episode,2024\n' +
      'tt0113281,9,1/9/2020 18:30,Heat 5,Movie,1999\n',
    rows: [
      { title: 'Heat', at: '2020-02-01' },
      { title: 'Heat 2', at: '2020-01-31' },
      { title: 'Heat 4' },
      {
        kind: 'rated',
        title: 'Monsieur Spade',
        episodeTitle: 'Episode #1.6',
        season: 1,
        episode: 6,
        at: '2020-01-13',
      },
      { title: 'Heat 5', at: '2020-01-09T18:30:00Z' },
    ],
    skips: [{ line: 4, skip: 'bad_date' }],
  },
  {
    fileName: 'ratings.csv',
    format: 'imdb-ratings',
    text:
      'Const,Your Rating,Date Rated,Title,Title Type,Year\n' +
      'tt0000001,9,2020-01-02,A,Film,1995\ntt0000002,9,2020-01-02,B,Série télévisée,1995\n' +
      'tt0000003,9,2020-01-02,C,Mini serie TV,1995\ntt0000004,9,2020-01-02,D,Película,1995\n' +
      'tt0000005,9,2020-01-02,E: F,Fernsehepisode,1995\ntt0000006,9,2020-01-02,G,Jeu vidéo,1995\n' +
      'tt0000007,9,2020-01-02,H,Podcast-Serie,1995\n',
    rows: [
      { title: 'A', type: 'movie' },
      { title: 'B', type: 'tv' },
      { title: 'C', type: 'tv' },
      { title: 'D', type: 'movie' },
      { title: 'E', type: 'tv', episodeTitle: 'F' },
    ],
    skips: [
      { line: 7, skip: 'not_a_title' },
      { line: 8, skip: 'not_a_title' },
    ],
  },
  {
    fileName: 'imdb/watchlist.csv',
    format: 'imdb-list',
    text: 'Position,Const,Created,Modified,Description,Title,Original Title,URL,Title Type,IMDb Rating,Runtime (mins),Year,Your Rating,Date Rated\n1,tt0113277,2020-01-02,2020-01-02,,Jagten,The Hunt,u,Movie,8.3,115,2012,9,2021-01-01\n',
    rows: [
      { kind: 'listed', title: 'Jagten', originalTitle: 'The Hunt', year: 2012, at: '2020-01-02' },
      { kind: 'rated', title: 'Jagten', rating: 9, at: '2021-01-01' },
    ],
  },
  {
    fileName: 'imdb/Rated Films.csv',
    format: 'imdb-list',
    text:
      'Position,Const,Created,Title,Title Type,Year,Your Rating,Date Rated\n' +
      '1,tt0113277,2020-01-02,Heat,Movie,1995,,\n2,tt0113278,2020-01-02,Heat 2,Movie,1996,11,2021-01-01\n' +
      '3,tt6305578,2020-01-02,Dark: Secrets,TV Episode,2017,8,2021-01-01\n4,nm0000001,2020-01-02,Ann,,,7,2021-01-01\n',
    rows: [
      { kind: 'listed', title: 'Heat', list: 'Rated Films' },
      { kind: 'listed', title: 'Heat 2', list: 'Rated Films' },
      { kind: 'listed', title: 'Dark', episodeTitle: 'Secrets' },
      { kind: 'rated', title: 'Dark', episodeTitle: 'Secrets', rating: 8 },
    ],
    skips: [
      { line: 3, skip: 'bad_row' },
      { line: 5, skip: 'not_a_title' },
    ],
  },
  {
    fileName: 'imdb/Best Films.csv',
    format: 'imdb-list',
    text: 'Position,Const,Created,Modified,Description,Title,Title Type,Year\n1,tt0113277,2020-01-02,2020-01-02,,Heat,Movie,1995\n',
    rows: [{ kind: 'listed', title: 'Heat', list: 'Best Films' }],
  },
  {
    fileName: 'imdb/Best Films.txt',
    format: 'imdb-list',
    text: 'Position\tConst\tCreated\tTitle\tTitle Type\tYear\n1\ttt0113277\t2020-01-02\tHeat\tMovie\t1995\n',
    rows: [{ kind: 'listed', title: 'Heat', list: 'Best Films' }],
  },
  // Exports in other languages have other column names, so the general parser of tables (`table`) reads them.
  {
    fileName: 'German/export.csv',
    format: 'table',
    text:
      'Const,Ihre Bewertung,Bewertungsdatum,Titel,Titeltyp,Jahr\n' +
      'tt0113277,9,02.01.2020,Heat,Film,1995\ntt5753856,4,13.01.2020,Dark,Serie,2017\n',
    rows: [
      { kind: 'rated', title: 'Heat', type: 'movie', rating: 9, at: '2020-01-02' },
      { kind: 'rated', title: 'Dark', type: 'tv', rating: 4, at: '2020-01-13' },
    ],
  },
  {
    fileName: 'French/export.csv',
    format: 'table',
    text:
      'Const,Votre note,Date de la note,Titre,Type de titre,Année\n' +
      'tt0113277,9,02/01/2020,Heat,Film,1995\ntt5753856,4,13/01/2020,Dark,Série télévisée,2017\n',
    rows: [
      { kind: 'rated', title: 'Heat', type: 'movie', rating: 9, at: '2020-01-02' },
      { kind: 'rated', title: 'Dark', type: 'tv', rating: 4, at: '2020-01-13' },
    ],
  },
  // Until 2017, exports of ratings and watchlists had the same columns as exports of lists.
  ...(
    [
      ['ratings.csv', 'rated'],
      ['WATCHLIST.csv', 'listed'],
    ] as const
  ).map(([fileName, kind]): FormatCase => {
    const rating = { kind: 'rated', title: 'Heat', type: 'movie', rating: 8 } as const
    return {
      fileName,
      format: 'imdb-list',
      text:
        '"position","const","created","modified","description","Title","Title type","Directors","You rated","IMDb Rating"\n' +
        '"1","tt0113277","Sat Dec 31 00:00:00 2016","","","Heat","Feature Film","Michael Mann","8","8.3"\n',
      rows:
        kind === 'rated'
          ? [{ ...rating, at: '2016-12-31' }]
          : [{ kind, title: 'Heat', type: 'movie', at: '2016-12-31', list: undefined }, rating],
    }
  }),
  {
    fileName: 'Check-ins.csv',
    format: 'imdb-list',
    text: 'Position,Const,Created,Title,Title Type,Year\n1,tt0113277,2020-01-02,Heat,Movie,1995\n',
    rows: [{ kind: 'watched', title: 'Heat', at: '2020-01-02', list: undefined }],
  },
]
