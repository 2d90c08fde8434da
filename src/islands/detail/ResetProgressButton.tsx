import { useStore } from '@nanostores/react'
import { RotateCcw } from '../../icons/index.ts'
import { t } from '../../lib/i18n/t.ts'
import { $pendingWrites } from '../../lib/stores/pending-writes.ts'
import { $profile } from '../../lib/stores/profile.ts'
import { findPendingRemoval, resetProgress, undoProgressRemoval } from '../../lib/stores/progress.ts'
import { $displayedTitleProgress } from '../../lib/stores/title-progress.ts'
import type { TitleRef } from '../../lib/stores/watchlist.ts'
import { IconButton } from '../../ui/Button.tsx'

/** Button that resets the progress of a title, and then offers Undo. */
export function ResetProgressButton({ title }: { title: TitleRef }) {
  const hasProgress = Boolean(useStore($displayedTitleProgress).data?.latest)
  const isKidsProfile = useStore($profile)?.kids
  const pendingRemoval = findPendingRemoval(useStore($pendingWrites), `reset ${title.type}/${title.id}`)
  if (isKidsProfile || !(hasProgress || pendingRemoval)) return null
  const label = t(pendingRemoval ? 'common:undo' : 'detail:resetProgress')
  return (
    <IconButton
      label={label}
      visibleText={label}
      onClick={() => void (pendingRemoval ? undoProgressRemoval(pendingRemoval) : resetProgress(title))}
    >
      <RotateCcw aria-hidden size={20} className={pendingRemoval ? 'ltr:-scale-x-100' : 'rtl:-scale-x-100'} />
    </IconButton>
  )
}
