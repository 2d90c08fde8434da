/** What plays: the title of the address, its episode, where it can be played from and where it was left. */
import { atom } from 'nanostores'
import { call } from '../client/call.ts'
import { ApiError } from '../client/errors.ts'
import * as catalogue from '../contract/catalogue.ts'
import type { Episode, MediaDetails } from '../contract/media.ts'
import type { Stream } from '../contract/stream.ts'
import * as calls from '../contract/stream.ts'
import * as tracking from '../contract/tracking.ts'
import { continueSeries, firstEpisode, nextEpisode } from '../rules/next-up.ts'
import { $profile } from './profile.ts'
import { $user } from './session.ts'

export interface Ready {
  status: 'ready'
  media: MediaDetails
  episode: Episode | null
  next: Episode | null
  stream: Stream
  /** Seconds to begin at. */
  start: number
}
export type PlayerState =
  | { status: 'pending' }
  | { status: 'nothing' }
  | { status: 'failed'; error: ApiError }
  | Ready
export const $player = atom<PlayerState>({ status: 'pending' })

const today = () => new Date().toISOString().slice(0, 10)

/** Opens what an address names: `type`, `slug`, and for series `season` and `episode`. */
export async function openPlayer(search: string): Promise<void> {
  $player.set({ status: 'pending' })
  try {
    $player.set(await prepare(new URLSearchParams(search)))
  } catch (error) {
    const known =
      error instanceof ApiError
        ? error
        : new ApiError({ type: 'client_error', status: 500, message: String(error) })
    $player.set(known.status === 404 ? { status: 'nothing' } : { status: 'failed', error: known })
  }
}

async function prepare(query: URLSearchParams): Promise<PlayerState> {
  const profile = $profile.get()
  const slug = query.get('slug') ?? ''
  const type = query.get('type') === 'tv' ? 'tv' : 'movie'
  if (!profile || !slug) return { status: 'nothing' }
  const media = await call(type === 'tv' ? catalogue.seriesBySlug : catalogue.movieBySlug, {
    params: { slug },
  })
  const history = await call(tracking.getHistory, {
    params: { id: profile.profile_id, type, mediaId: media.id },
  })
  const imdbId = media.imdb_id
  if (!imdbId) return { status: 'nothing' }
  const quality = $user.get()?.preferences.media_quality ?? 'auto'
  if (type === 'movie') {
    const stream = await call(calls.movieStream, { params: { imdbId }, query: { quality } })
    return { status: 'ready', media, episode: null, next: null, stream, start: resumeAt(history.latest) }
  }
  const episodes = await allEpisodes(media)
  const episode = chosenEpisode(query, episodes, history.episodes)
  if (!episode) return { status: 'nothing' }
  const { season_number: season, episode_number } = episode
  const stream = await call(calls.episodeStream, {
    params: { imdbId, season, episode: episode_number },
    query: { quality },
  })
  const here = history.episodes.find((one) => one.season === season && one.episode === episode_number)
  return {
    status: 'ready',
    media,
    episode,
    next: nextEpisode(episode, episodes, today()),
    stream,
    start: resumeAt(here ?? null),
  }
}

function resumeAt(progress: tracking.Progress | null): number {
  return progress && !progress.finished ? progress.progress : 0
}

async function allEpisodes(media: MediaDetails): Promise<Episode[]> {
  const lists = await Promise.all(
    (media.seasons ?? []).map(({ id }) => call(catalogue.listEpisodes, { params: { id } })),
  )
  return lists.flatMap((list) => list.results)
}

/** The episode of the address, else the one that comes next, else the first. */
function chosenEpisode(
  query: URLSearchParams,
  episodes: Episode[],
  watched: tracking.Progress[],
): Episode | null {
  const [season, number] = [query.get('season'), query.get('episode')]
  if (season !== null && number !== null) {
    const asked = episodes.find(
      (one) => one.season_number === Number(season) && one.episode_number === Number(number),
    )
    return asked?.released ? asked : null
  }
  const records = watched.map((one) => ({
    season_number: one.season ?? 0,
    episode_number: one.episode ?? 0,
    finished: one.finished,
    updated_at: Date.parse(one.updated_at),
  }))
  return continueSeries(records, episodes, today())?.episode ?? firstEpisode(episodes, today())
}
