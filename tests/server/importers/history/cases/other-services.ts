/** Exports of other services and of the tools that export their pages. Titles and people are synthetic. */
import { type FormatCase, formatJson, ISO_TIME } from './case.ts'

const TRAKT_COLUMNS =
  'type,title,year,trakt_rating,trakt_id,imdb_id,tmdb_id,tvdb_id,url,released,season_number,episode_number,episode_title,' +
  'episode_released,episode_trakt_rating,episode_trakt_id,episode_imdb_id,episode_tmdb_id,episode_tvdb_id,genres'
const TRAKT_MOVIE =
  'movie,Heat,1995,8.1,4170,tt0113277,949,,https://trakt.tv/movies/heat,1995-12-15,,,,,,,,,,crime'
const TRAKT_EPISODE =
  'episode,Dark,2017,8.1,4171,tt5753856,70523,334824,https://trakt.tv/shows/dark,2017-12-01,1,2,Lies,2017-12-01,7.9,' +
  '2590748,tt9313956,2201892,7640571,drama'
const HEAT_IDS = { imdb: 'tt0113277', tmdb: 949, trakt: 4170 }

export const OTHER_SERVICE_CASES: FormatCase[] = [
  {
    fileName: 'trakt-history.csv',
    format: 'table',
    text: `watched_at,action,${TRAKT_COLUMNS}\n${ISO_TIME},scrobble,${TRAKT_MOVIE}\n${ISO_TIME},watch,${TRAKT_EPISODE}\n`,
    rows: [
      { kind: 'watched', type: 'movie', title: 'Heat', year: 1995, ids: HEAT_IDS, at: ISO_TIME },
      {
        kind: 'watched',
        type: 'tv',
        title: 'Dark',
        season: 1,
        episode: 2,
        episodeTitle: 'Lies',
        at: ISO_TIME,
      },
    ],
  },
  {
    fileName: 'trakt-ratings.csv',
    format: 'table',
    text: `rated_at,${TRAKT_COLUMNS},rating\n${ISO_TIME},${TRAKT_MOVIE},4\n`,
    rows: [{ kind: 'rated', title: 'Heat', rating: 4, at: ISO_TIME }],
  },
  {
    fileName: 'trakt-watchlist.csv',
    format: 'table',
    text: `rank,listed_at,${TRAKT_COLUMNS},notes\n1,${ISO_TIME},${TRAKT_MOVIE},\n`,
    rows: [{ kind: 'listed', state: 'planned', title: 'Heat', list: undefined, at: ISO_TIME }],
  },
  {
    fileName: 'Rainy days.csv',
    format: 'table',
    // A file that is not named like a watchlist is read as a list of the user. The list gets the name of the file.
    text: `rank,listed_at,${TRAKT_COLUMNS},notes\n1,${ISO_TIME},${TRAKT_MOVIE},\n`,
    rows: [{ kind: 'listed', list: 'Rainy days', title: 'Heat', at: ISO_TIME }],
  },
  {
    fileName: 'trakt-collection.csv',
    format: 'table',
    text: `collected_at,${TRAKT_COLUMNS},media_type,resolution\n${ISO_TIME},${TRAKT_MOVIE},bluray,1080p\n`,
    rows: [{ kind: 'listed', owned: true, title: 'Heat' }],
  },
  {
    fileName: 'trakt-import.csv',
    format: 'table',
    text: `imdb_id,tmdb_id,type,watched_at,watchlisted_at,rating,rated_at\ntt0113277,949,movie,,${ISO_TIME},,\n`,
    rows: [{ kind: 'listed', state: 'planned', ids: { imdb: 'tt0113277', tmdb: 949 }, at: ISO_TIME }],
  },
  {
    fileName: 'traktexport.json',
    format: 'json-records',
    // The tool traktexport writes all data into one object.
    text: formatJson({
      type: 'full',
      username: 'alice',
      followers: [],
      settings: { user: { username: 'alice', name: 'Alice', ids: { slug: 'alice' } } },
      watchlist: [
        {
          rank: 1,
          listed_at: ISO_TIME,
          type: 'movie',
          movie: { title: 'Tank', year: 1984, ids: { trakt: 5 } },
        },
      ],
      ratings: [
        { rated_at: ISO_TIME, rating: 4, type: 'movie', movie: { title: 'Heat', ids: { tmdb: 949 } } },
      ],
      stats: { movies: { plays: 1, watched: 1 } },
      history: [
        {
          watched_at: ISO_TIME,
          action: 'watch',
          type: 'episode',
          episode: { season: 1, number: 2, title: 'Lies', ids: { trakt: 7 } },
          show: { title: 'Dark', year: 2017, ids: { trakt: 6, tmdb: 70523 } },
        },
      ],
    }),
    rows: [
      { kind: 'listed', state: 'planned', title: 'Tank' },
      { kind: 'rated', title: 'Heat', rating: 4 },
      { kind: 'watched', title: 'Dark', season: 1, episode: 2, ids: { tmdb: 70523, trakt: 6 } },
    ],
  },
  {
    fileName: 'sg-lists-export.json',
    format: 'json-records',
    text: formatJson([
      {
        list_id: 'first',
        name: 'First list',
        order: 0,
        items: [
          { list_item_id: '70523-4-first', externalId: '70523', type: 'tmdb-show' },
          { list_item_id: '334824-1-first', tvdb_id: 334824, type: 'show' },
        ],
      },
    ]),
    rows: [
      { kind: 'listed', list: 'First list', type: 'tv', ids: { tmdb: 70523 } },
      { kind: 'listed', list: 'First list', type: 'tv', ids: { tvdb: 334824 } },
    ],
  },
  {
    fileName: 'ryot.json',
    format: 'json-records',
    text: formatJson({
      metadata: [
        {
          lot: 'movie',
          source: 'tmdb',
          identifier: '949',
          source_id: 'Heat',
          seen_history: [
            { progress: '100', ended_on: ISO_TIME },
            { progress: '100', ended_on: '2022-03-04T20:15:00Z' },
          ],
          reviews: [{ rating: '85', review: { text: 'Good.' } }],
          collections: ['Owned', 'Rainy days'],
        },
        {
          lot: 'show',
          source: 'tmdb',
          identifier: '70523',
          source_id: 'Dark',
          seen_history: [
            { ended_on: ISO_TIME, show_season_number: 1, show_episode_number: 2 },
            { progress: '35', started_on: ISO_TIME, show_season_number: 1, show_episode_number: 3 },
          ],
          reviews: [{ rating: '40', show_season_number: 1, show_episode_number: 2 }],
          collections: [{ collection_name: 'Favorites' }],
        },
        {
          lot: 'movie',
          source: 'tmdb',
          identifier: '950',
          source_id: 'Tank',
          seen_history: [],
          collections: ['Watchlist'],
        },
        { lot: 'book', source: 'openlibrary', identifier: 'OL1', source_id: 'Dune', seen_history: [{}] },
      ],
      people: [],
    }),
    rows: [
      { kind: 'watched', type: 'movie', title: 'Heat', ids: { tmdb: 949 }, at: ISO_TIME },
      { kind: 'watched', title: 'Heat', at: '2022-03-04T20:15:00Z' },
      { kind: 'listed', title: 'Heat', list: 'Rainy days' },
      { kind: 'rated', title: 'Heat', rating: 8.5 },
      { kind: 'watched', type: 'tv', title: 'Dark', season: 1, episode: 2, percent: undefined, at: ISO_TIME },
      { kind: 'watched', title: 'Dark', season: 1, episode: 3, percent: 35, at: ISO_TIME },
      { kind: 'liked', title: 'Dark' },
      { kind: 'listed', state: 'planned', title: 'Tank' },
    ],
    skips: [{ line: 72, skip: 'not_a_title' }],
  },
  {
    fileName: 'movary-ratings.csv',
    format: 'table',
    text: 'title,year,tmdbId,imdbId,userRating\nHeat,1995,949,tt0113277,4\n',
    rows: [{ kind: 'rated', title: 'Heat', rating: 4, ids: { imdb: 'tt0113277', tmdb: 949 } }],
  },
  {
    fileName: 'movary-watchlist.csv',
    format: 'table',
    text: 'title,tmdbId,imdbId,addedAt\nHeat,949,tt0113277,2021-03-04 20:15:00\n',
    rows: [{ kind: 'listed', state: 'planned', title: 'Heat', at: ISO_TIME }],
  },
  {
    fileName: 'yamtrack-seasons.csv',
    format: 'table',
    text:
      'media_id,source,media_type,title,image,season_number,episode_number,score,status,notes,start_date,end_date,progress\n' +
      '70523,tmdb,season,Dark,u,1,,8,Completed,,2025-09-10 17:18:03+00:00,2025-09-10 17:18:03+00:00,10\n' +
      '70523,tmdb,episode,Dark,u,1,1,,,,,2025-09-10 17:18:03+00:00,\n',
    // The row of the season is not read as a viewing, because the viewings of its episodes have rows of their own.
    rows: [
      { kind: 'listed', season: 1, state: 'completed' },
      { kind: 'rated', season: 1, rating: 8 },
      { kind: 'watched', title: 'Dark', season: 1, episode: 1, at: '2025-09-10T17:18:03Z' },
    ],
  },
  {
    fileName: 'bingers-library.csv',
    format: 'table',
    text:
      'type,title,original_title,year,tvdb_id,tmdb_id,favorite,list_status,added_at,for_later_at,stopped_watching_at,hidden_at\n' +
      `show,Dark,,2017,334824,70523,no,stopped_watching,2020-01-01T00:00:00Z,,${ISO_TIME},\n` +
      `show,Gone,,2004,,4607,no,for_later,2020-01-01T00:00:00Z,${ISO_TIME},,\n`,
    rows: [
      { kind: 'dropped', title: 'Dark', at: ISO_TIME },
      { kind: 'listed', state: 'planned', title: 'Gone', at: ISO_TIME },
    ],
  },
  {
    fileName: 'refract-diary.csv',
    format: 'table',
    text:
      'title,year,media_type,tmdb_id,action_type,action_date,action_date_tz,rating,notes,imported,user_set_date,occurred_at\n' +
      'Heat,1995,movie,949,rated,2021-03-04 20:15,Asia/Manila,4/5,,false,,2021-03-04T12:15:00Z\n' +
      'Tank,1984,movie,950,watched,2021-03-05 20:15,Asia/Manila,,,false,,2021-03-05T12:15:00Z\n',
    // A rated title does not count as watched, although the name of the file contains "diary".
    rows: [
      { kind: 'rated', title: 'Heat', rating: 8 },
      { kind: 'watched', title: 'Tank', at: '2021-03-05T12:15:00Z' },
    ],
  },
  {
    fileName: 'db-movie-20240101.csv',
    format: 'table',
    text:
      '\ufeff电影/电视剧/番组,个人评分,打分日期,我的短评,上映日期,制片国家,条目链接\r\n' +
      '"盗火线 / Heat / 烈火","4","2021/03/04","好","1995/12/15","美国","https://movie.douban.com/subject/1/"\r\n' +
      '"暗黑 第十二季 / Dark Season 12","5","2021/03/14","","2017/12/01","德国","https://movie.douban.com/subject/2/"\r\n',
    rows: [
      { kind: 'rated', title: '盗火线', originalTitle: 'Heat', year: 1995, rating: 8, at: '2021-03-04' },
      { kind: 'rated', type: 'tv', title: '暗黑', originalTitle: 'Dark', season: 12, rating: 10 },
    ],
  },
  {
    fileName: '看过.csv',
    format: 'table',
    // The column 创建时间 states when the user marked the title as seen. The date of the viewing is therefore unknown.
    text:
      '标题,简介,豆瓣评分,链接,创建时间,我的评分,标签,评论\n' +
      '盗火线,1995 / 美国 / 犯罪 / 迈克尔·曼,8.6,https://movie.douban.com/subject/1/,2022-08-22 18:55:53,4,,好\n',
    rows: [{ kind: 'watched', title: '盗火线', year: 1995, rating: 8, note: '好', at: undefined }],
  },
  {
    fileName: 'db-movie-wishlist-20240101.csv',
    format: 'table',
    text: '电影/电视剧/番组,上映日期,制片国家,条目链接\n"盗火线","1995/12/15","美国","https://movie.douban.com/subject/1/"\n',
    rows: [{ kind: 'listed', state: 'planned', title: '盗火线', year: 1995 }],
  },
  {
    fileName: 'bangumi.csv',
    format: 'table',
    text:
      '名称,别名,发行日期,地址,封面地址,收藏日期,我的评分,标签,吐槽,其它信息,类别,观看状态\n' +
      'Kurai,暗い,2013-10-03,https://bgm.tv/subject/1,,2021-03-04,8,,好,,动画,看过\n',
    rows: [{ kind: 'watched', title: 'Kurai', originalTitle: '暗い', year: 2013, rating: 8, at: undefined }],
  },
  {
    fileName: 'kinopoisk.ru-ocenki.xls',
    format: 'html-table',
    text:
      '<html xmlns="http://www.w3.org/1999/xhtml">\n<head><title>оценки</title></head>\n<body>\n<table>\n<tr>\n' +
      [
        'русскоязычное название',
        'оригинальное название',
        'год',
        'время',
        'моя оценка',
        'рейтинг КиноПоиска',
        'дата и время',
      ]
        .map((name) => `<td bgcolor="#f2f2f2"><i>${name}</i></td>\n`)
        .join('') +
      '</tr>\n<tr>\n<td align="left" nowrap><b>Схватка</b></td><td>Heat &amp; Co</td><td>1995&nbsp;&ndash; 1996</td><td>170</td>' +
      '<td>4</td>\n<td>7,955</td><td>04.03.2021, 20:15</td></tr>\n</table></body></html>\n',
    rows: [
      {
        kind: 'rated',
        line: 14,
        title: 'Схватка',
        originalTitle: 'Heat & Co',
        year: 1995,
        runtime: 170,
        rating: 4,
        at: ISO_TIME,
      },
    ],
  },
  {
    fileName: 'alice_filmweb_20210304.csv',
    format: 'table',
    text:
      '"timestamp","iso_date","user_comment","user_vote","global_rating","global_votes","original_title","pl_title","link","duration_min","year"\n' +
      '"1614888900","2021-03-04T20:15:00","Dobry.","4","7.9","1000","Heat","Gorączka","https://www.filmweb.pl/film/1","170","1995"\n',
    // The date is the date of the rating. The export states no date of a viewing.
    rows: [
      { kind: 'rated', title: 'Gorączka', originalTitle: 'Heat', rating: 4, runtime: 170, at: ISO_TIME },
    ],
  },
  {
    fileName: 'alice_filmweb_20210304.json',
    format: 'json-records',
    text: formatJson([
      {
        pl_title: 'Gorączka',
        original_title: 'Heat',
        year: '1995',
        iso_date: '2021-03-04T20:15:00',
        user_vote: 4,
      },
    ]),
    rows: [{ kind: 'rated', title: 'Gorączka', originalTitle: 'Heat', year: 1995, rating: 4, at: ISO_TIME }],
  },
  {
    fileName: 'entry.json',
    format: 'json-records',
    // The file contains a single entry, and no list of entries.
    text: formatJson({ movie: { title: 'Heat', year: 1995 }, watched_at: ISO_TIME }),
    rows: [{ kind: 'watched', type: 'movie', title: 'Heat', year: 1995, at: ISO_TIME }],
  },
  {
    fileName: 'showly.json',
    format: 'json-records',
    text: formatJson({
      shows: {
        collectionHistory: [{ traktId: 1, tmdbId: 70523, title: 'Dark', addedAt: ISO_TIME }],
        collectionWatchlist: [{ traktId: 2, tmdbId: 60622, title: 'Gone', addedAt: ISO_TIME }],
        ratingsShows: [{ traktId: 1, tmdbId: 70523, title: 'Dark', rating: 4, ratedAt: ISO_TIME }],
      },
      movies: { collectionHistory: [{ traktId: 1, tmdbId: 949, title: 'Heat', addedAt: ISO_TIME }] },
    }),
    // A list of watched series does not state which episodes were watched. A series in it is therefore read as a list
    // entry, and not as a viewing.
    rows: [
      { kind: 'listed', type: 'tv', title: 'Dark', state: 'watching' },
      { kind: 'listed', title: 'Gone', state: 'planned', at: ISO_TIME },
      { kind: 'rated', title: 'Dark', rating: 4 },
      { kind: 'watched', type: 'movie', title: 'Heat', at: undefined },
    ],
  },
  {
    fileName: 'mediatracker.json',
    format: 'json-records',
    text: formatJson([
      {
        mediaType: 'movie',
        title: 'Heat',
        tmdbId: 949,
        seen: [{ date: 1_614_888_900_000 }],
        onWatchlist: false,
      },
      {
        mediaType: 'tv',
        title: 'Dark',
        tmdbId: 70523,
        seasons: [
          {
            seasonNumber: 1,
            episodes: [
              { episodeNumber: 1, seen: [] },
              { episodeNumber: 2, seen: [{ date: 1_614_888_900_000 }, { date: 1_614_975_300_000 }] },
              { episodeNumber: 3, plays: 0 },
            ],
          },
        ],
      },
    ]),
    rows: [
      { kind: 'watched', type: 'movie', title: 'Heat', at: ISO_TIME },
      { kind: 'watched', title: 'Dark', season: 1, episode: 2, at: ISO_TIME },
      { kind: 'watched', title: 'Dark', season: 1, episode: 2, at: '2021-03-05T20:15:00Z' },
    ],
  },
  {
    fileName: 'watched-episodes.json',
    format: 'json-records',
    text: formatJson({
      shows: [
        { name: 'Dark', tmdbId: 70523, watchedEpisodes: [{ season: 1, number: 2, watchedDate: ISO_TIME }] },
      ],
    }),
    rows: [{ kind: 'watched', type: 'tv', title: 'Dark', season: 1, episode: 2, at: ISO_TIME }],
  },
  {
    fileName: 'mubi.json',
    format: 'json-records',
    text: formatJson([{ overall: 4, body: 'Good.', film: { title: 'Heat', year: 1995, duration: 170 } }]),
    rows: [{ kind: 'rated', type: 'movie', title: 'Heat', year: 1995, rating: 8 }],
  },
  {
    fileName: 'watchlist-export.csv',
    format: 'table',
    text: 'Title,Type,Year,List,Added,Seen\nHeat,Movie,1995,Watchlist,2021-03-04,TRUE\nTank,Movie,1984,Watchlist,2021-03-04,FALSE\n',
    rows: [
      { kind: 'watched', title: 'Heat', at: undefined },
      { kind: 'listed', state: 'planned', title: 'Tank', at: '2021-03-04' },
    ],
  },
  {
    fileName: 'rankings.xml',
    format: 'xml-records',
    text:
      '<?xml version="1.0" encoding="UTF-8"?>\n<recentratings>\n<film><filmid>1</filmid><filmname>Heat (1995)</filmname>\n' +
      '<filmyear>1995</filmyear><imdbid>tt0113277</imdbid><rating>85</rating><reviewdate>Mar 04, 2021</reviewdate></film>\n' +
      '<film><filmname>Tank &amp; Co</filmname><rating>40</rating></film>\n</recentratings>\n',
    rows: [
      {
        kind: 'rated',
        line: 3,
        title: 'Heat (1995)',
        year: 1995,
        rating: 8.5,
        ids: { imdb: 'tt0113277' },
        at: '2021-03-04',
      },
      { kind: 'rated', type: 'movie', title: 'Tank & Co', rating: 4 },
    ],
  },
]
