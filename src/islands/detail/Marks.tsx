import { useStore } from '@nanostores/react'
import { Bell, BellOff, Star } from 'lucide-react'
import { t } from '../../lib/i18n/t.ts'
import { changeSeveral } from '../../lib/stores/list-bulk.ts'
import { $muted, setMuted } from '../../lib/stores/taste.ts'
import { $listed, type Title } from '../../lib/stores/watchlist.ts'
import { IconButton } from '../../ui/Button.tsx'

/** The favourite star, and whether there are notices of a title. */
export default function Marks({ title, name }: { title: Title; name: string }) {
  const entry = useStore($listed)[`${title.type}/${title.id}`]
  const { data } = useStore($muted)
  const muted = data?.results.some((one) => one.type === title.type && one.id === title.id) === true
  const favorite = entry?.favorite === true
  return (
    <>
      {entry?.in_watchlist && (
        <IconButton
          label={t('mylist:favorite')}
          aria-pressed={favorite}
          onClick={() =>
            void changeSeveral([{ type: title.type, media_id: title.id }], { favorite: !favorite })
          }
        >
          <Star aria-hidden size={20} fill={favorite ? 'currentColor' : 'none'} />
        </IconButton>
      )}
      {data && (
        <IconButton
          label={t(muted ? 'header:unmute' : 'header:mute', { title: name })}
          onClick={() => void setMuted(title, !muted)}
        >
          {muted ? <BellOff aria-hidden size={20} /> : <Bell aria-hidden size={20} />}
        </IconButton>
      )}
    </>
  )
}
