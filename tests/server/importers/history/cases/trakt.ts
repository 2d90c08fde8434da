/** Trakt: files of its export and responses of its API. */
import { type FormatCase, formatJson } from './case.ts'

export const HEAT_MOVIE = {
  title: 'Heat',
  year: 1995,
  ids: { trakt: 1, slug: 'heat', imdb: 'tt0113277', tmdb: 949 },
}
const show = { title: 'Dark', year: 2017, ids: { trakt: 2, tvdb: 334824, imdb: 'tt5753856', tmdb: 70523 } }

export const TRAKT_CASES: FormatCase[] = [
  {
    fileName: 'watched-movies.json',
    format: 'trakt',
    text: formatJson([
      { plays: 3, last_watched_at: '2026-08-19T23:46:00.000Z', movie: HEAT_MOVIE },
      { plays: 1 },
    ]),
    rows: [{ kind: 'watched', type: 'movie', plays: 3, at: '2026-08-19T23:46:00Z', year: 1995 }],
    skips: [{ line: 16, skip: 'bad_row' }],
  },
  {
    fileName: 'watched-shows.json',
    format: 'trakt',
    text: formatJson([
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
    fileName: 'history-1.json',
    format: 'trakt',
    text: formatJson([
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
    fileName: 'trakt/mixed.json',
    format: 'trakt',
    text: formatJson([
      { rated_at: '2020-01-02T00:00:00.000Z', rating: 9, type: 'movie', movie: HEAT_MOVIE },
      { hidden_at: '2020-01-02T00:00:00.000Z', type: 'show', show },
      { hidden_at: '2020-01-03T00:00:00.000Z', type: 'season', season: { number: 0, ids: {} }, show },
      { last_collected_at: '2020-01-02T00:00:00.000Z', show },
    ]),
    rows: [
      { kind: 'rated', rating: 9 },
      { kind: 'dropped', title: 'Dark' },
      { kind: 'dropped', title: 'Dark', season: 0 },
      { kind: 'listed', owned: true },
    ],
  },
  {
    fileName: 'playback.json',
    format: 'trakt',
    text: formatJson([
      { progress: 40.5, paused_at: '2020-01-02T00:00:00.000Z', id: 1, type: 'movie', movie: HEAT_MOVIE },
      {
        progress: 12,
        paused_at: '2020-01-02T00:00:00.000Z',
        id: 2,
        type: 'episode',
        episode: { season: 1, number: 4 },
        show,
      },
      { progress: 140, paused_at: '2020-01-02T00:00:00.000Z', type: 'movie', movie: HEAT_MOVIE },
    ]),
    rows: [
      { kind: 'watched', title: 'Heat', percent: 40.5, at: '2020-01-02T00:00:00Z' },
      { kind: 'watched', title: 'Dark', season: 1, episode: 4, percent: 12 },
    ],
    skips: [{ line: 38, skip: 'bad_row' }],
  },
  {
    fileName: 'lists-Faces.JSON.txt',
    format: 'trakt',
    text: formatJson([
      { rank: 1, listed_at: '2020-01-02T00:00:00.000Z', type: 'movie', movie: HEAT_MOVIE },
      {
        rank: 2,
        listed_at: '2020-01-02T00:00:00.000Z',
        type: 'person',
        person: { name: 'A', ids: { trakt: 3 } },
      },
    ]),
    rows: [{ kind: 'listed', title: 'Heat', list: 'Faces' }],
    skips: [{ line: 17, skip: 'not_a_title' }],
  },
  {
    fileName: 'watchlist.json',
    format: 'trakt',
    text: formatJson([
      { rank: 1, listed_at: '2020-01-02T00:00:00.000Z', notes: null, type: 'movie', movie: HEAT_MOVIE },
    ]),
    rows: [{ kind: 'listed', title: 'Heat', at: '2020-01-02T00:00:00Z' }],
  },
  {
    fileName: 'lists-favorites.json',
    format: 'trakt',
    text: formatJson([{ rank: 1, listed_at: '2020-01-02T00:00:00.000Z', type: 'movie', movie: HEAT_MOVIE }]),
    rows: [{ kind: 'liked', title: 'Heat', list: undefined, at: '2020-01-02T00:00:00Z' }],
  },
  {
    fileName: 'watched-history-1.json',
    format: 'trakt',
    // Trakt stores an unknown date as the start of Unix time.
    text: formatJson([
      { watched_at: '1970-01-01T00:00:00.000Z', type: 'movie', movie: HEAT_MOVIE },
      { watched_at: null, type: 'episode', show, episode: { season: 1, number: 4 } },
    ]),
    rows: [
      { kind: 'watched', title: 'Heat', at: undefined },
      { kind: 'watched', title: 'Dark', season: 1, episode: 4, at: undefined },
    ],
  },
  {
    fileName: 'traktexport.json',
    format: 'json-records',
    text: formatJson({
      history: [
        {
          watched_at: '2020-01-02T20:00:00.000Z',
          type: 'episode',
          // These ids identify the episode. The row must contain the ids of the series instead.
          episode: {
            season: 1,
            number: 2,
            ids: { trakt: 5, imdb: 'tt6305578', tmdb: 1347204, tvdb: 6305578 },
          },
          show,
        },
      ],
    }),
    rows: [
      {
        kind: 'watched',
        title: 'Dark',
        season: 1,
        episode: 2,
        ids: { trakt: 2, tvdb: 334824, imdb: 'tt5753856', tmdb: 70523 },
      },
    ],
  },
]
