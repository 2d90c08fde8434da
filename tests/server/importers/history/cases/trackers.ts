/** Tracking services: Simkl, MyAnimeList, AniList and others. Titles and people are synthetic. */
import { type FormatCase, formatJson, ISO_TIME } from './case.ts'

export const TRACKER_CASES: FormatCase[] = [
  {
    fileName: 'SimklBackup.csv',
    format: 'table',
    text:
      'SIMKL_ID,Title,Type,Year,Watchlist,LastEpWatched,WatchedDate,Rating,Memo,TVDB,TMDB,IMDB\n' +
      '1,Heat,movie,1995,completed,,2021-03-04T20:15:00Z,9,Good.,,949,tt0113277\n' +
      '2,Dark,tv,2017,watching,s2e3,2021-03-05T20:15:00Z,4,,334824,70523,tt5753856\n' +
      '3,Lost Film,movie,2001,plantowatch,,,,,,,\n4,Gone,tv,2010,dropped,,,,,,,\n',
    rows: [
      { kind: 'watched', title: 'Heat', type: 'movie', at: ISO_TIME, rating: 9, note: 'Good.' },
      {
        kind: 'watched',
        title: 'Dark',
        season: 2,
        episode: 3,
        ids: { tvdb: 334824, tmdb: 70523, imdb: 'tt5753856' },
      },
      { kind: 'listed', title: 'Dark', state: 'watching' },
      { kind: 'rated', title: 'Dark', rating: 4 },
      { kind: 'listed', title: 'Lost Film', state: 'planned', year: 2001 },
      { kind: 'dropped', title: 'Gone' },
    ],
  },
  {
    fileName: 'SimklBackup.json',
    format: 'json-records',
    text: formatJson({
      shows: [
        {
          last_watched_at: ISO_TIME,
          status: 'watching',
          user_rating: 4,
          last_watched: 'S01E02',
          watched_episodes_count: 2,
          show: {
            title: 'Dark',
            year: 2017,
            ids: { simkl: 2, imdb: 'tt5753856', tmdb: '70523', tvdb: '334824' },
          },
          seasons: [
            {
              number: 1,
              episodes: [
                { number: 1, watched_at: '2021-03-03T20:15:00Z' },
                { number: 2, watched_at: ISO_TIME },
              ],
            },
          ],
        },
      ],
      anime: [
        {
          status: 'completed',
          anime_type: 'movie',
          show: { title: 'Akira', year: 1988, ids: { imdb: 'tt0094625' } },
        },
      ],
      movies: [
        {
          last_watched_at: ISO_TIME,
          status: 'completed',
          user_rating: 9,
          movie: { title: 'Heat', year: 1995, ids: { imdb: 'tt0113277' } },
        },
        {
          last_watched_at: null,
          status: 'plantowatch',
          added_to_watchlist_at: ISO_TIME,
          movie: { title: 'Lost Film', year: 2001, ids: {} },
        },
      ],
    }),
    rows: [
      { kind: 'watched', title: 'Dark', type: 'tv', season: 1, episode: 1, at: '2021-03-03T20:15:00Z' },
      { kind: 'watched', title: 'Dark', season: 1, episode: 2, at: ISO_TIME },
      {
        kind: 'listed',
        title: 'Dark',
        state: 'watching',
        ids: { imdb: 'tt5753856', tmdb: 70523, tvdb: 334824 },
      },
      { kind: 'rated', title: 'Dark', rating: 4 },
      { kind: 'watched', title: 'Akira', type: 'movie' },
      { kind: 'watched', title: 'Heat', type: 'movie', rating: 9, at: ISO_TIME },
      { kind: 'listed', title: 'Lost Film', state: 'planned', at: ISO_TIME },
    ],
  },
  {
    fileName: 'animelist_1.xml',
    format: 'myanimelist',
    text: `<?xml version="1.0" encoding="UTF-8" ?>
<!-- Created by XML Export feature -->
<myanimelist>
<myinfo><user_name>alice</user_name><user_total_watching>1</user_total_watching></myinfo>
<anime><series_animedb_id>1</series_animedb_id><series_title><![CDATA[Dark & Light]]></series_title>
<series_type>TV</series_type><series_episodes>3</series_episodes><my_watched_episodes>3</my_watched_episodes>
<my_start_date>2020-01-01</my_start_date><my_finish_date>2020-01-03</my_finish_date><my_score>4</my_score>
<my_status>Completed</my_status><my_times_watched>2</my_times_watched></anime>
<anime><series_title>Akira</series_title><series_type>Movie</series_type><my_watched_episodes>1</my_watched_episodes>
<my_finish_date>2020-02-00</my_finish_date><my_score>0</my_score><my_status>2</my_status></anime>
<anime><series_title>Lost &amp; Found</series_title><series_type>OVA</series_type><my_watched_episodes>0</my_watched_episodes>
<my_finish_date>0000-00-00</my_finish_date><my_status>Plan to Watch</my_status></anime>
<manga><manga_title>Dark</manga_title><my_status>Completed</my_status></manga>
</myanimelist>
`,
    rows: [
      { kind: 'watched', title: 'Dark & Light', type: 'tv', episode: 1, isCounted: true, plays: 3 },
      { kind: 'watched', title: 'Dark & Light', episode: 2, plays: 3 },
      { kind: 'watched', title: 'Dark & Light', episode: 3, at: '2020-01-03', plays: 3 },
      { kind: 'listed', title: 'Dark & Light', state: 'completed', at: '2020-01-03' },
      { kind: 'rated', title: 'Dark & Light', rating: 4 },
      { kind: 'watched', title: 'Akira', type: 'movie' },
      { kind: 'listed', title: 'Lost & Found', state: 'planned' },
    ],
    skips: [{ line: 13, skip: 'not_a_title' }],
  },
  {
    fileName: 'anilist.json',
    format: 'json-records',
    text: formatJson({
      data: {
        MediaListCollection: {
          lists: [
            {
              name: 'Completed',
              status: 'COMPLETED',
              entries: [
                {
                  status: 'COMPLETED',
                  score: 85,
                  progress: 2,
                  repeat: 0,
                  completedAt: { year: 2021, month: 3, day: 4 },
                  media: {
                    type: 'ANIME',
                    format: 'TV',
                    status: 'FINISHED',
                    startDate: { year: 2017, month: 4, day: 1 },
                    title: { romaji: 'Kurai', english: 'Dark', native: '暗い' },
                  },
                },
                {
                  status: 'COMPLETED',
                  score: 0,
                  media: { type: 'MANGA', format: 'MANGA', title: { romaji: 'Dark' } },
                },
              ],
            },
          ],
        },
      },
    }),
    rows: [
      { kind: 'watched', title: 'Dark', originalTitle: 'Kurai', year: 2017, type: 'tv', episode: 1 },
      { kind: 'watched', title: 'Dark', episode: 2, at: '2021-03-04' },
      { kind: 'listed', title: 'Dark', state: 'completed' },
      { kind: 'rated', title: 'Dark', rating: 8.5 },
    ],
    skips: [{ line: 2, skip: 'not_a_title' }],
  },
  {
    fileName: 'criticker.csv',
    format: 'table',
    text: 'Score, Film Name, Year, Date Rated, Mini Review, URL, IMDB ID\n85, Heat, 1995, 2021-03-04,"Good, long.", u, tt0113277\n40, Tank, 1984, 2021-03-05, , u, \n',
    rows: [
      { kind: 'rated', title: 'Heat', year: 1995, rating: 8.5, ids: { imdb: 'tt0113277' }, at: '2021-03-04' },
      { kind: 'rated', title: 'Tank', rating: 4 },
    ],
  },
  {
    fileName: 'icheckmovies.csv',
    format: 'table',
    text:
      'title,year,checked count,favourite count,akatitle,imdburl,checked,favorite,disliked,watchlist,owned\n' +
      'Heat,1995,10,2,,http://www.imdb.com/title/tt0113277/,2021-03-04 20:15:00,yes,no,no,no\nTank,1984,1,1,,http://www.imdb.com/title/tt0088224/,no,no,no,yes,no\n',
    rows: [
      { kind: 'watched', title: 'Heat', ids: { imdb: 'tt0113277' }, at: ISO_TIME },
      { kind: 'liked', title: 'Heat' },
      { kind: 'listed', title: 'Tank', state: 'planned' },
    ],
  },
  {
    fileName: 'movielens-ratings.csv',
    format: 'table',
    text: 'movie_id,imdb_id,tmdb_id,rating,average_rating,title\n6,0113277,949,4.5,3.9,Heat (1995)\n',
    rows: [{ kind: 'rated', title: 'Heat (1995)', ids: { imdb: 'tt0113277', tmdb: 949 }, rating: 9 }],
  },
  {
    fileName: 'letterboxd-import.csv',
    format: 'table',
    text: 'Title,Year,imdbID,tmdbID,WatchedDate,Rating10,Rewatch,Tags,Review\nHeat,1995,tt0113277,949,2021-03-04,5,false,,Good.\n',
    rows: [
      {
        kind: 'watched',
        title: 'Heat',
        rating: 5,
        note: 'Good.',
        at: '2021-03-04',
        ids: { imdb: 'tt0113277', tmdb: 949 },
      },
    ],
  },
  {
    fileName: 'yamtrack.csv',
    format: 'table',
    text:
      'media_id,source,media_type,title,image,season_number,episode_number,score,status,notes,start_date,end_date,progress\n' +
      '949,tmdb,movie,Heat,u,,,4,Completed,Good.,,2021-03-04,1\n70523,tmdb,tv,Dark,u,,,,In progress,,,,2\n70523,tmdb,episode,Dark,u,1,2,,,,,2021-03-05,\n1,igdb,game,Heat,u,,,,Completed,,,,\n',
    rows: [
      { kind: 'watched', type: 'movie', title: 'Heat', ids: { tmdb: 949 }, rating: 4, at: '2021-03-04' },
      { kind: 'listed', type: 'tv', title: 'Dark', state: 'watching' },
      { kind: 'watched', title: 'Dark', season: 1, episode: 2, ids: { tmdb: 70523 }, at: '2021-03-05' },
    ],
    skips: [{ line: 5, skip: 'not_a_title' }],
  },
  {
    fileName: 'serializd.json',
    format: 'json-records',
    text: formatJson({
      reviews: [
        {
          showId: 70523,
          showName: 'Dark',
          episodeNumber: 2,
          seasonName: 'Season 1',
          rating: 9,
          reviewText: 'Good.',
          backdate: ISO_TIME,
          dateAdded: '2021-03-06T00:00:00Z',
        },
      ],
    }),
    rows: [
      { kind: 'watched', type: 'tv', title: 'Dark', season: 1, episode: 2, note: 'Good.', at: ISO_TIME },
      { kind: 'rated', title: 'Dark', season: 1, episode: 2 },
    ],
  },
  {
    fileName: 'sg-shows-export.json',
    format: 'json-records',
    text: formatJson([
      {
        tmdb_id: 70523,
        title: 'Dark',
        rating: 7.7,
        rating_votes: 4793,
        rating_user: 9,
        seasons: [
          {
            season: 1,
            tmdb_id: '1',
            episodes: [
              { tmdb_id: 2, episode: 1, watched: true, plays: 2, rating: 5.8, rating_user: 8 },
              { episode: 2, watched: false },
              { tmdb_id: 3, watched: true },
            ],
          },
        ],
      },
      { title: 'Gone', rating: 7.7, rating_votes: 4793, favorite: true, seasons: [] },
    ]),
    rows: [
      { kind: 'watched', type: 'tv', title: 'Dark', season: 1, episode: 1, plays: 2, ids: { tmdb: 70523 } },
      { kind: 'rated', type: 'tv', title: 'Dark', rating: 9 },
      { kind: 'liked', type: 'tv', title: 'Gone' },
    ],
  },
  {
    fileName: 'watcharr-export.json',
    format: 'json-records',
    text: formatJson([
      {
        status: 'FINISHED',
        rating: 8,
        content: { tmdbId: 949, title: 'Heat', type: 'movie', release_date: '1995-12-15T00:00:00Z' },
      },
    ]),
    rows: [{ kind: 'watched', type: 'movie', title: 'Heat', year: 1995, rating: 8, ids: { tmdb: 949 } }],
  },
  {
    fileName: 'filmweb.csv',
    format: 'table',
    text: 'movieId,title,year,fullRate,voteCount,userVote,voteDate\n1,Heat,1995,7.9,1000,9,2021-03-04\n',
    rows: [{ kind: 'rated', title: 'Heat', year: 1995, rating: 9, at: '2021-03-04' }],
  },
  {
    fileName: 'simkl-anime.csv',
    format: 'table',
    // Simkl numbers the episodes of anime through all seasons, instead of from 1 in each season.
    text: 'SIMKL_ID,Title,Type,Year,Watchlist,LastEpWatched,WatchedDate\n1,Dark,anime,2017,watching,E12,2021-03-04\n',
    rows: [
      { kind: 'watched', type: 'tv', title: 'Dark', episode: 12, isCounted: true, at: '2021-03-04' },
      { kind: 'listed', title: 'Dark', state: 'watching' },
    ],
  },
  {
    fileName: 'simkl-anime.json',
    format: 'json-records',
    text: formatJson({
      anime: [
        {
          status: 'watching',
          watched_episodes_count: 2,
          anime_type: 'tv',
          show: { title: 'Dark', year: 2017 },
        },
      ],
    }),
    rows: [
      { kind: 'watched', type: 'tv', title: 'Dark', episode: 1, isCounted: true },
      { kind: 'watched', type: 'tv', title: 'Dark', episode: 2, isCounted: true },
      { kind: 'listed', title: 'Dark', state: 'watching' },
    ],
  },
]
