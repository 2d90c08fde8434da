/** TV Time: its data report, and files that other tools derive from it. */
import { type FormatCase, formatJson } from './case.ts'

export const TVTIME_CASES: FormatCase[] = [
  {
    fileName: 'tvtime/tracking-prod-records-v2.csv',
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
    fileName: 'tracking-prod-records.csv',
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
    fileName: 'gdpr-data/seen_episode_source.csv',
    format: 'tvtime-seen',
    text: 'tv_show_name,source,created_at,episode_season_number,episode_number\nDark,web,2020-05-02 21:00:00,1,2\n',
    rows: [{ kind: 'watched', title: 'Dark', season: 1, episode: 2, at: '2020-05-02T21:00:00Z' }],
  },
  {
    fileName: 'gdpr-data/seen_episode.csv',
    format: 'tvtime-seen',
    text:
      'tv_show_id,tvdb_id,tv_show_name,created_at,episode_season_number,episode_number\n' +
      '334824,6300000,Dark,2020-05-02 21:00:00,1,2\n,6300001,,2020-05-03 21:00:00,1,3\n',
    rows: [{ ids: { tvdb: 334824 }, title: 'Dark', season: 1, episode: 2 }],
    skips: [{ line: 3, skip: 'no_title' }],
  },
  {
    fileName: 'gdpr-data/followed_tv_show.csv',
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
    fileName: 'tvtime-series-episodes.csv',
    format: 'tvtime-episodes',
    text: 'series_tvdb_id,series_imdb_id,series_uuid,title,season,episode,tvdb_id,is_watched,watched_at,rewatch_count,special\n5,,u,Elite,1,2,9,true,2019-10-04 03:43:42,1,false\n5,,u,Elite,6,1,9,false,,0,false\n',
    rows: [{ ids: { tvdb: 5 }, season: 1, episode: 2, plays: 2, at: '2019-10-04T03:43:42Z' }],
    skips: [{ line: 3, skip: 'not_watched' }],
  },
  // Spreadsheet programs write booleans in upper case and in the language of their user.
  ...[
    ['TRUE', 'FALSE'],
    ['VRAI', 'FAUX'],
    ['WAHR', 'FALSCH'],
  ].flatMap(([trueWord, falseWord]): FormatCase[] => [
    {
      fileName: `${trueWord}/tvtime-series-episodes.csv`,
      format: 'tvtime-episodes',
      text: `series_tvdb_id;series_imdb_id;series_uuid;title;season;episode;tvdb_id;is_watched;watched_at;rewatch_count;special\n5;;u;Elite;1;2;9;${trueWord};2019-10-04 03:43:42;1;${falseWord}\n5;;u;Elite;2;1;9;${trueWord};;0;${trueWord}\n5;;u;Elite;6;1;9;${falseWord};;0;${falseWord}\n5;;u;Elite;6;1;9;perhaps;;0;${falseWord}\n`,
      rows: [
        { season: 1, episode: 2 },
        { season: 0, episode: 1 },
      ],
      skips: [
        { line: 4, skip: 'not_watched' },
        { line: 5, skip: 'bad_row' },
      ],
    },
    {
      fileName: `${trueWord}/tvtime-movies.csv`,
      format: 'tvtime-movies',
      text: `uuid,tvdb_id,imdb_id,title,year,created_at,watched_at,is_watched,rewatch_count\nu,1,tt0113277,Heat,1995,2022-03-18T00:03:26Z,2022-03-19T00:03:26Z,${trueWord},0\nu,2,tt0089881,Ran,1985,2022-03-18T00:03:26Z,,${falseWord},0\nu,3,tt0000001,It,2017,,,perhaps,0\n`,
      rows: [
        { kind: 'watched', title: 'Heat', at: '2022-03-19T00:03:26Z' },
        { kind: 'listed', title: 'Ran', at: '2022-03-18T00:03:26Z' },
      ],
      skips: [{ line: 4, skip: 'bad_row' }],
    },
  ]),
  {
    fileName: 'tvtime-series.json',
    format: 'tvtime-json',
    text: formatJson([
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
  {
    fileName: 'tvtime-series.csv',
    format: 'tvtime-series',
    text:
      'uuid,tvdb_id,imdb_id,title,status,created_at\n' +
      'u,5,,Elite,stopped,2022-01-06 10:00:00\nv,6,tt5753856,Dark,up_to_date,2022-01-07 10:00:00\n',
    rows: [
      { kind: 'dropped', title: 'Elite', ids: { tvdb: 5 } },
      { kind: 'listed', title: 'Dark', state: 'watching', at: '2022-01-07T10:00:00Z' },
    ],
  },
  {
    // The text has the form in which a spreadsheet program with French settings saves the file.
    fileName: 'tvtime-movies.csv',
    format: 'tvtime-movies',
    text:
      'uuid;tvdb_id;imdb_id;title;year;created_at;is_watched;watched_at;rewatch_count\n' +
      'u;1;;Heat;1995;01/02/2019 10:00;VRAI;21/03/2019 20:15;0\nv;2;;Tank;1984;02/02/2019 10:00;FAUX;;\n' +
      'w;3;;Gator;1976;02/02/2019 10:00;VRAI;31/02/2019 10:00;\nx;4;;Fury;2014;;VRAI;0000-00-00 00:00:00;\n',
    rows: [
      { kind: 'watched', title: 'Heat', at: '2019-03-21T20:15:00Z' },
      { kind: 'listed', title: 'Tank', at: '2019-02-02T10:00:00Z' },
      { kind: 'watched', title: 'Fury' },
    ],
    skips: [{ line: 4, skip: 'bad_date' }],
  },
  {
    // The text has the form in which a spreadsheet program with American settings saves the file.
    fileName: 'gdpr-data/tracking-prod-records.csv',
    format: 'tvtime-records',
    text:
      'user_id,series_id,created_at,type,series_name,entity_type,movie_name,release_date,runtime,episode_number,season_number,watch_date\n' +
      '1,,9/28/2019 5:24:29 PM,watch,,movie,Fury,10/15/2014,8040,,,\n' +
      '1,79349,10/2/2019 12:05 AM,watch,Dexter,episode,,,,3,2,\n1,79349,1570000000,watch,Dexter,episode,,,,4,2,\n' +
      '1,79349,13/32/2019 12:05 AM,watch,Dexter,episode,,,,5,2,\n',
    rows: [
      { kind: 'watched', title: 'Fury', year: 2014, at: '2019-09-28T17:24:29Z' },
      { kind: 'watched', title: 'Dexter', season: 2, episode: 3, at: '2019-10-02T00:05:00Z' },
      { kind: 'watched', title: 'Dexter', season: 2, episode: 4 },
    ],
    skips: [{ line: 5, skip: 'bad_date' }],
  },
  {
    fileName: 'tvtime-series.json',
    format: 'json-records',
    text: formatJson([
      {
        uuid: 'a',
        id: { tvdb: 334824, imdb: 'tt5753856' },
        title: 'Dark',
        seasons: [
          {
            number: 1,
            episodes: [{ id: { tvdb: 1 }, number: 1, is_watched: true, watched_at: '2021-03-04 20:15:00' }],
          },
        ],
      },
    ]),
    rows: [
      {
        kind: 'watched',
        type: 'tv',
        title: 'Dark',
        season: 1,
        episode: 1,
        ids: { tvdb: 334824, imdb: 'tt5753856' },
        at: '2021-03-04T20:15:00Z',
      },
    ],
  },
]
