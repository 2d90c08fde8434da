import type { MediaServer } from '../../../lib/contract/admin-media-servers.ts'
import { isolateBidi } from '../../../lib/i18n/isolate-bidi.ts'
import { t } from '../../../lib/i18n/t.ts'
import type { MediaServerProblem } from '../../../lib/rules/media-server-problems.ts'
import { formatLocalDateTime } from '../kit/formatters.ts'

/** Oldest version of Jellyfin that can be used. */
const MIN_JELLYFIN_VERSION = '10.8'

export const formatMediaServerProblem = (problem: MediaServerProblem): string =>
  t(`dashboardsystem:mediaServerProblem_${problem}`, { version: isolateBidi(MIN_JELLYFIN_VERSION) })

/** Describes when the media server last replied, and its current problem. */
export function formatLastContact({ contacted_at, problem }: MediaServer): string {
  const contactText = contacted_at
    ? t('dashboardsystem:lastContact', { time: isolateBidi(formatLocalDateTime(contacted_at)) })
    : t('dashboardsystem:noContact')
  return problem ? `${formatMediaServerProblem(problem)} ${contactText}` : contactText
}
