import { useStore } from '@nanostores/react'
import { useId } from 'react'
import { WATCH_REQUEST_ANSWERS, type WatchRequest } from '../../lib/contract/watch-requests.ts'
import { formatAgeRating } from '../../lib/i18n/format.ts'
import { formatLocalDate } from '../../lib/i18n/format-instant.ts'
import { isolateBidi } from '../../lib/i18n/isolate-bidi.ts'
import { t } from '../../lib/i18n/t.ts'
import { $watchRequests, answerRequest } from '../../lib/stores/watch-requests.ts'
import { Button } from '../../ui/Button.tsx'
import { Poster } from '../media/Poster.tsx'
import { SectionPlaceholder } from '../SectionPlaceholder.tsx'

/** Titles that the children of the account asked to watch. Unanswered requests come first. */
export function RequestsSection() {
  const headingId = useId()
  const { data: watchRequestsReply } = useStore($watchRequests)
  if (!watchRequestsReply) return <SectionPlaceholder $read={$watchRequests} />
  if (watchRequestsReply.results.length === 0) return null
  return (
    <section aria-labelledby={headingId} className="flex flex-col gap-4">
      <h2 id={headingId} className="text-lg font-bold">
        {watchRequestsReply.open === 0
          ? t('requests:heading')
          : t('requests:title', { count: watchRequestsReply.open })}
      </h2>
      <ul className="flex flex-col gap-4" aria-live="polite">
        {watchRequestsReply.results.map((request) => (
          <WatchRequestItem key={request.request_id} request={request} />
        ))}
      </ul>
    </section>
  )
}

function WatchRequestItem({ request }: { request: WatchRequest }) {
  const { media, parental_guide: guide, reason, profile_name: name, answer, expires_at: expiresAt } = request
  return (
    <li className="flex flex-col gap-4 rounded-lg border border-line p-4">
      <div className="flex gap-4">
        <div className="w-20 shrink-0">
          <Poster title={media} />
        </div>
        <div className="flex min-w-0 grow flex-col gap-2">
          <p className="font-semibold">
            {t('requests:asks', { name: isolateBidi(name), title: isolateBidi(media.title) })}{' '}
            {media.rated && `(${formatAgeRating(media.rated)})`}
          </p>
          {reason && (
            <p dir="auto" className="text-muted">
              <q>{reason}</q>
            </p>
          )}
          <p className="text-sm text-muted">
            {guide.length === 0
              ? t('requests:noGuide')
              : guide
                  .map(({ category, severity }) =>
                    t('common:pair', { name: t(`guide:${category}`), value: t(`guide:${severity}`) }),
                  )
                  .join(' · ')}
          </p>
          {answer !== null && answer !== 'no' && expiresAt && (
            <p className="text-sm text-muted">{t('requests:until', { date: formatLocalDate(expiresAt) })}</p>
          )}
        </div>
      </div>
      <div className="flex flex-wrap gap-2">
        {WATCH_REQUEST_ANSWERS.map((option) => (
          <Button
            key={option}
            variant={answer === option ? 'primary' : 'plain'}
            aria-pressed={answer === option}
            className="px-4"
            onClick={() => void answerRequest(request.request_id, option)}
          >
            {t(`requests:answer_${option}`)}
          </Button>
        ))}
      </div>
    </li>
  )
}
