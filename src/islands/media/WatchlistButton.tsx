import { useStore } from '@nanostores/react'
import { Check, Plus } from 'lucide-react'
import { useEffect } from 'react'
import { t } from '../../lib/i18n/t.ts'
import {
  $watchlistEntries,
  loadWatchlistEntry,
  setInWatchlist,
  type TitleRef,
} from '../../lib/stores/watchlist.ts'
import { IconButton } from '../../ui/Button.tsx'

export function WatchlistButton({ title }: { title: TitleRef }) {
  const isInWatchlist = useStore($watchlistEntries)[`${title.type}/${title.id}`]?.in_watchlist === true
  useEffect(() => {
    void loadWatchlistEntry(title).catch(() => {})
  }, [title])
  return (
    <IconButton
      label={t(isInWatchlist ? 'common:removeFromList' : 'common:addToList')}
      aria-pressed={isInWatchlist}
      onClick={() => void setInWatchlist(title, !isInWatchlist)}
    >
      {isInWatchlist ? <Check aria-hidden size={20} /> : <Plus aria-hidden size={20} />}
    </IconButton>
  )
}
