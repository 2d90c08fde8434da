import type { MediaDetails } from '../../lib/contract/media.ts'
import { t } from '../../lib/i18n/t.ts'
import { GUIDE_SEVERITIES } from '../../lib/rules/parental-guide.ts'

const SEVERITY_CLASSES = {
  None: 'text-good',
  Mild: 'text-ink',
  Moderate: 'text-accent',
  Severe: 'text-danger',
} as const

/** Parental guide: the severity of each category, as text and as a bar of filled steps. */
export default function ParentalGuide({ guide }: { guide: MediaDetails['parental_guide'] }) {
  if (guide.length === 0) return null
  return (
    <section aria-label={t('detail:parentalGuide')}>
      <h2 className="mb-3 text-lg font-bold">{t('detail:parentalGuide')}</h2>
      <dl className="divide-y divide-line">
        {guide.map(({ category, severity }) => (
          <div key={category} className="flex flex-wrap items-center justify-between gap-x-4 py-2">
            <dt className="min-w-0 text-muted">{t(`guide:${category}`)}</dt>
            <dd
              className={`flex min-w-0 flex-wrap items-center gap-x-3 font-medium ${SEVERITY_CLASSES[severity]}`}
            >
              {t(`guide:${severity}`)}
              <span aria-hidden className="flex gap-1">
                {GUIDE_SEVERITIES.slice(1).map((severityStep, index) => (
                  <span
                    key={severityStep}
                    className={`h-2 w-4 rounded-full ${GUIDE_SEVERITIES.indexOf(severity) > index ? 'bg-current' : 'bg-line'}`}
                  />
                ))}
              </span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
