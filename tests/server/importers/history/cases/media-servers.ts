/** Media servers and media centres: Tautulli (Plex), Jellyfin and Kodi. Titles and people are synthetic. */
import { type FormatCase, formatJson, ISO_TIME } from './case.ts'

export const MEDIA_SERVER_CASES: FormatCase[] = [
  {
    fileName: 'tautulli.csv',
    format: 'table',
    text:
      'date,user,media_type,full_title,title,parent_title,grandparent_title,year,media_index,parent_media_index,percent_complete,watched_status\n' +
      '1614888900,ann,episode,Dark - Secrets,Secrets,Season 1,Dark,2017,1,1,100,1\n' +
      '1614888900,ann,movie,Heat,Heat,,,1995,,,50,0.5\n1614888900,ann,track,Song,Song,Album,Band,,1,,100,1\n',
    rows: [
      { kind: 'watched', type: 'tv', title: 'Dark', season: 1, episode: 1, at: ISO_TIME, profile: 'ann' },
      { kind: 'watched', type: 'movie', title: 'Heat', year: 1995, percent: 50 },
    ],
    skips: [{ line: 4, skip: 'not_a_title' }],
  },
  {
    fileName: 'PlaybackReportingBackup-20210305-021556.tsv',
    format: 'table',
    text:
      '2021-03-04 20:15:00.1234567\t5a0c4b0e8f6d4c0e9b0a1c2d3e4f5a6b\t12\tMovie\tHeat\tDirectPlay\tWeb\tTV\t9000\n' +
      '2021-03-05 20:15:00.1\t5a0c4b0e8f6d4c0e9b0a1c2d3e4f5a6b\t13\tEpisode\tDark - s01e02 - Secrets\tTranscode\tWeb\tTV\t3000\n' +
      '2021-03-05 20:15:00.1\t5a0c4b0e8f6d4c0e9b0a1c2d3e4f5a6b\t14\tAudio\tSong\tDirectPlay\tWeb\tTV\t300\n',
    rows: [
      { kind: 'watched', type: 'movie', title: 'Heat', progress: 9000, at: ISO_TIME },
      { kind: 'watched', type: 'tv', title: 'Dark', season: 1, episode: 2, episodeTitle: 'Secrets' },
    ],
    skips: [{ line: 3, skip: 'not_a_title' }],
  },
  {
    fileName: 'jellyfin-items.json',
    format: 'json-records',
    text: formatJson({
      Items: [
        {
          Name: 'Heat',
          ProductionYear: 1995,
          Type: 'Movie',
          ProviderIds: { Imdb: 'tt0113277', Tmdb: '949' },
          UserData: { Played: true, PlayCount: 2, LastPlayedDate: ISO_TIME },
        },
        {
          Name: 'Secrets',
          SeriesName: 'Dark',
          ParentIndexNumber: 1,
          IndexNumber: 2,
          Type: 'Episode',
          ProviderIds: { Tvdb: '6305578' },
          UserData: { Played: true, LastPlayedDate: ISO_TIME },
        },
        { Name: 'Lost Film', Type: 'Movie', CommunityRating: 8.1, UserData: { Played: false, PlayCount: 0 } },
      ],
    }),
    rows: [
      {
        kind: 'watched',
        type: 'movie',
        title: 'Heat',
        year: 1995,
        ids: { imdb: 'tt0113277', tmdb: 949 },
        plays: 2,
        at: ISO_TIME,
      },
      {
        kind: 'watched',
        type: 'tv',
        title: 'Dark',
        season: 1,
        episode: 2,
        episodeTitle: 'Secrets',
        ids: {},
        at: ISO_TIME,
      },
    ],
    skips: [{ line: 31, skip: 'not_watched' }],
  },
  {
    fileName: 'kodi_videodb.xml',
    format: 'kodi',
    text: `<?xml version="1.0" encoding="UTF-8"?>
<videodb><version>1</version>
<movie><title>Heat</title><originaltitle>Heat</originaltitle><year>1995</year><ratings><rating name="imdb"><value>8.3</value></rating></ratings>
<userrating>9</userrating><playcount>2</playcount><lastplayed>2021-03-04 20:15:00</lastplayed><uniqueid type="imdb">tt0113277</uniqueid>
<actor><name>Ann</name></actor></movie>
<movie><title>Lost Film</title><playcount>0</playcount><lastplayed></lastplayed></movie>
<tvshow><title>Dark</title><season>-1</season><playcount>0</playcount>
<episodedetails><title>Secrets</title><showtitle>Dark</showtitle><season>1</season><episode>1</episode><playcount>1</playcount><lastplayed>2021-03-05</lastplayed></episodedetails>
</tvshow></videodb>
`,
    rows: [
      {
        kind: 'watched',
        type: 'movie',
        title: 'Heat',
        year: 1995,
        plays: 2,
        rating: 9,
        ids: { imdb: 'tt0113277' },
        at: ISO_TIME,
      },
      {
        kind: 'watched',
        type: 'tv',
        title: 'Dark',
        season: 1,
        episode: 1,
        episodeTitle: 'Secrets',
        at: '2021-03-05',
      },
    ],
    skips: [
      { line: 6, skip: 'not_watched' },
      { line: 7, skip: 'not_watched' },
    ],
  },
  {
    fileName: 'kodi_videodb.xml',
    format: 'kodi',
    text: `<?xml version="1.0" encoding="UTF-8"?>
<videodb><version>1</version>
<movie><title>Heat</title><playcount>1</playcount><lastplayed>1601-01-01 00:00:00</lastplayed><id>949</id>
<uniqueid type="imdb">tt0113277</uniqueid><uniqueid type="tmdb" default="true">949</uniqueid>
<genre>Crime</genre><genre>Drama</genre><year>1995</year></movie>
<tvshow><title>Dark</title><userrating>8</userrating><uniqueid default="true" type='tvdb'>334824</uniqueid></tvshow></videodb>
`,
    rows: [
      { kind: 'watched', title: 'Heat', year: 1995, at: undefined, ids: { imdb: 'tt0113277', tmdb: 949 } },
      { kind: 'rated', type: 'tv', title: 'Dark', ids: { tvdb: 334824 } },
    ],
  },
  {
    fileName: 'tautulli-history.json',
    format: 'json-records',
    text: formatJson({
      response: {
        data: {
          data: [
            {
              date: 1614888900,
              media_type: 'episode',
              full_title: 'Dark - Secrets',
              title: 'Secrets',
              grandparent_title: 'Dark',
              year: 2019,
              media_index: 1,
              parent_media_index: 2,
              watched_status: 1,
            },
            { date: 1614888900, media_type: 'movie', title: 'Heat', year: 1995, watched_status: 0.5 },
          ],
        },
      },
    }),
    rows: [
      // Tautulli states the year of the episode. The row must not contain this year, because matching needs the year of
      // the series.
      { kind: 'watched', title: 'Dark', season: 2, episode: 1, year: undefined, at: ISO_TIME },
      { kind: 'watched', title: 'Heat', year: 1995, at: ISO_TIME },
    ],
  },
  {
    fileName: 'plex-history.json',
    format: 'json-records',
    text: formatJson({
      MediaContainer: {
        Metadata: [
          { title: 'Heat', type: 'movie', originallyAvailableAt: '1995-12-15', viewedAt: 1614888900 },
          {
            title: 'Secrets',
            grandparentTitle: 'Dark',
            type: 'episode',
            index: 2,
            parentIndex: 1,
            viewedAt: 1614888900,
          },
        ],
      },
    }),
    rows: [
      { kind: 'watched', type: 'movie', title: 'Heat', year: 1995, at: ISO_TIME },
      { kind: 'watched', type: 'tv', title: 'Dark', season: 1, episode: 2, at: ISO_TIME },
    ],
  },
  {
    fileName: 'emby-items.json',
    format: 'json-records',
    text: formatJson({
      Items: [
        {
          Name: 'Heat',
          Type: 'Movie',
          UserData: { Played: true, LastPlayedDate: '0001-01-01T00:00:00.0000000Z' },
        },
      ],
    }),
    rows: [{ kind: 'watched', type: 'movie', title: 'Heat', at: undefined }],
  },
]
