/** Letterboxd: the files of an account archive. */
import type { FormatCase } from './case.ts'

const FILMS_HEADER = 'Date,Name,Year,Letterboxd URI'

export const LETTERBOXD_CASES: FormatCase[] = [
  {
    fileName: 'letterboxd-ann/watched.csv',
    format: 'letterboxd-films',
    text: `${FILMS_HEADER}\n2020-01-02,"Good, the Bad",1966,https://boxd.it/x\n2020-01-02,,1966,x\n`,
    rows: [{ kind: 'watched', type: 'movie', title: 'Good, the Bad', year: 1966, at: '2020-01-02' }],
    skips: [{ line: 3, skip: 'no_title' }],
  },
  {
    fileName: 'letterboxd-ann/watchlist.csv',
    format: 'letterboxd-films',
    text: `${FILMS_HEADER}\n2020-01-02,Tank,1984,x\n`,
    rows: [{ kind: 'listed', title: 'Tank' }],
  },
  {
    fileName: 'letterboxd-ann/likes/films.csv',
    format: 'letterboxd-films',
    text: `${FILMS_HEADER}\n2020-01-02,Tank,1984,x\n`,
    rows: [{ kind: 'liked', title: 'Tank' }],
  },
  ...['films.csv', 'films (1).csv'].map((fileName) => ({
    fileName,
    format: 'letterboxd-films',
    text: `${FILMS_HEADER}\n2020-01-02,Tank,1984,x\n`,
    rows: [{ kind: 'liked' as const, title: 'Tank' }],
  })),
  {
    fileName: 'diary (2).csv',
    format: 'letterboxd-films',
    text: `${FILMS_HEADER}\n2020-01-02,Tank,1984,x\n`,
    rows: [{ kind: 'watched', title: 'Tank' }],
  },
  {
    fileName: 'renamed.csv',
    format: 'letterboxd-films',
    text: `${FILMS_HEADER},Rating,Rewatch,Tags,Watched Date\n2020-01-02,Tank,1984,x,,,,2020-01-01\n`,
    rows: [{ kind: 'watched', title: 'Tank', at: '2020-01-01' }],
  },
  {
    fileName: 'letterboxd-ann/deleted/diary.csv',
    format: 'letterboxd-films',
    text: `${FILMS_HEADER},Rating,Rewatch,Tags,Watched Date\n2020-01-02,Tank,1984,x,,,,2020-01-01\n`,
    rows: [],
    skips: [{ line: 2, skip: 'deleted' }],
  },
  {
    fileName: 'ratings.csv',
    format: 'letterboxd-films',
    text: `${FILMS_HEADER},Rating\n2020-01-02,Tank,1984,x,0.5\n2020-01-02,Tank,1984,x,\n`,
    rows: [{ kind: 'rated', rating: 1 }],
    skips: [{ line: 3, skip: 'bad_row' }],
  },
  {
    fileName: 'reviews.csv',
    format: 'letterboxd-films',
    text: `${FILMS_HEADER},Rating,Rewatch,Review,Tags,Watched Date\n2020-01-05,Tank,1984,x,3.5,,"One.\n\n""Two"", three.",,2020-01-04\n2020-01-06,Gator,1976,x,,,,,\n`,
    rows: [
      {
        line: 2,
        kind: 'watched',
        title: 'Tank',
        rating: 7,
        at: '2020-01-04',
        note: 'One.\n\n"Two", three.',
      },
      { line: 5, title: 'Gator', at: '2020-01-06' },
    ],
  },
  {
    // The text has the form in which a spreadsheet program with French settings saves the file.
    fileName: 'letterboxd-ann/diary.csv',
    format: 'letterboxd-films',
    text:
      'Date;Name;Year;Letterboxd URI;Rating;Rewatch;Tags;Watched Date\n' +
      '16/12/2017;Tank;1984;x;3,5;;;15/12/2017\n06/01/2018;Gator;1976;x;4;;;05/01/2018\n' +
      '06/01/2018;Heat;1995;x;;;;31/02/2018\n06/01/2018;Fury;2014;x;;;;5 janvier 2018\n',
    rows: [
      { kind: 'watched', title: 'Tank', rating: 7, at: '2017-12-15', logged: '2017-12-16' },
      { title: 'Gator', rating: 8, at: '2018-01-05', logged: '2018-01-06' },
      { title: 'Fury', logged: '2018-01-06' },
    ],
    skips: [{ line: 4, skip: 'bad_date' }],
  },
  {
    fileName: 'letterboxd-ann/ratings.csv',
    format: 'letterboxd-films',
    text: 'Date;Name;Year;Letterboxd URI;Rating\n15.12.2017;Tank;1984;x;3,5\n16.12.2017;Gator;1976;x;4\n',
    rows: [
      { kind: 'rated', rating: 7, at: '2017-12-15' },
      { kind: 'rated', rating: 8, at: '2017-12-16' },
    ],
  },
  {
    fileName: 'lists/spreadsheet.csv',
    format: 'letterboxd-list',
    text: 'Letterboxd list export v7;;;;\nDate;Name;Tags;URL;Description\n28/02/2021;To sleep;;u;\n;;;;\nPosition;Name;Year;URL;Description\n1;Heat;1995;u;\n',
    rows: [{ kind: 'listed', title: 'Heat', list: 'To sleep', at: '2021-02-28' }],
  },
  {
    fileName: 'lists/sleep.csv',
    format: 'letterboxd-list',
    text: 'Letterboxd list export v7\nDate,Name,Tags,URL,Description\n2021-02-28,To sleep,"a, b",u,"One.\n\nTwo."\n\nPosition,Name,Year,URL,Description\n1,Kill Bill: Vol. 1,2003,u,\n',
    rows: [
      { kind: 'listed', title: 'Kill Bill: Vol. 1', year: 2003, list: 'To sleep', at: '2021-02-28', line: 8 },
    ],
  },
  {
    fileName: 'lists/awake.csv',
    format: 'letterboxd-list',
    text: 'Date,Name,Tags,URL,Description\n2021-02-28,To stay awake,,u,\n\nPosition,Name,Year,URL,Description\n1,Heat,1995,u,\n',
    rows: [{ kind: 'listed', title: 'Heat', year: 1995, list: 'To stay awake', at: '2021-02-28', line: 5 }],
  },
  {
    fileName: 'lists/Films Only.txt',
    format: 'letterboxd-list',
    text: 'Position;Name;Year;URL;Description\n1;Heat;1995;u;\n',
    rows: [{ kind: 'listed', title: 'Heat', year: 1995, list: 'Films Only' }],
  },
]
