/** What plays: the title of the address, its episode, where it can be played from and where it was left. */
import { atom, computed, map } from 'nanostores'
import { call } from '../client/call.ts'
import { ApiError } from '../client/errors.ts'
import * as catalogue from '../contract/catalogue.ts'
import type { Episode, MediaDetails, Season } from '../contract/media.ts'
import type { Stream } from '../contract/playback.ts'
import * as calls from '../contract/playback.ts'
import * as progressCalls from '../contract/progress.ts'
import * as recommend from '../contract/recommend.ts'
import { compare, following } from '../rules/episode-order.ts'
import { LIMITS } from '../rules/limits.ts'
import { continueSeries, firstEpisode, nextEpisode } from '../rules/next-up.ts'
import { resumePlace } from '../rules/player-next.ts'
import { $profile, $profileId } from './profile.ts'

export interface Ready {
  status: 'ready'
  /** The same as long as the same thing plays, whatever address its bytes have. */
  key: string
  media: MediaDetails
  episode: Episode | null
  stream: Stream
  /** Seconds to begin at, and the length of what it was left in; 0 when not known. */
  start: { at: number; of: number }
}
export type PlayerState =
  | { status: 'pending' }
  | { status: 'nothing'; media: MediaDetails | null }
  | { status: 'failed'; error: ApiError }
  | Ready
export const $player = atom<PlayerState>({ status: 'pending' })
/** The next episode is being looked up, while the last one still stands. */
export const $opening = atom(false)
/** Lists of episodes that are here, by season. */
export const $seasonLists = map<Record<string, Episode[]>>({})
/** What the profile watched of the series in hand. */
export const $watchedEpisodes = atom<progressCalls.Progress[]>([])

const $episodes = computed($seasonLists, (lists) => Object.values(lists).flat())
const $episode = computed($player, (player) => (player.status === 'ready' ? player.episode : null))
export const $nextEpisode = computed([$episode, $episodes], (episode, all) =>
  episode ? nextEpisode(episode, all, today()) : null,
)
/** What follows but is not out yet. */
export const $awaited = computed([$episode, $episodes, $nextEpisode], (episode, all, next) =>
  episode && !next ? (following(episode, all) ?? null) : null,
)
export const $previousEpisode = computed([$episode, $episodes], (episode, all) => {
  if (!episode) return null
  const before = all.filter(
    (one) => compare(one, episode) < 0 && one.released && one.season_number > 0 === episode.season_number > 0,
  )
  return before.sort(compare).at(-1) ?? null
})

const today = () => new Date().toISOString().slice(0, 10)

let opened = ''
let turn = 0

/** Opens what an address names: `type`, `slug`, and for series `season` and `episode`. Once, however often it is asked. */
export async function openPlayer(search: string): Promise<void> {
  const profileId = $profileId.get()
  const wanted = `${profileId} ${search}`
  if (!profileId || wanted === opened) return
  opened = wanted
  const mine = ++turn
  $opening.set(true)
  const found = await prepare(new URLSearchParams(search), profileId).catch(failure)
  if (mine !== turn) return
  $opening.set(false)
  $player.set(found)
  if (found.status === 'ready') void loadAround(found).catch(() => {})
  else opened = ''
}

export function retryPlayer(): void {
  opened = ''
  void openPlayer(location.search)
}

/** The page is left: nothing plays any more. */
export function closePlayer(): void {
  opened = ''
  turn += 1
  $opening.set(false)
  $seasonLists.set({})
  $watchedEpisodes.set([])
  $player.set({ status: 'pending' })
}

function failure(error: unknown): PlayerState {
  if (error instanceof ApiError && error.status === 404) return { status: 'nothing', media: null }
  const known =
    error instanceof ApiError
      ? error
      : new ApiError({ type: 'client_error', status: 500, message: String(error) })
  return { status: 'failed', error: known }
}

/** Asks again where the same can be played from: addresses expire, and lines break. Throws what the call throws. */
export async function renewStream(): Promise<Stream> {
  const player = $player.get()
  if (player.status !== 'ready') throw new Error('nothing plays')
  const stream = await lookUp(player.media, player.episode)
  const now = $player.get()
  if (now.status === 'ready' && now.key === player.key) $player.set({ ...now, stream })
  return stream
}

