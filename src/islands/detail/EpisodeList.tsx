import { useStore } from '@nanostores/react'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { Play } from '../../icons/index.ts'
import type { Episode, MediaDetails, Season } from '../../lib/contract/media.ts'
import type { PlaybackProgress } from '../../lib/contract/progress.ts'
import { formatDate, formatRuntime } from '../../lib/i18n/format.ts'
import { formatNames } from '../../lib/i18n/format-names.ts'
import { t } from '../../lib/i18n/t.ts'
import { removeSpoilers } from '../../lib/rules/spoilers.ts'
import { perProfile } from '../../lib/stores/per-profile.ts'
import { $displayedTitleProgress } from '../../lib/stores/title-progress.ts'
import { $seasonEpisodes, $selectedSeasonId } from '../../lib/stores/titles.ts'
import { getButtonClass } from '../../ui/Button.tsx'
import { Select } from '../../ui/Select.tsx'
import { Name } from '../media/Name.tsx'
import { getPlayHref } from '../media/title-urls.ts'
import { SectionPlaceholder } from '../SectionPlaceholder.tsx'
import { HiddenOverview, useSpoilerProtection } from './EpisodeOverview.tsx'
import { EpisodeStill } from './EpisodeStill.tsx'

const SeenControls = lazy(() => import('./SeenControls.tsx'))
/* The recap is loaded lazily, because only a series with a finished episode has a recap. */
const RecapButton = lazy(() => import('./RecapButton.tsx'))

/** The season that the user selected for each series; keys are series ids, values are season ids. */
const $selectedSeasonIdsBySeries = perProfile(() => new Map<string, string>())

/**
 * Season picker and episodes. At first, the list shows the season in the link, else the last selected season of this
 * series. Without these, it shows the season of the episode that Play starts, else the last watched season, else the
 * first season.
 */
export function EpisodeList({ details, seasons }: { details: MediaDetails; seasons: Season[] }) {
  const seasonId = useStore($selectedSeasonId)
  const episodesQuery = useStore($seasonEpisodes)
  /*
   * The season of the episode that Play starts, else the last watched season, as of the time when the progress was
   * loaded. It does not change when the user marks episodes as seen on this page, although Play may then start an
   * episode of another season.
   */
  const continuedSeasonRef = useRef<{ seriesId: string; id: string | undefined }>(undefined)
  const { data: progress, loading: isProgressLoading } = useStore($displayedTitleProgress)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the season in the URL counts only when the page opens
  useEffect(() => {
    const seasonNumber = new URLSearchParams(location.search).get('season')
    const linkedSeason = seasons.find((season) => String(season.season_number) === seasonNumber)
    if (linkedSeason) $selectedSeasonIdsBySeries.get().set(details.id, linkedSeason.id)
  }, [details.id])
  useEffect(() => {
    const seasonNumber = progress?.next_episode?.season_number ?? progress?.latest?.season
    const continuedSeason =
      continuedSeasonRef.current?.seriesId === details.id
        ? continuedSeasonRef.current
        : { seriesId: details.id, id: seasons.find((season) => season.season_number === seasonNumber)?.id }
    if (progress && !isProgressLoading) continuedSeasonRef.current = continuedSeason
    $selectedSeasonId.set(
      $selectedSeasonIdsBySeries.get().get(details.id) ?? continuedSeason.id ?? seasons[0]?.id ?? null,
    )
  }, [details.id, seasons, progress, isProgressLoading])
  const seasonOptions = seasons.map((season) => ({
    value: season.id,
    label: season.title ?? t('common:season_number', { number: season.season_number }),
  }))
  const isHiddenAsSpoiler = useSpoilerProtection(progress?.episodes, seasons)
  if (seasons.length === 0) return null
  const season = seasons.find((candidate) => candidate.id === seasonId) ?? seasons[0]
  const isFinished = (episode: Episode) => findEpisodeProgress(progress?.episodes, episode)?.finished === true
  const releasedEpisodes = episodesQuery.data?.results.filter((episode) => episode.released) ?? []
  return (
    <section aria-label={t('detail:episodesTab')} className="edge pt-10">
      <div className="mb-4 flex flex-col gap-4 lg:flex-row">
        {/* The button for the recap appears only after the progress has loaded. It is beside the heading, so that it
            shifts no other element. */}
        <div className="flex min-h-11 grow items-center justify-between gap-4">
          <h2 className="text-lg font-bold">{t('detail:episodesTab')}</h2>
          {progress?.episodes.some((episodeProgress) => episodeProgress.finished) && (
            <Suspense>
              <RecapButton seasons={seasons} progress={progress.episodes} />
            </Suspense>
          )}
        </div>
        <div className="flex flex-wrap items-center justify-between gap-4">
          {season && (
            <Suspense fallback={<SeenControlsPlaceholder />}>
              <SeenControls
                seriesId={details.id}
                season={season}
                isSeen={progress && releasedEpisodes.length > 0 && releasedEpisodes.every(isFinished)}
              />
            </Suspense>
          )}
          <Select
            isLabelHidden
            label={t('detail:season')}
            value={seasonId ?? ''}
            options={seasonOptions}
            onChange={(id) => {
              $selectedSeasonIdsBySeries.get().set(details.id, id)
              $selectedSeasonId.set(id)
            }}
          />
        </div>
      </div>
      {episodesQuery.data?.results.length === 0 && <p className="text-muted">{t('detail:noEpisodes')}</p>}
      <SectionPlaceholder $read={$seasonEpisodes}>
        {season && <EpisodeSkeletons rowCount={season.episode_count} />}
      </SectionPlaceholder>
      <ul className="divide-y divide-line">
        {episodesQuery.data?.results.map((episode) => (
          <EpisodeRow
            key={episode.id}
            details={details}
            episode={episode}
            progress={findEpisodeProgress(progress?.episodes, episode)}
            areSpoilersHidden={isHiddenAsSpoiler(episode)}
          />
        ))}
      </ul>
    </section>
  )
}

