/** Netflix: the viewing history of a profile, and the data report of an account. */
import type { FormatCase } from './case.ts'

export const NETFLIX_CASES: FormatCase[] = [
  {
    fileName: 'NetflixViewingHistory.csv',
    format: 'netflix-viewing-history',
    text: 'Title,Date,,\n"Lost Show: Сезон 1: А","31.01.24 г.",,\n"Lost Film","30.01.24 г.",,\n',
    rows: [
      { title: 'Lost Show', season: 1, at: '2024-01-31' },
      { title: 'Lost Film', at: '2024-01-30' },
    ],
  },
  {
    fileName: 'NetflixViewingHistory.csv',
    format: 'netflix-viewing-history',
    text: 'Title,Date\n"Dark: Season 1: Secrets","10/21/20"\n": ","10/20/20"\n"Heat","10/2/20"\n"Heat","once"\n',
    rows: [
      { line: 2, kind: 'watched', title: 'Dark', season: 1, at: '2020-10-21' },
      { line: 4, title: 'Heat', at: '2020-10-02' },
    ],
    skips: [
      { line: 3, skip: 'no_title' },
      { line: 5, skip: 'bad_date' },
    ],
  },
  {
    fileName: 'netflix/verlauf.csv',
    format: 'netflix-viewing-history',
    text: 'Titel;Datum\r\n"Dark: Staffel 1: Geheimnisse";"21.10.2020"\r\n',
    rows: [{ title: 'Dark', season: 1, episodeTitle: 'Geheimnisse', at: '2020-10-21' }],
  },
  {
    // The text has the form in which a spreadsheet program with German settings saves the file.
    fileName: 'CONTENT_INTERACTION/ViewingActivity.csv',
    format: 'netflix-viewing-activity',
    text:
      'Profile Name;Start Time;Duration;Attributes;Title;Supplemental Video Type;Device Type;Bookmark;Latest Bookmark;Country\n' +
      'Ann;21.03.2021 20:15;01:40:00;;Heat;;TV;01:40:00;01:40:00;DE\nAnn;01.02.2021 20:15;01:40:00;;Tank;;TV;01:40:00;01:40:00;DE\n',
    rows: [
      { kind: 'watched', title: 'Heat', at: '2021-03-21T20:15:00Z' },
      { kind: 'watched', title: 'Tank', at: '2021-02-01T20:15:00Z' },
    ],
  },
  {
    fileName: 'CONTENT_INTERACTION/MyList (2).csv',
    format: 'netflix-my-list',
    text: 'Profile Name;Title Name;Country;Utc Title Add Date\nAnn;Sense8;Canada;22.01.2022\nAnn;Heat;Canada;31.02.2022\n',
    rows: [{ kind: 'listed', title: 'Sense8', at: '2022-01-22' }],
    skips: [{ line: 3, skip: 'bad_date' }],
  },
  {
    fileName: 'CONTENT_INTERACTION/MyList.csv',
    format: 'netflix-my-list',
    text: 'Profile Name,Title Name,Country,Utc Title Add Date\nAnn,Sense8,Canada,2022-01-22\n',
    rows: [{ kind: 'listed', title: 'Sense8', at: '2022-01-22', profile: 'Ann' }],
  },
  {
    fileName: 'CONTENT_INTERACTION/Ratings.csv',
    format: 'netflix-ratings',
    text:
      'Profile Name,Title Name,Rating Type,Star Value,Thumbs Value,Device Model,Event Utc Ts,Region View Date\n' +
      'Ann,A,thumb,,2,x,2022-01-22 04:23:38,\nAnn,B,thumb,,1,x,2022-01-22 04:23:38,\nAnn,C,star,4,,x,2012-01-22 04:23:38,\nAnn,D,thumb,,0,x,,\n',
    rows: [
      { kind: 'liked', title: 'A', at: '2022-01-22T04:23:38Z' },
      { kind: 'disliked', title: 'B' },
      { kind: 'rated', title: 'C', rating: 8 },
    ],
    skips: [{ line: 5, skip: 'bad_row' }],
  },
  {
    fileName: 'NetflixViewingHistory.csv',
    format: 'netflix-viewing-history',
    text:
      'Title,Date\n"Dark: 1.ª temporada: Segredos","31/12/2023"\n"Das Boot: Limitierte Serie: Folge 1","30/12/2023"\n' +
      '"黑镜：第 5 季：击打天鹅","29/12/2023"\n',
    rows: [
      { title: 'Dark', season: 1, episodeTitle: 'Segredos' },
      { title: 'Das Boot', season: 1, episode: 1 },
      { title: '黑镜', season: 5, episodeTitle: '击打天鹅' },
    ],
  },
]
