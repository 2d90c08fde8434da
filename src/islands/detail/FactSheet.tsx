import type { ReactNode } from 'react'
import type { MediaDetails } from '../../lib/contract/media.ts'
import { formatCount, formatDate, languageName } from '../../lib/i18n/format.ts'
import { currentLocale, t, tData } from '../../lib/i18n/t.ts'
import { networkName } from '../media/network-name.ts'

const JOBS = { Director: 'detail:director', Creator: 'detail:creator', Writer: 'detail:writer' } as const

export function FactSheet({ media }: { media: MediaDetails }) {
  const crew = (job: keyof typeof JOBS) => media.crew.filter((one) => one.job === job).map((one) => one.name)
  const facts: [string, ReactNode][] = [
    ...(Object.keys(JOBS) as (keyof typeof JOBS)[]).map((job): [string, ReactNode] => [
      t(JOBS[job]),
      crew(job).join(', '),
    ]),
    [t('detail:released'), media.release_date && <span dir="ltr">{formatDate(media.release_date)}</span>],
    [t('detail:language'), media.language && languageName(media.language, currentLocale())],
    [t('detail:status'), media.status && tData(`status:${media.status}`, media.status)],
    [t('detail:networks'), media.networks?.map(networkName).join(', ')],
    [
      t('detail:rating'),
      media.rating_votes > 0 &&
        `${media.rating.toFixed(1)} · ${t('detail:votes', { votes: formatCount(media.rating_votes) })}`,
    ],
  ]
  return (
    <section aria-label={t('common:moreInfo')}>
      <h2 className="mb-3 text-lg font-bold">{t('common:moreInfo')}</h2>
      <dl className="divide-y divide-line">
        {facts
          .filter(([, value]) => value)
          .map(([name, value]) => (
            <div key={name} className="grid grid-cols-[minmax(min(7rem,40%),1fr)_2fr] gap-4 py-2">
              <dt className="min-w-0 text-muted wrap-anywhere">{name}</dt>
              <dd className="min-w-0 wrap-anywhere">
                <bdi>{value}</bdi>
              </dd>
            </div>
          ))}
      </dl>
    </section>
  )
}
