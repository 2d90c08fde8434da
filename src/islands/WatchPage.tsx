import { t } from '../lib/i18n/t.ts'
import { PendingAnimation } from '../ui/EmptyState.tsx'
import { GuardedPage } from './GuardedPage.tsx'
import './watch/playback-lifecycle.ts'
import { Player } from './watch/Player.tsx'

/**
 * Content of the pages /watch/ and /watch/embed. With `isEmbedded`, the only control of the player is a play button.
 */
export default function WatchPage({ isEmbedded = false }: { isEmbedded?: boolean }) {
  return (
    <GuardedPage pendingContent={<PendingAnimation label={t('common:loading')} />}>
      <Player isEmbedded={isEmbedded} />
    </GuardedPage>
  )
}
