import { useStore } from '@nanostores/react'
import { Check, Eye } from '../../icons/index.ts'
import type { MediaCard } from '../../lib/contract/media.ts'
import { t } from '../../lib/i18n/t.ts'
import { isMarkPending } from '../../lib/stores/pending-marks.ts'
import { $pendingWrites } from '../../lib/stores/pending-writes.ts'
import { $displayedPreviewProgress } from '../../lib/stores/preview.ts'
import { markSeen } from '../../lib/stores/viewings.ts'
import { IconButton } from '../../ui/Button.tsx'

/** Marks the previewed movie, or the released episodes of the previewed series, as seen now. */
export function SeenButton({ title }: { title: Pick<MediaCard, 'type' | 'id'> }) {
  const { data: progress } = useStore($displayedPreviewProgress)
  const isPending = isMarkPending(useStore($pendingWrites), title)
  const isSeen = isPending || progress?.seen
  const Icon = isSeen ? Check : Eye
  return (
    <IconButton
      label={t(isSeen ? 'common:seen' : 'common:markSeen')}
      aria-pressed={isSeen}
      onClick={() => void markSeen([{ type: title.type, media_id: title.id, scope: 'title' }])}
    >
      <Icon aria-hidden size={20} className={isSeen ? 'text-good' : ''} />
    </IconButton>
  )
}
