import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { CalendarCheck, Check, Eye } from '../../icons/index.ts'
import type { ViewingScope } from '../../lib/contract/viewings.ts'
import { t } from '../../lib/i18n/t.ts'
import { isMarkPending } from '../../lib/stores/pending-marks.ts'
import { $pendingWrites } from '../../lib/stores/pending-writes.ts'
import { $displayedTitleProgress } from '../../lib/stores/title-progress.ts'
import { markSeen } from '../../lib/stores/viewings.ts'
import type { TitleRef } from '../../lib/stores/watchlist.ts'
import { IconButton } from '../../ui/Button.tsx'
import { SeenOptionsDialog } from '../seen/SeenOptionsDialog.tsx'

/**
 * Two buttons: one marks the title of the page as seen now, the other opens further options. If the title is already
 * seen, the first button opens the options, too. Until the progress is known, the first button has no pressed state.
 */
export function TitleSeenControls({ title, name }: { title: TitleRef; name: string }) {
  const { data: progress } = useStore($displayedTitleProgress)
  const isPending = isMarkPending(useStore($pendingWrites), title)
  const [isDialogOpen, setIsDialogOpen] = useState(false)
  const isSeen = isPending || progress?.seen
  const scope: ViewingScope = { type: title.type, media_id: title.id, scope: 'title' }
  return (
    <>
      <IconButton
        label={t(isSeen ? 'common:seen' : 'common:markSeen')}
        visibleText={t(isSeen ? 'common:seen' : 'common:markSeen')}
        aria-pressed={isSeen}
        onClick={() => (isSeen ? setIsDialogOpen(true) : void markSeen([scope]))}
      >
        {isSeen ? <Check aria-hidden size={20} className="text-good" /> : <Eye aria-hidden size={20} />}
      </IconButton>
      <IconButton
        label={t('common:pair', { name: t('detail:seenDate'), value: t('seen:options', { title: name }) })}
        visibleText={t('detail:seenDate')}
        onClick={() => setIsDialogOpen(true)}
      >
        <CalendarCheck aria-hidden size={20} />
      </IconButton>
      {isDialogOpen && (
        <SeenOptionsDialog
          name={name}
          scope={scope}
          isSeen={isSeen === true}
          seenCount={title.type === 'movie' ? progress?.latest?.plays : undefined}
          onClose={() => setIsDialogOpen(false)}
        />
      )}
    </>
  )
}
