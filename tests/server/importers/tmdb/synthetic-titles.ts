/** Synthetic titles in the format of TMDB responses. */
import type { TmdbReplayServer } from './replay-server.ts'

const createPerson = (id: number, name: string, overrides: object = {}) => ({
  id,
  name,
  profile_path: `/p${id}.jpg`,
  gender: 0,
  ...overrides,
})

export function addSyntheticTitles(replayServer: TmdbReplayServer): void {
  const { bodies } = replayServer
  bodies.set('/movie/1001', {
    id: 1001,
    adult: false,
    title: 'The Salt Road',
    original_title: 'La route du sel',
    original_language: 'fr',
    overview: 'A caravan crosses the desert.',
    tagline: '',
    release_date: '1999-05-04',
    runtime: 112,
    poster_path: '/salt.jpg',
    backdrop_path: null,
    vote_average: 7.84,
    vote_count: 5200,
    popularity: 12,
    genres: [
      { id: 18, name: 'Drama' },
      { id: 10751, name: 'Family' },
      { id: 37, name: 'Western' },
    ],
    imdb_id: 'tt9000101',
  })
  bodies.set('/movie/1001/translations', {
    id: 1001,
    translations: [
      {
        iso_639_1: 'fr',
        iso_3166_1: 'FR',
        data: { title: '', overview: 'Une caravane traverse le désert.', tagline: 'Partez.' },
      },
      { iso_639_1: 'ar', iso_3166_1: 'SA', data: { title: 'طريق الملح', overview: 'قافلة تعبر الصحراء.' } },
      { iso_639_1: 'pt', iso_3166_1: 'BR', data: { title: 'A Estrada do Sal', overview: '' } },
      { iso_639_1: 'pt', iso_3166_1: 'PT', data: { title: 'A Rota do Sal', overview: '' } },
      { iso_639_1: 'cn', iso_3166_1: 'HK', data: { title: '鹽路' } },
      { iso_639_1: 'ka', iso_3166_1: 'GE', data: { title: 'მარილის გზა' } },
    ],
  })
  bodies.set('/movie/1001/alternative_titles', {
    id: 1001,
    titles: [{ iso_3166_1: 'DE', title: 'Salzstraße', type: '' }],
  })
  bodies.set('/movie/1001/release_dates', {
    id: 1001,
    results: [
      {
        iso_3166_1: 'US',
        release_dates: [
          { certification: '', type: 1 },
          { certification: 'PG', type: 3 },
        ],
      },
      { iso_3166_1: 'FR', release_dates: [{ certification: 'TP', type: 3 }] },
      { iso_3166_1: 'DE', release_dates: [{ certification: '6', type: 3 }] },
    ],
  })
  bodies.set('/movie/1001/keywords', {
    id: 1001,
    keywords: [
      { id: 1, name: 'Desert' },
      { id: 2, name: 'camel' },
    ],
  })
  bodies.set('/movie/1001/images', {
    id: 1001,
    posters: [],
    backdrops: [
      { file_path: '/low.jpg', iso_639_1: null, vote_average: 1 },
      { file_path: '/high.jpg', iso_639_1: null, vote_average: 5 },
    ],
  })
  bodies.set('/movie/1001/videos', {
    id: 1001,
    results: [
      { site: 'Vimeo', type: 'Trailer', key: '12345678' },
      { site: 'YouTube', type: 'Clip', key: 'aaaaaaaaaaa' },
      { site: 'YouTube', type: 'Trailer', key: 'bbbbbbbbbbb', official: false },
      { site: 'YouTube', type: 'Trailer', key: 'ccccccccccc', official: true },
    ],
  })
  bodies.set('/movie/1001/credits', {
    id: 1001,
    cast: [
      createPerson(52, 'Bo Lind', { order: 1, character: '' }),
      createPerson(51, 'Inès Marsh', { order: 0, character: 'Zahra' }),
    ],
    crew: [
      createPerson(53, 'Chi Wren', { job: 'Director' }),
      createPerson(54, 'Di Foley', { job: 'Foley Artist' }),
    ],
  })
  addSeries(replayServer)
  addPeople(replayServer)
  for (const kind of ['movie', 'tv', 'person'])
    bodies.set(`/${kind}/changes`, { results: [], page: 1, total_pages: 1 })
}

function addSeries({ bodies, translatedBodies }: TmdbReplayServer): void {
  bodies.set('/tv/2001', {
    id: 2001,
    name: 'Harbour Lights',
    original_name: 'Harbour Lights',
    original_language: 'en',
    overview: 'A lighthouse crew.',
    first_air_date: '2010-03-01',
    episode_run_time: [],
    status: 'Returning Series',
    vote_average: 8.2,
    vote_count: 300,
    genres: [
      { id: 80, name: 'Crime' },
      { id: 10766, name: 'Soap' },
    ],
    networks: [
      { id: 213, name: 'Netflix' },
      { id: 9, name: 'Canal Été' },
    ],
    created_by: [createPerson(53, 'Chi Wren')],
    seasons: [{ season_number: 0 }, { season_number: 1 }, { season_number: 2 }],
  })
  bodies.set('/tv/2001/external_ids', { id: 2001, imdb_id: 'tt9000102', tvdb_id: 77_001 })
  bodies.set('/tv/2001/content_ratings', { id: 2001, results: [{ iso_3166_1: 'US', rating: 'TV-14' }] })
  bodies.set('/tv/2001/aggregate_credits', {
    id: 2001,
    crew: [],
    cast: [
      createPerson(52, 'Bo Lind', { order: 0, roles: [{ character: 'Moss' }, { character: 'Old Moss' }] }),
    ],
  })
  bodies.set('/tv/2001/season/0', { season_number: 0, name: 'Specials', air_date: '', episodes: [] })
  bodies.set('/tv/2001/season/1', {
    season_number: 1,
    name: 'Season 1',
    air_date: '2010-03-01',
    poster_path: '/s1.jpg',
    episodes: [
      {
        episode_number: 1,
        name: 'First Light',
        overview: 'It begins.',
        air_date: '2010-03-01',
        runtime: 44,
        still_path: '/e1.jpg',
      },
      {
        episode_number: 2,
        name: 'Second Wind',
        overview: '',
        air_date: null,
        runtime: null,
        still_path: null,
      },
    ],
  })
  const createTranslation = (overview: string) => ({
    season_number: 1,
    episodes: [
      { episode_number: 1, overview },
      { episode_number: 2, overview: '' },
    ],
  })
  translatedBodies.set('fr /tv/2001/season/1', createTranslation('Tout commence.'))
  translatedBodies.set('ar /tv/2001/season/1', createTranslation('تبدأ الحكاية.'))
}

function addPeople({ bodies }: TmdbReplayServer): void {
  bodies.set(
    '/person/51',
    createPerson(51, 'Inès Marsh', {
      birthday: '1970-02-03',
      deathday: null,
      place_of_birth: 'Lyon',
      biography: 'An actress.',
      imdb_id: 'nm9000051',
      also_known_as: ['إيناس مارش', 'I. Marsh'],
    }),
  )
  bodies.set('/person/52', createPerson(52, 'Bo Lind', { birthday: '', biography: '', imdb_id: null }))
}
