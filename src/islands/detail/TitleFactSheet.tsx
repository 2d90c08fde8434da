import { Fragment, type ReactNode } from 'react'
import type { MediaDetails } from '../../lib/contract/media.ts'
import { formatDate, formatRating, getLanguageName } from '../../lib/i18n/format.ts'
import { formatNames, getNameSeparator } from '../../lib/i18n/format-names.ts'
import { formatVotes } from '../../lib/i18n/format-votes.ts'
import { getCurrentLocale, t, translateDynamicKey } from '../../lib/i18n/t.ts'
import { href } from '../../lib/routes.ts'
import { Name } from '../media/Name.tsx'
import { getNetworkName } from '../media/network-name.ts'

const JOB_LABEL_KEYS = {
  Director: 'detail:director',
  Creator: 'detail:creator',
  Writer: 'detail:writer',
} as const

/** The names of crew members, each with a link to the page of the person. */
function CrewLinks({ members }: { members: MediaDetails['crew'] }) {
  return members.map(({ slug, name }, index) => (
    <Fragment key={slug}>
      {index > 0 && getNameSeparator()}
      <a href={href('actor', getCurrentLocale(), { slug })} className="inline-flex hover:underline">
        <Name text={name} />
      </a>
    </Fragment>
  ))
}

export function TitleFactSheet({ details }: { details: MediaDetails }) {
  const allFacts: [string, ReactNode][] = [
    ...(Object.keys(JOB_LABEL_KEYS) as (keyof typeof JOB_LABEL_KEYS)[]).map((job): [string, ReactNode] => [
      t(JOB_LABEL_KEYS[job]),
      details.crew.some((member) => member.job === job) && (
        <CrewLinks members={details.crew.filter((member) => member.job === job)} />
      ),
    ]),
    [t('detail:released'), details.release_date && <span dir="ltr">{formatDate(details.release_date)}</span>],
    [t('detail:language'), details.language && getLanguageName(details.language, getCurrentLocale())],
    [t('detail:status'), details.status && translateDynamicKey(`status:${details.status}`, details.status)],
    [t('detail:networks'), details.networks && formatNames(details.networks.map(getNetworkName))],
    [
      t('detail:rating'),
      details.rating_votes > 0 && `${formatRating(details.rating)} · ${formatVotes(details.rating_votes)}`,
    ],
  ]
  const facts = allFacts.filter(([, value]) => value)
  if (facts.length === 0) return null
  return (
    <section aria-label={t('common:moreInfo')}>
      <h2 className="mb-3 text-lg font-bold">{t('common:moreInfo')}</h2>
      <dl className="divide-y divide-line">
        {facts.map(([name, value]) => (
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