/** Every quality is asked for, so that the viewer can choose; which one plays first is the player's own rule. */
function lookUp(
  media: MediaDetails,
  place: { season_number: number; episode_number: number } | null,
): Promise<Stream> {
  const imdbId = media.imdb_id
  if (!imdbId) throw new ApiError({ type: 'not_found', status: 404, message: 'no imdb id' })
  const query = {
    quality: 'auto' as const,
    title: media.original_title.slice(0, 300),
    ...(media.year !== null && { year: media.year }),
  }
  if (!place) return call(calls.movieStream, { params: { imdbId }, query })
  const params = { imdbId, season: place.season_number, episode: place.episode_number }
  return call(calls.episodeStream, { params, query })
}

async function prepare(query: URLSearchParams, profileId: string): Promise<PlayerState> {
  const slug = query.get('slug') ?? ''
  const type = query.get('type') === 'tv' ? 'tv' : 'movie'
  if (!slug) return { status: 'nothing', media: null }
  const media = await titleOf(type, slug)
  const nothing: PlayerState = { status: 'nothing', media }
  const past = call(progressCalls.getHistory, { params: { id: profileId, type, mediaId: media.id } })
  try {
    if (type === 'movie') {
      const [stream, { latest }] = await Promise.all([lookUp(media, null), past])
      return { status: 'ready', key: media.id, media, episode: null, stream, start: startAt(latest) }
    }
    const place = placeOf(query) ?? (await placeToGoOn(media, (await past).episodes))
    if (!place) return nothing
    const [stream, list, { episodes }] = await Promise.all([
      lookUp(media, place),
      loadSeason(seasonOf(media, place.season_number)),
      past,
    ])
    const episode = list.find((one) => compare(one, place) === 0)
    if (!episode?.released) return nothing
    $watchedEpisodes.set(episodes)
    const here = episodes.find(
      (one) => one.season === place.season_number && one.episode === place.episode_number,
    )
    const key = `${media.id}/${episode.id}`
    return { status: 'ready', key, media, episode, stream, start: startAt(here) }
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return nothing
    throw error
  }
}

/** The one in hand is kept: its next episode needs no second look. */
async function titleOf(type: 'movie' | 'tv', slug: string): Promise<MediaDetails> {
  const player = $player.get()
  if (player.status === 'ready' && player.media.slug === slug && player.media.type === type)
    return player.media
  return call(type === 'tv' ? catalogue.seriesBySlug : catalogue.movieBySlug, { params: { slug } })
}

const startAt = (past: progressCalls.Progress | null | undefined) => ({
  at: resumePlace(past),
  of: past?.data.video_duration ?? 0,
})

function placeOf(query: URLSearchParams): { season_number: number; episode_number: number } | null {
  const [season, episode] = [query.get('season'), query.get('episode')]
  if (!season || !episode) return null
  return { season_number: Number(season), episode_number: Number(episode) }
}

/** Where the address names no episode: the one that was left, else the one that comes next, else the first. */
async function placeToGoOn(media: MediaDetails, watched: progressCalls.Progress[]): Promise<Episode | null> {
  const episodes = (await Promise.all((media.seasons ?? []).map(loadSeason))).flat()
  const records = watched.map((one) => ({
    season_number: one.season ?? 0,
    episode_number: one.episode ?? 0,
    finished: one.finished,
    updated_at: Date.parse(one.updated_at),
  }))
  return continueSeries(records, episodes, today())?.episode ?? firstEpisode(episodes, today())
}

const seasonOf = (media: MediaDetails, number: number) =>
  media.seasons?.find((one) => one.season_number === number)

/** The episodes of a season, asked for once. */
export async function loadSeason(season: Season | undefined): Promise<Episode[]> {
  if (!season) return []
  const known = $seasonLists.get()[season.id]
  if (known) return known
  const { results } = await call(catalogue.listEpisodes, { params: { id: season.id } })
  $seasonLists.setKey(season.id, results)
  return results
}

/** The seasons before and after, where the neighbours of a season's first and last episode are. */
async function loadAround({ media, episode }: Ready): Promise<void> {
  if (!episode) return
  const seasons = (media.seasons ?? [])
    .filter((one) => one.episode_count > 0 && one.season_number > 0)
    .sort((a, b) => a.season_number - b.season_number)
  const at = seasons.findIndex((one) => one.season_number === episode.season_number)
  if (at >= 0) await Promise.all([seasons[at + 1], seasons[at - 1]].map(loadSeason))
}

/** Titles like the one that ended. */
export async function similarTo(media: MediaDetails): Promise<recommend.Recommendation[]> {
  const kids = $profile.get()?.kids === true
  const query = { limit: LIMITS.similar, ...(kids && { kids }) }
  const { results } = await call(recommend.similar, { params: { id: media.id }, query })
  return results
}
