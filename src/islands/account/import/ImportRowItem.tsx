import type { ImportedRow } from '../../../lib/contract/history-transfer.ts'
import type { MediaCard } from '../../../lib/contract/media.ts'
import { formatDate, formatRating } from '../../../lib/i18n/format.ts'
import { t, translateDynamicKey } from '../../../lib/i18n/t.ts'
import { getImageUrl } from '../../../lib/images.ts'
import { resolveImportRow } from '../../../lib/stores/history-transfer.ts'
import { Button } from '../../../ui/Button.tsx'
import { Name, TitleName } from '../../media/Name.tsx'

interface Props {
  row: ImportedRow
  isBusy: boolean
  onPick: () => void
}

/** Row of an import file, with its matched title or the candidates to choose from. */
export function ImportRowItem({ row, isBusy, onPick }: Props) {
  const { outcome, candidates } = row
  const isDecisionNeeded = outcome === 'ambiguous' || outcome === 'unmatched'
  const pickLabel = t(
    !isDecisionNeeded ? 'transfer:change' : candidates.length > 0 ? 'transfer:other' : 'transfer:pick',
  )
  return (
    <li className="grid gap-x-6 gap-y-3 py-4 sm:grid-cols-2">
      <div className="min-w-0">
        <Name text={row.title || '–'} className="block font-medium break-words" />
        <EpisodeCodes row={row} />
        <p className="text-sm text-muted">
          {outcome === 'skipped' && row.file && (
            <>
              <bdi className="break-all">{row.file}</bdi>
              {' · '}
            </>
          )}
          {outcome === 'skipped'
            ? `${t('transfer:line', { line: row.line })} · ${translateDynamicKey(`transfer:skip_${row.why}`, row.why)}`
            : t('transfer:rows', { count: row.count })}
          {row.year && ` · ${row.year}`}
          {row.at && (
            <>
              {' · '}
              <bdi>{formatDate(row.at)}</bdi>
            </>
          )}
        </p>
        <RowEffects row={row} />
      </div>
      <div className="flex min-w-0 flex-wrap items-center justify-between gap-3">
        {row.match && <TitleSummary media={row.match} />}
        {outcome === 'ignored' && <span className="text-muted">{t('transfer:leftOut')}</span>}
        {isDecisionNeeded && candidates.length > 0 && (
          <fieldset className="flex w-full flex-col gap-1">
            <legend className="text-sm text-muted">{t('transfer:isThis')}</legend>
            {candidates.map((candidate) => (
              <button
                key={candidate.id}
                type="button"
                aria-disabled={isBusy}
                onClick={() => !isBusy && void resolveImportRow(row.n, candidate)}
                className="flex min-h-11 w-full items-center gap-3 rounded-md p-1 text-start hover:bg-overlay aria-disabled:opacity-50"
              >
                <TitleSummary media={candidate} />
              </button>
            ))}
          </fieldset>
        )}
        {outcome !== 'skipped' && (
          <span className="flex flex-wrap gap-2 sm:ms-auto">
            <Button
              aria-disabled={isBusy}
              aria-label={t('common:pair', { name: pickLabel, value: row.title })}
              onClick={onPick}
            >
              {pickLabel}
            </Button>
            {outcome !== 'ignored' && (
              <Button
                variant="quiet"
                aria-disabled={isBusy}
                aria-label={t('common:pair', { name: t('transfer:leaveOut'), value: row.title })}
                onClick={() => void resolveImportRow(row.n, null)}
              >
                {t('transfer:leaveOut')}
              </Button>
            )}
          </span>
        )}
      </div>
    </li>
  )
}

/** What the rows of a group change in the profile, such as `Watched · Rated 8.5`. */
function RowEffects({ row: { outcome, effects, rating } }: { row: ImportedRow }) {
  if (outcome === 'skipped' || effects.length === 0) return null
  const texts = effects.map((effect) =>
    effect === 'rated' && rating !== null
      ? t('transfer:effect_ratedValue', { rating: formatRating(rating) })
      : t(`transfer:effect_${effect}`),
  )
  return <p className="text-sm text-muted">{texts.join(' · ')}</p>
}

/**
 * Shows the episode code of a row, or the first and the last episode code of a group of rows, and the episode as
 * written in the file. Codes and text can be missing.
 */
function EpisodeCodes({ row: { episodes, episode_text } }: { row: ImportedRow }) {
  if (!episodes && !episode_text) return null
  const formatEpisodeCode = (episodeNumbers: { season: number; episode: number }) =>
    t('common:episodeCode', episodeNumbers)
  const [firstCode, lastCode] = episodes
    ? [formatEpisodeCode(episodes.first), formatEpisodeCode(episodes.last)]
    : []
  return (
    <p className="text-sm break-words">
      {firstCode && lastCode && (
        <span className="numbers">{firstCode === lastCode ? firstCode : `${firstCode} – ${lastCode}`}</span>
      )}
      {firstCode && episode_text && ' · '}
      {episode_text && <Name text={episode_text} />}
    </p>
  )
}

export function TitleSummary({ media }: { media: MediaCard }) {
  return (
    <span className="flex min-w-0 items-center gap-3">
      <img
        src={getImageUrl(media.poster_path, 'w342')}
        alt=""
        width="342"
        height="513"
        loading="lazy"
        className="h-14 w-auto shrink-0 rounded-sm bg-overlay object-cover"
      />
      <span className="min-w-0">
        <TitleName title={media} className="block font-medium" />
        <span className="block text-sm text-muted first-letter:uppercase">
          {t(media.type === 'movie' ? 'common:film' : 'common:series')}
          {media.year && ` · ${media.year}`}
        </span>
      </span>
    </span>
  )
}
