import { Check, Star, X } from 'lucide-react'
import { memo } from 'react'
import type { MediaCard } from '../../lib/contract/media.ts'
import type { WatchlistEntry } from '../../lib/contract/watchlist.ts'
import { t } from '../../lib/i18n/t.ts'
import { WATCH_STATES } from '../../lib/rules/limits.ts'
import { changeSeveral } from '../../lib/stores/list-bulk.ts'
import { $entries, setInList, setWatchState } from '../../lib/stores/watchlist.ts'
import { IconButton } from '../../ui/Button.tsx'
import { Select } from '../../ui/Select.tsx'
import { Poster } from '../media/Poster.tsx'

interface Props {
  entry: WatchlistEntry & { media: MediaCard }
  /** Undefined while nothing is being chosen. */
  chosen: boolean | undefined
  onChoose: (key: string) => void
}

/** A title of My List with what can be done to it; while several are being chosen, a box to tick. */
export const Entry = memo(function Entry({ entry, chosen, onChoose }: Props) {
  const { media, favorite } = entry
  const title = { type: entry.type, id: entry.media_id }
  if (chosen !== undefined)
    return (
      <li>
        <label
          className={`relative block cursor-pointer rounded-md ${chosen ? 'outline-3 outline-offset-4 outline-accent' : ''}`}
        >
          <input
            type="checkbox"
            className="peer sr-only"
            checked={chosen}
            onChange={() => onChoose(`${title.type}/${title.id}`)}
          />
          <span className="pointer-events-none block" inert>
            <Poster media={media} caption />
          </span>
          <span className="sr-only">{media.title}</span>
          <span
            aria-hidden
            className={`absolute start-2 top-2 grid size-8 place-items-center rounded-full border-2 peer-focus-visible:outline-3 peer-focus-visible:outline-accent ${chosen ? 'border-accent bg-accent text-accent-ink' : 'border-white bg-black/60 text-transparent'}`}
          >
            <Check size={18} />
          </span>
        </label>
      </li>
    )
  return (
    <li className="group/entry relative flex flex-col gap-2">
      <Poster media={media} caption />
      <button
        type="button"
        aria-label={`${t('common:removeFromList')}: ${media.title}`}
        title={t('common:removeFromList')}
        className="absolute start-1.5 top-1.5 grid size-9 place-items-center rounded-full bg-black/70 text-white opacity-0 transition-opacity focus-visible:opacity-100 group-hover/entry:opacity-100 pointer-coarse:size-11 pointer-coarse:opacity-100"
        onClick={() => {
          $entries.setKey(`${title.type}/${title.id}`, entry)
          void setInList(title, false)
        }}
      >
        <X aria-hidden size={18} />
      </button>
      <div className="flex flex-wrap items-center gap-2">
        <div className="min-w-[min(6rem,100%)] grow basis-0">
          <Select
            bare
            slim
            label={t('mylist:changeState', { title: media.title })}
            value={entry.state ?? 'planned'}
            options={WATCH_STATES.map((one) => ({ value: one, label: t(`mylist:${one}`) }))}
            onChange={(wanted) => void setWatchState(title, wanted)}
          />
        </div>
        <IconButton
          label={`${t('mylist:favorite')}: ${media.title}`}
          aria-pressed={favorite}
          onClick={() => void changeSeveral([entry], { favorite: !favorite })}
        >
          <Star aria-hidden size={18} fill={favorite ? 'currentColor' : 'none'} />
        </IconButton>
      </div>
    </li>
  )
})
