/** Every format from a small file of its own, its rows and what is skipped; then that the door refuses what it must. */
import { expect, test } from 'vitest'
import { detect, parse, UnknownFormat } from '../../../../server/importers/history/parse.ts'
import type { HistoryRow } from '../../../../server/importers/history/row.ts'
import { NOW, readAll } from './shared-data.ts'

interface Case {
  file: string
  text: string
  format: string
  rows: Partial<HistoryRow>[]
  skips?: { line: number; skip: string }[]
}
const json = (value: unknown) => JSON.stringify(value, null, 2)
const film = { title: 'Heat', year: 1995, ids: { trakt: 1, slug: 'heat', imdb: 'tt0113277', tmdb: 949 } }
const show = { title: 'Dark', year: 2017, ids: { trakt: 2, tvdb: 334824, imdb: 'tt5753856', tmdb: 70523 } }
const BOXD = 'Date,Name,Year,Letterboxd URI'

const CASES: Case[] = [
  {
    file: 'NetflixViewingHistory.csv',
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
    file: 'netflix/verlauf.csv',
    format: 'netflix-viewing-history',
    text: 'Titel;Datum\r\n"Dark: Staffel 1: Geheimnisse";"21.10.2020"\r\n',
    rows: [{ title: 'Dark', season: 1, episodeTitle: 'Geheimnisse', at: '2020-10-21' }],
  },
  {
    file: 'CONTENT_INTERACTION/MyList.csv',
    format: 'netflix-my-list',
    text: 'Profile Name,Title Name,Country,Utc Title Add Date\nAnn,Sense8,Canada,2022-01-22\n',
    rows: [{ kind: 'listed', title: 'Sense8', at: '2022-01-22', profile: 'Ann' }],
  },
  {
    file: 'CONTENT_INTERACTION/Ratings.csv',
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
    file: 'watched-movies.json',
    format: 'trakt',
    text: json([{ plays: 3, last_watched_at: '2026-08-19T23:46:00.000Z', movie: film }, { plays: 1 }]),
    rows: [{ kind: 'watched', type: 'movie', plays: 3, at: '2026-08-19T23:46:00Z', year: 1995 }],
    skips: [{ line: 16, skip: 'bad_row' }],
  },
  {
    file: 'watched-shows.json',
    format: 'trakt',
    text: json([
      {
        plays: 3,
        show,
        seasons: [
          { number: 0, episodes: [{ number: 2, plays: 2, last_watched_at: '2020-01-02T00:00:00.000Z' }] },
        ],
      },
      { plays: 8, last_watched_at: '2020-01-03T00:00:00.000Z', show },
    ]),
    rows: [
      { type: 'tv', season: 0, episode: 2, plays: 2, at: '2020-01-02T00:00:00Z' },
      { type: 'tv', plays: 8, ids: { trakt: 2, tvdb: 334824, imdb: 'tt5753856', tmdb: 70523 } },
    ],
  },
  {
    file: 'history-1.json',
    format: 'trakt',
    text: json([
      {
        id: 1,
        watched_at: '2020-01-02T00:00:00.000Z',
        type: 'episode',
        show,
        episode: { season: 1, number: 4, ids: {} },
      },
    ]),
    rows: [{ kind: 'watched', title: 'Dark', season: 1, episode: 4, plays: 1, at: '2020-01-02T00:00:00Z' }],
  },
  {
    file: 'trakt/mixed.json',
    format: 'trakt',
    text: json([
      { rated_at: '2020-01-02T00:00:00.000Z', rating: 9, type: 'movie', movie: film },
      { hidden_at: '2020-01-02T00:00:00.000Z', type: 'show', show },
      { last_collected_at: '2020-01-02T00:00:00.000Z', show },
    ]),
    rows: [
      { kind: 'rated', rating: 9 },
      { kind: 'dropped', title: 'Dark' },
      { kind: 'listed', list: 'collection' },
    ],
  },
  {
    file: 'playback.json',
    format: 'trakt',
    text: json([
      { progress: 40.5, paused_at: '2020-01-02T00:00:00.000Z', id: 1, type: 'movie', movie: film },
      {
        progress: 12,
        paused_at: '2020-01-02T00:00:00.000Z',
        id: 2,
        type: 'episode',
        episode: { season: 1, number: 4 },
        show,
      },
      { progress: 140, paused_at: '2020-01-02T00:00:00.000Z', type: 'movie', movie: film },
    ]),
    rows: [
      { kind: 'watched', title: 'Heat', percent: 40.5, at: '2020-01-02T00:00:00Z' },
      { kind: 'watched', title: 'Dark', season: 1, episode: 4, percent: 12 },
    ],
    skips: [{ line: 38, skip: 'bad_row' }],
  },
  {
    file: 'lists-faces.json',
    format: 'trakt',
    text: json([
      { rank: 1, listed_at: '2020-01-02T00:00:00.000Z', type: 'movie', movie: film },
      {
        rank: 2,
        listed_at: '2020-01-02T00:00:00.000Z',
        type: 'person',
        person: { name: 'A', ids: { trakt: 3 } },
      },
    ]),
    rows: [{ kind: 'listed', title: 'Heat', list: 'faces' }],
    skips: [{ line: 17, skip: 'not_a_title' }],
  },
  {
    file: 'watchlist.json',
    format: 'trakt',
    text: json([{ rank: 1, listed_at: '2020-01-02T00:00:00.000Z', notes: null, type: 'movie', movie: film }]),
    rows: [{ kind: 'listed', title: 'Heat', at: '2020-01-02T00:00:00Z' }],
  },
  {
    file: 'letterboxd-ann/watched.csv',
    format: 'letterboxd-films',
    text: `${BOXD}\n2020-01-02,"Good, the Bad",1966,https://boxd.it/x\n2020-01-02,,1966,x\n`,
    rows: [{ kind: 'watched', type: 'movie', title: 'Good, the Bad', year: 1966, at: '2020-01-02' }],
    skips: [{ line: 3, skip: 'no_title' }],
  },
  {
    file: 'letterboxd-ann/watchlist.csv',
    format: 'letterboxd-films',
    text: `${BOXD}\n2020-01-02,Tank,1984,x\n`,
    rows: [{ kind: 'listed', title: 'Tank' }],
  },
  {
    file: 'letterboxd-ann/likes/films.csv',
    format: 'letterboxd-films',
    text: `${BOXD}\n2020-01-02,Tank,1984,x\n`,
    rows: [{ kind: 'liked', title: 'Tank' }],
  },
  {
    file: 'letterboxd-ann/deleted/diary.csv',
    format: 'letterboxd-films',
    text: `${BOXD},Rating,Rewatch,Tags,Watched Date\n2020-01-02,Tank,1984,x,,,,2020-01-01\n`,
    rows: [],
    skips: [{ line: 2, skip: 'deleted' }],
  },
  {
    file: 'ratings.csv',
    format: 'letterboxd-films',
    text: `${BOXD},Rating\n2020-01-02,Tank,1984,x,0.5\n2020-01-02,Tank,1984,x,\n`,
    rows: [{ kind: 'rated', rating: 1 }],
    skips: [{ line: 3, skip: 'bad_row' }],
  },
  {
    file: 'reviews.csv',
    format: 'letterboxd-films',
    text: `${BOXD},Rating,Rewatch,Review,Tags,Watched Date\n2020-01-05,Tank,1984,x,3.5,,"One.\n\n""Two"", three.",,2020-01-04\n2020-01-06,Gator,1976,x,,,,,\n`,
    rows: [
      { line: 2, kind: 'watched', title: 'Tank', rating: 7, at: '2020-01-04' },
      { line: 5, title: 'Gator', at: '2020-01-06' },
    ],
  },
  {
    file: 'lists/sleep.csv',
    format: 'letterboxd-list',
    text: 'Letterboxd list export v7\nDate,Name,Tags,URL,Description\n2021-02-28,To sleep,"a, b",u,"One.\n\nTwo."\n\nPosition,Name,Year,URL,Description\n1,Kill Bill: Vol. 1,2003,u,\n',
    rows: [
      { kind: 'listed', title: 'Kill Bill: Vol. 1', year: 2003, list: 'To sleep', at: '2021-02-28', line: 8 },
    ],
  },
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
  {
    file: 'tvtime/tracking-prod-records-v2.csv',
    format: 'tvtime-tracking',
    text:
      'ep_id,created_at,gsi,user_id,key,s_id,ep_no,s_no,is_archived,is_followed,is_for_later,most_recent_ep_watched,series_name,season_number,episode_number\n' +
      '1,2023-11-04 15:30:38,g,7,watch-episode-1,349310,,,,,,,Bodyguard (2018),1,6\n' +
      '1,2024-01-02 20:00:00,g,7,rewatch-episode-1,349310,6,1,,,,,Bodyguard (2018),,\n' +
      ',2015-09-13 15:34:44,g,7,user-series-a,73800,,,false,true,false,,Desperate Housewives,,\n' +
      ',2015-09-13 15:34:44,g,7,user-series-b,80000,,,false,false,true,,Later,,\n' +
      ',2015-09-13 15:34:44,g,7,user-series-c,80001,,,true,true,false,,Stopped,,\n' +
      ',2015-09-13 15:34:44,g,7,user-series-d,80002,,,false,false,false,,Unfollowed,,\n' +
      ',2015-09-13 15:34:44,g,7,tracking-stats,,,,,,,,,,\n' +
      '1,2023-11-04 15:30:38,g,7,watch-episode-2,349310,,,,,,,Bodyguard (2018),,\n',
    rows: [
      {
        kind: 'watched',
        title: 'Bodyguard',
        year: 2018,
        ids: { tvdb: 349310 },
        season: 1,
        episode: 6,
        at: '2023-11-04T15:30:38Z',
      },
      { kind: 'watched', season: 1, episode: 6, at: '2024-01-02T20:00:00Z' },
      { kind: 'listed', title: 'Desperate Housewives', state: 'watching', at: '2015-09-13T15:34:44Z' },
      { kind: 'listed', title: 'Later', state: 'planned' },
      { kind: 'dropped', title: 'Stopped' },
    ],
    skips: [
      { line: 7, skip: 'deleted' },
      { line: 8, skip: 'not_a_title' },
      { line: 9, skip: 'bad_row' },
    ],
  },
  {
    file: 'tracking-prod-records.csv',
    format: 'tvtime-records',
    text:
      'user_id,series_id,created_at,type-uuid-n,type,series_name,entity_type,movie_name,release_date,runtime,alpha_range_key,episode_number,season_number,watch_date\n' +
      '1,,2019-09-08 17:24:29,w,watch,,movie,Fury,2014-10-15 00:00:00,8040,watch-alpha-fury,,,\n' +
      '1,,2023-09-04 21:53:54,t,towatch,,movie,The Batman,2022-03-03 00:00:00,10560,,,,\n' +
      '1,,2023-09-04 21:53:54,f,follow,,movie,Fury,2014-10-15 00:00:00,8040,,,,\n' +
      '1,79349,2018-07-06 08:29:40,w,watch,Dexter,episode,,,,,3,2,\n' +
      '1,79349,2021-07-06 08:29:40,c,count-watch-episode-series,Dexter,,,,,,,,\n',
    rows: [
      {
        kind: 'watched',
        type: 'movie',
        title: 'Fury',
        year: 2014,
        runtime: 134,
        at: '2019-09-08T17:24:29Z',
      },
      { kind: 'listed', title: 'The Batman', year: 2022, state: 'planned' },
      { kind: 'watched', type: 'tv', ids: { tvdb: 79349 }, title: 'Dexter', season: 2, episode: 3 },
    ],
    skips: [
      { line: 4, skip: 'not_watched' },
      { line: 6, skip: 'not_a_title' },
    ],
  },
  {
    file: 'gdpr-data/seen_episode_source.csv',
    format: 'tvtime-seen',
    text: 'tv_show_name,source,created_at,episode_season_number,episode_number\nDark,web,2020-05-02 21:00:00,1,2\n',
    rows: [{ kind: 'watched', title: 'Dark', season: 1, episode: 2, at: '2020-05-02T21:00:00Z' }],
  },
  {
    file: 'gdpr-data/followed_tv_show.csv',
    format: 'tvtime-followed',
    text:
      'active,diffusion,user_id,tv_show_id,created_at,tv_show_name,archived\n' +
      "1,original,7,73762,2016-04-30 20:18:17,Grey's Anatomy,0\n1,original,7,80000,2020-01-01 10:00:00,Gone,1\n0,original,7,80001,2020-01-01 10:00:00,Never,0\n",
    rows: [
      { kind: 'listed', title: "Grey's Anatomy", ids: { tvdb: 73762 }, state: 'watching' },
      { kind: 'dropped', title: 'Gone' },
    ],
    skips: [{ line: 4, skip: 'deleted' }],
  },
  {
    file: 'tvtime-series-episodes.csv',
    format: 'tvtime-episodes',
    text: 'series_tvdb_id,series_imdb_id,series_uuid,title,season,episode,tvdb_id,is_watched,watched_at,rewatch_count,special\n5,,u,Elite,1,2,9,true,2019-10-04 03:43:42,1,false\n5,,u,Elite,6,1,9,false,,0,false\n',
    rows: [{ ids: { tvdb: 5 }, season: 1, episode: 2, plays: 2, at: '2019-10-04T03:43:42Z' }],
    skips: [{ line: 3, skip: 'not_watched' }],
  },
  {
    file: 'tvtime-series.json',
    format: 'tvtime-json',
    text: json([
      {
        id: { tvdb: 5, imdb: null },
        title: 'Elite',
        status: 'stopped',
        seasons: [
          {
            number: 1,
            episodes: [{ id: {}, number: 3, is_watched: true, watched_at: '2025-05-13T00:37:58Z' }],
          },
        ],
      },
    ]),
    rows: [
      { kind: 'dropped', ids: { tvdb: 5 } },
      { kind: 'watched', season: 1, episode: 3, at: '2025-05-13T00:37:58Z' },
    ],
  },
]

