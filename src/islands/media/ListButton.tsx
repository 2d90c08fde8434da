import { useStore } from '@nanostores/react'
import { Check, Plus } from 'lucide-react'
import { useEffect } from 'react'
import { t } from '../../lib/i18n/t.ts'
import { $listed, loadEntry, setInList, type Title } from '../../lib/stores/watchlist.ts'
import { IconButton } from '../../ui/Button.tsx'

export function ListButton({ title }: { title: Title }) {
  const isInWatchlist = useStore($listed)[`${title.type}/${title.id}`]?.in_watchlist === true
  useEffect(() => {
    void loadEntry(title).catch(() => {})
  }, [title])
  return (
    <IconButton
      label={t(isInWatchlist ? 'common:removeFromList' : 'common:addToList')}
      aria-pressed={isInWatchlist}
      onClick={() => void setInList(title, !isInWatchlist)}
    >
      {isInWatchlist ? <Check aria-hidden size={20} /> : <Plus aria-hidden size={20} />}
    </IconButton>
  )
}
