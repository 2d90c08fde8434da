/** The episodes around the episode that the player has open. */
import { computed } from 'nanostores'
import { formatLocalDay } from '../rules/calendar-days.ts'
import { compareEpisodes, findFollowingEpisode } from '../rules/episode-order.ts'
import { findNextEpisode } from '../rules/next-up.ts'
import { $player } from './player.ts'
import { $episodesBySeason } from './player-seasons.ts'

/** Progress of the profile in the episodes of the current series. */
export const $episodeProgress = computed($player, (player) =>
  player.status === 'ready' ? player.episodeProgress : [],
)

/**
 * Loaded episodes of the current series. `$episodesBySeason` may also contain seasons of a series that was closed
 * before its seasons arrived.
 */
const $episodes = computed([$player, $episodesBySeason], (player, episodesBySeason) =>
  player.status === 'ready'
    ? (player.media.seasons ?? []).flatMap((season) => episodesBySeason[season.id] ?? [])
    : [],
)
const $episode = computed($player, (player) => (player.status === 'ready' ? player.episode : null))
/**
 * The last episode in the file that is played. A file may contain several episodes. The next episode is the one after
 * all episodes of the file; otherwise, the same file would play again.
 */
const $lastPlayedEpisode = computed($player, (player) => {
  if (player.status !== 'ready' || !player.episode) return null
  const { season_number, episode_number } = player.episode
  return { season_number, episode_number: Math.max(episode_number, ...(player.stream.episodes ?? [])) }
})
/**
 * The next episode if it can be played. An unavailable episode is not skipped, because the viewer would miss a part of
 * the story.
 */
export const $nextEpisode = computed([$lastPlayedEpisode, $episodes], (lastEpisode, episodes) => {
  const nextEpisode = lastEpisode ? findNextEpisode(lastEpisode, episodes, formatLocalDay()) : null
  return nextEpisode?.available === false ? null : nextEpisode
})
/**
 * The episode after the file that is played, if this episode has not aired yet or cannot be played on this
 * installation.
 */
export const $upcomingEpisode = computed(
  [$lastPlayedEpisode, $episodes, $nextEpisode],
  (lastEpisode, episodes, nextEpisode) =>
    lastEpisode && !nextEpisode ? (findFollowingEpisode(lastEpisode, episodes) ?? null) : null,
)
export const $previousEpisode = computed([$episode, $episodes], (episode, episodes) => {
  if (!episode) return null
  const earlierEpisodes = episodes.filter(
    (candidate) =>
      compareEpisodes(candidate, episode) < 0 &&
      candidate.released &&
      candidate.season_number > 0 === episode.season_number > 0,
  )
  return earlierEpisodes.sort(compareEpisodes).at(-1) ?? null
})
