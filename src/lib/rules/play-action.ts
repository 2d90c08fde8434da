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

const isUnfinished = ({ finished, progress }: ProgressSummary) => !finished && progress > 0

/**
 * Returns the action of the Play button. `latestProgress` is the most recent progress in the title. `nextEpisode` is
 * the episode that continues or starts a series, if known. It can be another episode than the one that was watched
 * last, and it can have progress of its own, which `episodeProgress` contains.
 */
export function getPlayAction(
  latestProgress: ProgressSummary | null,
  nextEpisode: NextEpisodeRef | null,
  episodeProgress: readonly ProgressSummary[] = [],
): PlayAction {
  const knownProgress = latestProgress ? [latestProgress, ...episodeProgress] : episodeProgress
  const progress = nextEpisode
    ? knownProgress.find(
        ({ season, episode }) =>
          season === nextEpisode.season_number && episode === nextEpisode.episode_number,
      )
    : latestProgress
  const resumedProgress = progress && isUnfinished(progress) ? progress : null
  const episode = nextEpisode
    ? { season: nextEpisode.season_number, episode: nextEpisode.episode_number }
    : resumedProgress?.season !== undefined && resumedProgress.episode !== undefined
      ? { season: resumedProgress.season, episode: resumedProgress.episode }
      : null
  const secondsLeft = resumedProgress ? resumedProgress.data.video_duration - resumedProgress.progress : 0
  return {
    episode,
    resumedProgress: resumedProgress && {
      percentage: resumedProgress.percentage,
      minutesLeft: Math.max(1, Math.round(secondsLeft / 60)),
    },
  }
}