/** Invisible placeholder for a button with an icon. It is as wide as the button, so that it wraps to the same line. */
const ButtonPlaceholder = ({ label }: { label: string }) => (
  <span aria-hidden className={`invisible ${getButtonClass('plain')}`}>
    <span className="size-5" />
    {label}
  </span>
)

const SeenControlsPlaceholder = () => (
  <div className="flex items-center gap-3">
    <ButtonPlaceholder label={t('seen:markSeason')} />
    <span className="size-11" />
  </div>
)

interface EpisodeProps {
  details: MediaDetails
  episode: Episode
  progress: PlaybackProgress | undefined
}

/**
 * The link to an episode, and the button for the options that mark the episode as seen. With `areSpoilersHidden`, the
 * title and the overview are hidden until the user opens them.
 */
function EpisodeRow({
  details,
  episode: knownEpisode,
  progress,
  areSpoilersHidden,
}: EpisodeProps & { areSpoilersHidden: boolean }) {
  const episode = areSpoilersHidden ? removeSpoilers(knownEpisode) : knownEpisode
  return (
    <li className="flex flex-wrap items-center gap-x-3">
      <EpisodeLink details={details} episode={episode} progress={progress} />
      {episode.released && (
        <Suspense fallback={<span className="size-11 shrink-0" />}>
          <SeenControls
            seriesId={details.id}
            season={episode}
            episode={episode}
            isSeen={progress?.finished === true}
            seenCount={progress?.plays}
          />
        </Suspense>
      )}
      {areSpoilersHidden && (
        <HiddenOverview episode={knownEpisode} className="-mt-3 basis-full pb-2 md:ps-60" />
      )}
    </li>
  )
}

