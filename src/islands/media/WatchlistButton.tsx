import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { Check, Plus } from '../../icons/index.ts'
import { t } from '../../lib/i18n/t.ts'
import {
  $watchlistEntries,
  loadWatchlistEntry,
  setInWatchlist,
  type TitleRef,
} from '../../lib/stores/watchlist.ts'
import { IconButton } from '../../ui/Button.tsx'

/**
 * Button that adds or removes a title. `isLabelled` shows the label beside the icon on screens that are wide
 * enough.
 */
export function WatchlistButton({ title, isLabelled }: { title: TitleRef; isLabelled?: boolean }) {
  const entry = useStore($watchlistEntries)[`${title.type}/${title.id}`]
  const isInWatchlist = entry?.in_watchlist === true
  const isEntryLoaded = entry !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again when the store has lost the entry
  useEffect(() => {
    void loadWatchlistEntry(title).catch(() => {})
  }, [title, isEntryLoaded])
  return (
    <IconButton
      label={t(isInWatchlist ? 'common:removeFromList' : 'common:addToList')}
      visibleText={isLabelled ? t('common:myList') : undefined}
      aria-pressed={isInWatchlist}
      onClick={() => void setInWatchlist(title, !isInWatchlist)}
    >
      {isInWatchlist ? <Check aria-hidden size={20} /> : <Plus aria-hidden size={20} />}
    </IconButton>
  )
}
