import { t } from '../lib/i18n/t.ts'
import { Pending } from '../ui/State.tsx'
import { Page } from './Page.tsx'
import './watch/start.ts'
import { Theatre } from './watch/Theatre.tsx'

/** Page of /watch/ and, with `embed`, of /watch/embed, which shows the player alone. */
export default function Watch({ embed = false }: { embed?: boolean }) {
  return (
    <Page pending={<Pending label={t('common:loading')} />}>
      <Theatre embed={embed} />
    </Page>
  )
}
