import { t } from '../lib/i18n/t.ts'
import { PendingAnimation } from '../ui/EmptyState.tsx'
import { GuardedPage } from './GuardedPage.tsx'
import './watch/playback-lifecycle.ts'
import { Player } from './watch/Player.tsx'

/** Page of /watch/ and, with `embed`, of /watch/embed, which shows the player alone. */
export default function WatchPage({ isEmbedded = false }: { isEmbedded?: boolean }) {
  return (
    <GuardedPage pending={<PendingAnimation label={t('common:loading')} />}>
      <Player isEmbedded={isEmbedded} />
    </GuardedPage>
  )
}
