/** Streaming services and shops: Prime Video, Disney+ and Apple. Titles and people are synthetic. */
import { type FormatCase, formatJson, ISO_TIME } from './case.ts'

export const STREAMING_SERVICE_CASES: FormatCase[] = [
  {
    fileName: 'watch-history-export.csv',
    format: 'table',
    text:
      'Date Watched,Type,Title,Episode Title,Global Title Identifier,Episode Global Title Identifier,Path,Episode Path,Image URL\n' +
      '2021-03-04 20:15:00,Movie,Heat,,amzn1.dv.gti.1,,/detail/1,,u\n' +
      '2021-03-05 20:15:00,Series,Dark,Secrets,amzn1.dv.gti.2,amzn1.dv.gti.3,/detail/2,/detail/3,u\n',
    rows: [
      { kind: 'watched', type: 'movie', title: 'Heat', at: ISO_TIME },
      { kind: 'watched', type: 'tv', title: 'Dark', episodeTitle: 'Secrets', at: '2021-03-05T20:15:00Z' },
    ],
  },
  {
    fileName: 'Your Prime Video Viewing Activity/Viewing History.csv',
    format: 'table',
    text:
      '\ufeff"City","Material Type Description","Playback Start Datetime (UTC)","Seconds Viewed","Title"\n' +
      '"""Lima""","""Full""",2021-03-04T20:15:00Z,3138,"""Secrets-Dark - Season 5"""\n' +
      '"""Lima""","""Feature""",2021-03-04T20:15:00Z,6200,"""Spider-Man"""\n' +
      '"""Lima""","""Promo""",2021-03-04T20:15:00Z,900,"""Heat"""\n"""Lima""","""Feature""",2021-03-04T20:15:00Z,20,"""Heat"""\n',
    rows: [
      { kind: 'watched', type: 'tv', title: 'Dark', season: 5, episodeTitle: 'Secrets', progress: 3138 },
      { kind: 'watched', title: 'Spider-Man', progress: 6200 },
    ],
    skips: [
      { line: 4, skip: 'supplement' },
      { line: 5, skip: 'too_short' },
    ],
  },
  {
    fileName: 'disney_plus_export.csv',
    format: 'table',
    text: 'Profile ID;Program Title;Season Title;Date\nAnn;Secrets;Dark;2021-03-04\nAnn;Heat;;2021-03-05\n',
    rows: [
      {
        kind: 'watched',
        type: 'tv',
        title: 'Dark',
        episodeTitle: 'Secrets',
        profile: 'Ann',
        at: '2021-03-04',
      },
      { kind: 'watched', title: 'Heat', at: '2021-03-05' },
    ],
  },
  {
    fileName: 'Stores Activity/Play Position Information/Playback Activity.csv',
    format: 'table',
    text:
      'Item Reference,Item Description,Last activity timestamp,Playback position,Play count,Has been played?\n' +
      '100,Heat,2021-03-04T20:15:00Z,0.980,2,Yes\n101,Dark,2021-03-04T20:15:00Z,0.000,0,No\n',
    rows: [{ kind: 'watched', title: 'Heat', at: ISO_TIME, plays: 2 }],
    skips: [{ line: 3, skip: 'not_watched' }],
  },
  {
    fileName: 'crunchyroll-watch-history.json',
    format: 'json-records',
    text: formatJson({
      data: [
        {
          id: 'GR1',
          date_played: ISO_TIME,
          fully_watched: true,
          panel: {
            type: 'episode',
            title: 'Secrets',
            episode_metadata: { episode_number: 2, season_number: 1, series_title: 'Dark' },
          },
        },
        { id: 'GR2', date_played: ISO_TIME, fully_watched: false, panel: { type: 'movie', title: 'Heat' } },
      ],
    }),
    rows: [
      {
        kind: 'watched',
        type: 'tv',
        title: 'Dark',
        season: 1,
        episode: 2,
        episodeTitle: 'Secrets',
        at: ISO_TIME,
      },
    ],
    skips: [{ line: 17, skip: 'not_watched' }],
  },
  {
    fileName: 'stremio-library.json',
    format: 'json-records',
    text: formatJson([
      {
        _id: 'tt0113277',
        name: 'Heat',
        type: 'movie',
        year: '1995',
        state: { timesWatched: 1, lastWatched: ISO_TIME, season: 0, episode: 0, watched: null },
      },
    ]),
    rows: [
      { kind: 'watched', type: 'movie', title: 'Heat', year: 1995, ids: { imdb: 'tt0113277' }, at: ISO_TIME },
    ],
  },
]
