/** Action of the Play button of a title: which episode it starts, and whether it resumes. */

interface ProgressSummary {
  season?: number | undefined
  episode?: number | undefined
  /** Position in seconds. */
  progress: number
  /** `video_duration` is in seconds. */
  data: { video_duration: number }
  percentage: number
  finished: boolean
}
interface NextEpisodeRef {
  season_number: number
  episode_number: number
}
export interface PlayAction {
  /** The episode to start. Null for a movie, and while the episode of a series is not known. */
  episode: { season: number; episode: number } | null
  /** Progress of the movie or episode that Play resumes; null when it starts from the beginning. */
  resumedProgress: { percentage: number; minutesLeft: number } | null
}

/**
 * Returns the action of the Play button. `latestProgress` is the most recent progress in the title. `nextEpisode` is
 * the episode that continues or starts a series, if known.
 */
export function getPlayAction(
  latestProgress: ProgressSummary | null,
  nextEpisode: NextEpisodeRef | null,
): PlayAction {
  const isLatestUnfinished =
    latestProgress !== null && !latestProgress.finished && latestProgress.progress > 0
  const secondsLeft = isLatestUnfinished ? latestProgress.data.video_duration - latestProgress.progress : 0
  const episode = nextEpisode
    ? { season: nextEpisode.season_number, episode: nextEpisode.episode_number }
    : isLatestUnfinished && latestProgress.season !== undefined && latestProgress.episode !== undefined
      ? { season: latestProgress.season, episode: latestProgress.episode }
      : null
  return {
    episode,
    resumedProgress: isLatestUnfinished
      ? { percentage: latestProgress.percentage, minutesLeft: Math.max(1, Math.round(secondsLeft / 60)) }
      : null,
  }
}
