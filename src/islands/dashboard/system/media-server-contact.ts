import type { MediaServer } from '../../../lib/contract/admin-media-servers.ts'
import { isolateBidi } from '../../../lib/i18n/isolate-bidi.ts'
import { t } from '../../../lib/i18n/t.ts'
import { formatLocalDateTime } from '../kit/formatters.ts'

/** Says when the server answered last, and what is wrong with it now. */
export function formatLastContact({ contacted_at, problem }: MediaServer): string {
  const contact = contacted_at
    ? t('dashboardsystem:lastContact', { time: isolateBidi(formatLocalDateTime(contacted_at)) })
    : t('dashboardsystem:noContact')
  return problem ? `${t(`dashboardsystem:mediaServerProblem_${problem}`)} ${contact}` : contact
}
