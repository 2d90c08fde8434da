import { type MouseEvent, useState } from 'react'
import { Eye, ListFilter, Pencil, Trash2 } from '../../icons/index.ts'
import type { MediaCard } from '../../lib/contract/media.ts'
import { formatClockTime } from '../../lib/i18n/format-clock-time.ts'
import { t } from '../../lib/i18n/t.ts'
import { formatLocalDay } from '../../lib/rules/calendar-days.ts'
import { changeViewing, removeFromHistory } from '../../lib/stores/history-edits.ts'
import type { HistoryViewing } from '../../lib/stores/history-page.ts'
import { IconButton } from '../../ui/Button.tsx'
import { formatRelativeDay, formatWeekdayAndDate } from '../calendar/format-day.ts'
import { Name, TitleName } from '../media/Name.tsx'
import { SmallPoster } from '../media/SmallPoster.tsx'
import { getTitleHref } from '../media/title-urls.ts'
import { RatingButton } from '../ratings/RatingButton.tsx'
import { getViewingDay } from './days.ts'
import { ViewingDialog } from './ViewingDialog.tsx'
import { ViewingNote } from './ViewingNote.tsx'

interface Props {
  /** The day as `YYYY-MM-DD`; empty if it is not known. */
  day: string
  viewings: readonly HistoryViewing[]
  /** False for a restricted profile, which may change only the note of a viewing. */
  canEdit: boolean
  onShowTitle: (title: MediaCard) => void
}

/** The viewings of one day. */
export function HistoryDay({ day, viewings, canEdit, onShowTitle }: Props) {
  const relativeDay = formatRelativeDay(day, formatLocalDay())
  return (
    <section>
      <h2 className="numbers mb-2 flex flex-wrap gap-x-3 text-lg font-bold">
        {relativeDay && <span className="text-accent">{relativeDay}</span>}
        <bdi>{day ? formatWeekdayAndDate(day) : t('history:unknownDay')}</bdi>
      </h2>
      <ul className="divide-y divide-line">
        {viewings.map((viewing) => (
          <HistoryEntry
            key={buildViewingKey(viewing)}
            viewing={viewing}
            canEdit={canEdit}
            onShowTitle={onShowTitle}
          />
        ))}
      </ul>
    </section>
  )
}

const buildViewingKey = ({ media, season, episode, name, watched_at }: HistoryViewing) =>
  [media.type, media.id, season, episode, name, watched_at].join(' ')

/**
 * Moves the focus to the next entry, else to the previous entry, else to the first tab of the filters, because the
 * focused entry is about to disappear.
 */
function focusNeighbourViewing({ currentTarget }: MouseEvent<HTMLElement>): void {
  const viewingElements = [...document.querySelectorAll<HTMLElement>('[data-viewing]')]
  const index = viewingElements.findIndex((viewingElement) => viewingElement.contains(currentTarget))
  const neighbourElement = viewingElements[index + 1] ?? viewingElements[index - 1]
  const focusTarget =
    neighbourElement?.querySelector<HTMLElement>('a') ?? document.querySelector<HTMLElement>('[role=tab]')
  focusTarget?.focus()
}

function HistoryEntry({
  viewing,
  canEdit,
  onShowTitle,
}: Pick<Props, 'canEdit' | 'onShowTitle'> & { viewing: HistoryViewing }) {
  const [isDialogOpen, setIsDialogOpen] = useState(false)
  const { media, season, episode, episode_title, name, watched_at, date_only, marked, note } = viewing
  const viewingRef = {
    type: media.type,
    media_id: media.id,
    ...(media.type === 'tv' && { season, episode }),
    name,
    watched_at,
  }
  const episodeCode = season !== null && episode !== null && t('common:episodeCode', { season, episode })
  const viewingName = [media.title, episodeCode].filter(Boolean).join(' ')
  const watchedAt = watched_at && !date_only ? new Date(watched_at) : null
  const watchedTimeText = watchedAt && formatClockTime(watchedAt.getHours() * 60 + watchedAt.getMinutes())
  return (
    <li data-viewing>
      <div className="flex items-center gap-2">
        <a
          href={getTitleHref(media)}
          className="flex min-w-0 grow items-center gap-4 rounded-md py-2 hover:bg-raised"
        >
          <SmallPoster posterPath={media.poster_path} />
          <span className="min-w-0 wrap-anywhere">
            <TitleName title={media} className="clamp-2 block font-semibold" />
            {media.type === 'tv' && (
              <span className="block text-sm text-muted">
                {episodeCode && <bdi>{episodeCode}</bdi>}
                {episodeCode && (episode_title || name) && ' · '}
                <Name text={episode_title ?? name} />
              </span>
            )}
            <span className="numbers flex flex-wrap items-center gap-x-3 text-sm whitespace-nowrap text-muted">
              {watchedTimeText && <bdi>{watchedTimeText}</bdi>}
              {marked && (
                <span className="flex items-center gap-2">
                  <Eye aria-hidden size={14} />
                  {t('history:marked')}
                </span>
              )}
            </span>
          </span>
        </a>
        <RatingButton isCompact title={media} name={media.title} listedRating={viewing.rating} />
        <IconButton
          className="max-sm:hidden"
          label={t('history:onlyTitle', { title: media.title })}
          onClick={() => onShowTitle(media)}
        >
          <ListFilter aria-hidden size={18} />
        </IconButton>
        <IconButton
          label={t(canEdit ? 'history:edit' : 'history:editNote', { title: viewingName })}
          onClick={() => setIsDialogOpen(true)}
        >
          <Pencil aria-hidden size={18} />
        </IconButton>
        {canEdit && (
          <IconButton
            label={t('history:remove', { title: viewingName })}
            onClick={(event) => {
              focusNeighbourViewing(event)
              void removeFromHistory({ viewings: [viewingRef] })
            }}
          >
            <Trash2 aria-hidden size={18} />
          </IconButton>
        )}
      </div>
      {note !== null && <ViewingNote note={note} />}
      {isDialogOpen && (
        <ViewingDialog
          title={viewingName}
          day={canEdit ? getViewingDay(viewing) : null}
          note={note ?? ''}
          onClose={() => setIsDialogOpen(false)}
          onChange={(changes) => changeViewing(viewingRef, changes)}
        />
      )}
    </li>
  )
}
