import { Eye } from 'lucide-react'
import type { MediaCard } from '../../lib/contract/media.ts'
import { t } from '../../lib/i18n/t.ts'
import { markSeen } from '../../lib/stores/viewings.ts'
import { IconButton } from '../../ui/Button.tsx'

/** Marks a movie, or the released episodes of a series, as seen now. */
export function SeenButton({ title }: { title: Pick<MediaCard, 'type' | 'id'> }) {
  return (
    <IconButton
      label={t('common:markSeen')}
      onClick={() => void markSeen([{ type: title.type, media_id: title.id, scope: 'title' }])}
    >
      <Eye aria-hidden size={20} />
    </IconButton>
  )
}
