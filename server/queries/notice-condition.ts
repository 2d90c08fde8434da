/** SQL conditions of notices: which notices a profile gets and sees. */
import { type RawBuilder, sql } from 'kysely'

export type NoticeKind = 'episode' | 'high_quality'

interface NoticeSubjectSql {
  profileId: RawBuilder<unknown>
  titleId: RawBuilder<unknown>
  /** Numbers of the episode; 0 for a movie, and for a notice about a whole series. */
  season: RawBuilder<unknown>
  episode: RawBuilder<unknown>
}

/** SQL condition: the profile does not dislike the title, or has the title in its watchlist. */
export const buildWantedCondition = ({
  profileId,
  titleId,
}: Pick<NoticeSubjectSql, 'profileId' | 'titleId'>) =>
  sql<boolean>`(not exists (select 1 from feedback f where f.profile_id = ${profileId}
    and f.title_id = ${titleId} and f.feedback = 'disliked')
    or exists (select 1 from watchlist_entry w where w.profile_id = ${profileId} and w.title_id = ${titleId}
      and w.in_watchlist = 1))`

/**
 * SQL condition: the profile has not muted the title. A rule with `new_seasons` mutes neither movies nor the first
 * episode of a season, whatever the number of that episode.
 */
export const buildUnmutedCondition = ({ profileId, titleId, season, episode }: NoticeSubjectSql) =>
  sql<boolean>`not exists (select 1 from notice_mute m where m.profile_id = ${profileId} and m.title_id = ${titleId}
    and (m.new_seasons = 0 or exists (select 1 from episode earlier where earlier.title_id = ${titleId}
      and earlier.season_number = ${season} and earlier.episode_number < ${episode})))`

const isTitleUnmuted = buildUnmutedCondition({
  profileId: sql`notice.profile_id`,
  titleId: sql`notice.title_id`,
  season: sql`notice.season_number`,
  episode: sql`notice.episode_number`,
})
/**
 * SQL condition: the profile has not muted the title of the notice. Always true for the notice of a watch request,
 * because a request needs an answer.
 */
export const isNoticeUnmuted = sql<boolean>`(notice.kind = 'request' or ${isTitleUnmuted})`

/**
 * SQL condition: a notice has this kind. Notices of the kinds `available` and `request` count by the type of their
 * title: as `episode` for a series, and as `high_quality` for a movie.
 */
export const isNoticeOfKind = (
  kind: NoticeKind,
) => sql<boolean>`(notice.kind = ${kind} or (notice.kind in ('available', 'request') and exists (
  select 1 from title t where t.title_id = notice.title_id and t.type = ${kind === 'episode' ? 'tv' : 'movie'})))`
/**
 * SQL condition: the notice has the kind `available` or `request`, or the profile wants notices of its title
 * (`buildWantedCondition`).
 */
export const isWanted = sql<boolean>`(notice.kind in ('available', 'request') or ${buildWantedCondition({
  profileId: sql`notice.profile_id`,
  titleId: sql`notice.title_id`,
})})`
/** SQL condition: the profile has finished the movie or episode of the row `p` of the table `progress`. */
export const hasFinishedPlayback = sql<boolean>`(p.finished = 1 or p.plays > 0)`
/**
 * SQL expression: 1 if the notice is about a release, and the profile has finished the episode or movie, even if the
 * profile is watching it again; otherwise 0.
 */
export const isReleaseFinished = sql<number>`case when exists (
  select 1 from progress p where p.profile_id = notice.profile_id and p.title_id = notice.title_id
    and p.season_number = notice.season_number and p.episode_number = notice.episode_number
    and ${hasFinishedPlayback} and notice.kind in ('episode', 'high_quality')) then 1 else 0 end`
/** SQL condition: the notice is not about an episode, or the catalogue still contains the episode. */
export const isEpisodeInCatalogue = sql<boolean>`(notice.kind <> 'episode' or exists (
  select 1 from episode e where e.title_id = notice.title_id
    and e.season_number = notice.season_number and e.episode_number = notice.episode_number))`