for (const { file, text, format, rows, skips = [] } of CASES) {
  test(`${format}: ${file}`, async () => {
    const content = Buffer.from(text)
    expect(detect(file, content)?.id).toBe(format)
    for (const size of [1, 7, content.length]) {
      const read = await readAll(file, content, size)
      expect(read.rows).toHaveLength(rows.length)
      expect(read.rows).toMatchObject(rows)
      expect(read.skips).toEqual(skips)
    }
  })
}

test('other files are refused', async () => {
  for (const text of ['', 'hello', '{"a":1}', '[1,2]', 'name,amount\nx,2\n', '\u0000\u0001PNG', 'a,b,c\n']) {
    expect(detect('file.csv', Buffer.from(text))).toBeNull()
    await expect(readAll('file.csv', Buffer.from(text))).rejects.toThrow(UnknownFormat)
  }
})

test('what somebody wrote on Trakt is no history', () => {
  const said = [
    { type: 'movie', movie: film, comment: { id: 1, comment: 'Good.' } },
    { liked_at: '2020-01-02T00:00:00.000Z', type: 'list', list: { ids: { trakt: 4 } } },
  ]
  for (const one of said) expect(detect('comments.json', Buffer.from(json([one])))).toBeNull()
})

test('a file that breaks off counts up to there', async () => {
  const text = json([
    { plays: 1, movie: film },
    { plays: 1, movie: film },
  ]).slice(0, -40)
  const { rows, skips } = await readAll('watched-movies.json', Buffer.from(text))
  expect(rows).toHaveLength(1)
  expect(skips.map((one) => one.skip)).toEqual(['broken_file'])
})

test('200,000 rows stream in bounded memory', async () => {
  const open = async function* () {
    yield Buffer.from('Title,Date\n')
    for (let i = 0; i < 2000; i++) {
      const at = new Date(NOW - i * 86_400_000)
      const date = `${at.getUTCMonth() + 1}/${at.getUTCDate()}/${at.getUTCFullYear() % 100}`
      yield Buffer.from(`"Show ${i % 300}: Season 2: Part \u201c${i}\u201d","${date}"\n`.repeat(100))
    }
  }
  let count = 0
  let peak = 0
  const before = process.memoryUsage().heapUsed
  for await (const row of parse(open, 'NetflixViewingHistory.csv', { now: NOW })) {
    count += row.season === 2 ? 1 : 0
    if (count % 20_000 === 0) peak = Math.max(peak, process.memoryUsage().heapUsed - before)
  }
  expect(count).toBe(200_000)
  expect(peak).toBeLessThan(150e6)
})
