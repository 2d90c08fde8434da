import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import type { CreditedCard } from '../lib/contract/catalogue.ts'
import { formatDate } from '../lib/i18n/format.ts'
import { formatBirthplace } from '../lib/i18n/format-birthplace.ts'
import { formatNames } from '../lib/i18n/format-names.ts'
import { t } from '../lib/i18n/t.ts'
import { getImageUrl } from '../lib/images.ts'
import { matchPage } from '../lib/routes.ts'
import { CREW_JOB_GROUPS, getCrewJobGroup } from '../lib/rules/job-groups.ts'
import { $actor, $actorSlug, $actorWithTitles } from '../lib/stores/actor.ts'
import { EmptyState, PendingAnimation } from '../ui/EmptyState.tsx'
import { Tabs } from '../ui/Tabs.tsx'
import { ErrorView } from './ErrorView.tsx'
import { GuardedPage, useDocumentTitle } from './GuardedPage.tsx'
import { Name } from './media/Name.tsx'
import { Poster } from './media/Poster.tsx'
import { SectionPlaceholder } from './SectionPlaceholder.tsx'

export default function ActorPage() {
  return (
    <GuardedPage>
      <ActorDetails />
    </GuardedPage>
  )
}

function ActorDetails() {
  const actorQuery = useStore($actor)
  const loadedSlug = useStore($actorSlug)
  const { movies, series } = useStore($actorWithTitles).data ?? {}
  const [tab, setTab] = useState<'all' | 'movie' | 'tv'>('all')
  const pageSlug = matchPage(location.pathname)?.slug ?? null
  useEffect(() => $actorSlug.set(pageSlug), [pageSlug])
  const actor = loadedSlug === pageSlug ? actorQuery.data : undefined
  useDocumentTitle(actor?.name ?? null)
  if (actorQuery.error && !actor) return <ErrorView error={actorQuery.error} />
  if (!actor) return <PendingAnimation label={t('common:loading')} />
  const titles: CreditedCard[] = [
    ...(tab === 'tv' ? [] : (movies ?? [])),
    ...(tab === 'movie' ? [] : (series ?? [])),
  ]
  titles.sort((a, b) => (b.year ?? 0) - (a.year ?? 0))
  const tabs = [
    {
      value: 'all' as const,
      label: t('common:all'),
      count: movies && series && movies.length + series.length,
    },
    { value: 'movie' as const, label: t('common:movies'), count: movies?.length },
    { value: 'tv' as const, label: t('common:tvShows'), count: series?.length },
  ]
  return (
    <div className="edge flex flex-col gap-8 pt-8 pb-24">
      <header className="flex flex-wrap items-center gap-8">
        <img
          src={getImageUrl(actor.profile_path, 'w342')}
          alt=""
          width="200"
          height="200"
          className="size-36 rounded-full bg-raised object-cover md:size-48"
        />
        <div className="flex flex-col gap-2">
          <h1 className="text-2xl font-black wrap-anywhere">
            <Name text={actor.name} />
          </h1>
          <p className="numbers text-muted">
            {[
              actor.age !== null && t('detail:age', { age: actor.age }),
              actor.birthday &&
                (actor.deathday
                  ? t('detail:died', {
                      birth: formatDate(actor.birthday),
                      death: formatDate(actor.deathday),
                    })
                  : t('detail:born', { date: formatDate(actor.birthday) })),
            ]
              .filter(Boolean)
              .join(' · ')}
          </p>
          {actor.place_of_birth && (
            <p className="text-muted">
              <span className="sr-only">{t('common:pair', { name: t('detail:birthplace'), value: '' })}</span>
              {formatBirthplace(actor.place_of_birth)}
            </p>
          )}
          {actor.biography && (
            <p className="max-w-prose" dir="auto">
              {actor.biography}
            </p>
          )}
        </div>
      </header>
      <Tabs
        label={t('detail:filmography')}
        value={tab}
        tabs={tabs.map((tabOption) => ({
          ...tabOption,
          spokenName:
            tabOption.count === undefined
              ? undefined
              : formatNames([tabOption.label, t('common:results', { count: tabOption.count })]),
        }))}
        onChange={setTab}
      />
      {movies && series && titles.length === 0 ? (
        <EmptyState title={t('browse:noTitles')} />
      ) : (
        <Filmography titles={titles} />
      )}
      <SectionPlaceholder $read={$actorWithTitles}>
        <PendingAnimation label={t('common:loading')} />
      </SectionPlaceholder>
    </div>
  )
}

/**
 * One section for each job group, starting with the group that has the most titles. A single group has no
 * heading.
 */
function Filmography({ titles }: { titles: readonly CreditedCard[] }) {
  const groupSections = CREW_JOB_GROUPS.map((group) => ({
    group,
    titlesOfGroup: titles.filter(({ jobs }) => jobs.some((job) => getCrewJobGroup(job) === group)),
  }))
  const titlesOfNoGroup = titles.filter(({ jobs }) => !jobs.some(getCrewJobGroup))
  const sections = [...groupSections, { group: null, titlesOfGroup: titlesOfNoGroup }]
    .filter(({ titlesOfGroup }) => titlesOfGroup.length > 0)
    .sort((a, b) => b.titlesOfGroup.length - a.titlesOfGroup.length)
  return sections.map(({ group, titlesOfGroup }) => (
    <section key={group} aria-label={t(group ? `jobs:${group}` : 'detail:otherWork')}>
      {sections.length > 1 && (
        <h2 className="mb-3 text-lg font-bold">
          {t(group ? `jobs:${group}` : 'detail:otherWork')}{' '}
          <span className="numbers font-medium text-muted">{titlesOfGroup.length}</span>
        </h2>
      )}
      <ul className="card-grid">
        {titlesOfGroup.map((title) => (
          <li key={title.id}>
            <Poster title={title} hasCaption />
          </li>
        ))}
      </ul>
    </section>
  ))
}
