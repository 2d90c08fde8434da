import { memo } from 'react'
import { Check, Heart, X } from '../../icons/index.ts'
import type { MediaCard } from '../../lib/contract/media.ts'
import type { WatchlistEntry } from '../../lib/contract/watchlist.ts'
import { t } from '../../lib/i18n/t.ts'
import { WATCH_STATES } from '../../lib/rules/limits.ts'
import { setWatchState } from '../../lib/stores/watch-state.ts'
import { $serverWatchlistEntries, setInWatchlist } from '../../lib/stores/watchlist.ts'
import { changeWatchlistEntries } from '../../lib/stores/watchlist-bulk.ts'
import { IconButton } from '../../ui/Button.tsx'
import { SavedSelect } from '../../ui/SavedSelect.tsx'
import { TitleName } from '../media/Name.tsx'
import { Poster } from '../media/Poster.tsx'
import { RatingButton } from '../ratings/RatingButton.tsx'

interface Props {
  entry: WatchlistEntry & { media: MediaCard & { own_rating?: number | null } }
  /** True if the entry is selected; undefined outside selection mode. */
  isSelected: boolean | undefined
  onToggleSelected: (titleKey: string) => void
}

/** Watchlist entry with its controls. In selection mode, a checkbox replaces the controls. */
export const WatchlistItem = memo(function WatchlistItem({ entry, isSelected, onToggleSelected }: Props) {
  const { media: title, favorite } = entry
  const titleRef = { type: entry.type, id: entry.media_id }
  if (isSelected !== undefined)
    return (
      <li>
        <label className="relative block cursor-pointer rounded-md">
          <input
            type="checkbox"
            className="peer sr-only"
            checked={isSelected}
            onChange={() => onToggleSelected(`${titleRef.type}/${titleRef.id}`)}
          />
          <span className="pointer-events-none block" inert>
            <Poster title={title} hasCaption />
          </span>
          <TitleName title={title} className="sr-only" />
          {/* The frame is drawn on the poster, so that the frames of adjacent entries do not touch. */}
          {isSelected && (
            <span
              aria-hidden
              className="absolute inset-x-0 top-0 aspect-2/3 rounded-md border-3 border-accent"
            />
          )}
          <span
            aria-hidden
            className={`absolute start-2 top-2 grid size-8 place-items-center rounded-full border-2 peer-focus-visible:outline-3 peer-focus-visible:outline-accent ${isSelected ? 'border-accent bg-accent text-accent-ink' : 'border-white bg-black/60'}`}
          >
            {isSelected && <Check size={18} />}
          </span>
        </label>
      </li>
    )
  return (
    <li className="group/entry relative flex flex-col gap-2">
      <Poster title={title} hasCaption />
      <button
        type="button"
        aria-label={t('common:pair', { name: t('common:removeFromList'), value: title.title })}
        title={t('common:removeFromList')}
        className="absolute start-2 top-2 grid size-9 place-items-center rounded-full bg-black/70 text-white opacity-0 transition-opacity focus-visible:opacity-100 group-hover/entry:opacity-100 pointer-coarse:size-11 pointer-coarse:opacity-100"
        onClick={() => {
          $serverWatchlistEntries.setKey(`${titleRef.type}/${titleRef.id}`, entry)
          void setInWatchlist(titleRef, false)
        }}
      >
        <X aria-hidden size={18} />
      </button>
      <div className="flex flex-wrap items-center gap-2">
        <div className="min-w-[min(7rem,100%)] grow basis-0">
          <SavedSelect
            isLabelHidden
            isCompact
            label={t('mylist:changeState', { title: title.title })}
            value={entry.state ?? 'planned'}
            loadedData={entry}
            options={WATCH_STATES.map((state) => ({ value: state, label: t(`mylist:${state}`) }))}
            onSave={(nextState) => setWatchState(titleRef, nextState, entry)}
          />
        </div>
        <div className="flex items-center gap-2">
          <IconButton
            label={t('common:pair', { name: t('mylist:favorite'), value: title.title })}
            aria-pressed={favorite}
            onClick={() => void changeWatchlistEntries([entry], { favorite: !favorite })}
          >
            <Heart aria-hidden size={18} fill={favorite ? 'currentColor' : 'none'} />
          </IconButton>
          <RatingButton
            isCompact
            title={titleRef}
            name={title.title}
            listedRating={entry.media.own_rating ?? null}
          />
        </div>
      </div>
    </li>
  )
})
