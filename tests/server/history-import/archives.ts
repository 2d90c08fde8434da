/** Sample archives with the files that the exports of Letterboxd and Netflix contain. */
import type { ZipEntry } from '../../support/zip.ts'

const FILMS_HEADER = 'Date,Name,Year,Letterboxd URI\n'
const createFilmLine = (date: string, title: string, year: number) =>
  `${date},${title},${year},https://boxd.it/1\n`
const LETTERBOXD_DIARY = `Date,Name,Year,Letterboxd URI,Rating,Rewatch,Tags,Watched Date
2021-03-20,The Shawshank Redemption,1994,https://boxd.it/2,5,,,2021-01-02
2022-05-06,The Shawshank Redemption,1994,https://boxd.it/3,5,Yes,,2022-05-06
2021-04-02,The Godfather,1972,https://boxd.it/4,,,,2021-04-01
`
export const LETTERBOXD_ARCHIVE: ZipEntry[] = [
  { name: 'watchlist.csv', content: FILMS_HEADER + createFilmLine('2020-01-01', 'Fight Club', 1999) },
  {
    name: 'watched.csv',
    content:
      FILMS_HEADER +
      createFilmLine('2021-03-20', 'The Shawshank Redemption', 1994) +
      createFilmLine('2021-04-02', 'The Godfather', 1972) +
      createFilmLine('2021-06-07', 'Pulp Fiction', 1994),
  },
  {
    name: 'reviews.csv',
    content: `${LETTERBOXD_DIARY.split('\n')
      .slice(0, 2)
      .join('\n')
      .replace(',Tags,', ',Review,Tags,')
      .replace('5,,,', '5,,Good.,,')}\n`,
  },
  { name: 'profile.csv', content: 'Date Joined,Username\n2015-01-01,alice\n' },
  { name: 'diary.csv', content: LETTERBOXD_DIARY },
  {
    name: 'ratings.csv',
    content: `Date,Name,Year,Letterboxd URI,Rating\n2021-03-20,The Shawshank Redemption,1994,https://boxd.it/1,5\n,,,,\n`,
  },
  { name: 'likes/', content: '', isStored: true },
  {
    name: 'likes/films.csv',
    content: FILMS_HEADER + createFilmLine('2021-06-07', 'Pulp Fiction', 1994),
    isStored: true,
  },
  { name: 'likes/reviews.csv', content: 'Date,Content\n2021-06-07,https://boxd.it/9\n' },
  { name: 'deleted/diary.csv', content: LETTERBOXD_DIARY.replaceAll('The Godfather', 'Fight Club') },
  {
    name: 'lists/best.csv',
    content: `Letterboxd list export v7\nDate,Name,Tags,URL,Description\n2021-02-28,Best,,https://boxd.it/5,\n\nPosition,Name,Year,URL,Description\n1,Inception,2010,https://boxd.it/6,\n`,
  },
]
const NETFLIX_ACTIVITY = `Profile Name,Start Time,Duration,Attributes,Title,Supplemental Video Type,Device Type,Bookmark,Latest Bookmark,Country
Ann,2021-03-18 20:00:00,02:20:00,,The Shawshank Redemption,,TV,02:20:00,02:20:00,DE
Ben,2021-03-19 20:00:00,02:50:00,,The Godfather,,TV,02:50:00,02:50:00,DE
`
export const NETFLIX_MY_LIST = `Profile Name,Title Name,Country,Utc Title Add Date\nAnn,Dark,DE,2022-01-22\nBen,Fight Club,DE,2022-01-23\n`
export const NETFLIX_ARCHIVE: ZipEntry[] = [
  { name: 'netflix-report/Cover Sheet.pdf', content: '%PDF-1.4 nothing' },
  { name: 'netflix-report/CONTENT_INTERACTION/MyList.csv', content: NETFLIX_MY_LIST },
  { name: 'netflix-report/CONTENT_INTERACTION/ViewingActivity.csv', content: NETFLIX_ACTIVITY },
  { name: 'netflix-report/CONTENT_INTERACTION/SearchHistory.csv', content: 'Profile Name,Query\nAnn,Dark\n' },
  { name: 'netflix-report/ACCOUNT/TermsOfUse.csv', content: 'Terms,Accepted\nTV,2019-01-01\n' },
  { name: '__MACOSX/._MyList.csv', content: 'x' },
]