/** Placeholders as high as the episode rows, so that the content below does not shift. */
function EpisodeSkeletons({ rowCount }: { rowCount: number }) {
  return (
    <ul aria-hidden className="divide-y divide-line">
      {[...Array(rowCount).keys()].map((index) => (
        <li key={index} className="py-4">
          <div className="skeleton aspect-video w-[min(7rem,30vw)] md:w-44" />
        </li>
      ))}
    </ul>
  )
}

function findEpisodeProgress(
  episodes: PlaybackProgress[] | undefined,
  { season_number, episode_number }: Episode,
): PlaybackProgress | undefined {
  return episodes?.find(
    (candidate) => candidate.season === season_number && candidate.episode === episode_number,
  )
}

function EpisodeLink({ details, episode, progress }: EpisodeProps) {
  const episodeCode = t('common:episodeCode', {
    season: episode.season_number,
    episode: episode.episode_number,
  })
  const name = episode.title ?? episodeCode
  /*
   * Screen readers read this text before the title of the episode, for example `Play: S1 E3,` or `Resume: S1 E3,`. The
   * number in the first column is hidden from screen readers.
   */
  const screenReaderPrefix = t('common:pair', {
    name: t(progress && !progress.finished ? 'common:resume' : 'common:play'),
    value: episode.title ? formatNames([episodeCode, '']) : '',
  })
  const isNotInLibrary = episode.released && episode.available === false
  const isEpisodePlayable = episode.released && !isNotInLibrary
  const { overview } = episode
  const facts = [
    isNotInLibrary && t('detail:notInLibrary'),
    episode.runtime && formatRuntime(episode.runtime),
    episode.air_date && !episode.released
      ? t('detail:airs', { date: formatDate(episode.air_date) })
      : episode.air_date && formatDate(episode.air_date),
  ].filter((fact) => typeof fact === 'string')
  /*
   * On a phone, the overview is below all columns. On wider screens, the overview is below the name, so the other cells
   * span both rows.
   */
  const rowSpanClass = overview ? 'md:row-span-2' : ''
  const episodeContent = (
    <>
      <span
        aria-hidden={isEpisodePlayable}
        className={`numbers w-6 text-center text-lg text-muted md:w-8 ${rowSpanClass}`}
      >
        {episode.episode_number}
      </span>
      <EpisodeStill
        imagePath={episode.still_path}
        progress={progress}
        className={`w-[min(7rem,30vw)] bg-raised md:w-44 ${rowSpanClass}`}
      />
      <span className={`relative min-w-0 wrap-anywhere hyphens-auto ${overview ? 'md:self-end' : ''}`}>
        {isEpisodePlayable && <span className="sr-only">{screenReaderPrefix} </span>}
        <Name text={name} className="clamp-2 block font-semibold" />
        <span className="numbers flex flex-wrap gap-x-3 text-sm text-muted">
          {facts.map((fact) => (
            <span key={fact}>{fact} </span>
          ))}
        </span>
      </span>
      {isEpisodePlayable && (
        <Play aria-hidden className={`text-muted group-hover:text-accent max-sm:hidden ${rowSpanClass}`} />
      )}
      {overview && (
        /*
         * The text direction of this element is that of the page. An overview in the other direction is therefore
         * aligned like the name of the episode.
         */
        <span className="col-span-full text-sm text-muted md:col-span-1 md:col-start-3 md:row-start-2 md:self-start">
          <Name text={overview} lang={episode.overview_lang} />
        </span>
      )}
    </>
  )
  const rowClasses =
    'group grid min-w-0 grow basis-0 grid-cols-[auto_auto_1fr_auto] items-center gap-x-3 gap-y-1 rounded-md py-4 text-start md:gap-x-4'
  if (!isEpisodePlayable) return <div className={`${rowClasses} opacity-60`}>{episodeContent}</div>
  const episodeParams = { season: episode.season_number, episode: episode.episode_number }
  return (
    <a href={getPlayHref(details, episodeParams)} className={`${rowClasses} hover:bg-raised`}>
      {episodeContent}
    </a>
  )
}
