import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import type { MediaCard } from '../lib/contract/media.ts'
import { formatDate } from '../lib/i18n/format.ts'
import { t } from '../lib/i18n/t.ts'
import { imageUrl } from '../lib/images.ts'
import { matchPage } from '../lib/routes.ts'
import { $actor, $actorMovies, $actorSeries, $actorSlug } from '../lib/stores/media.ts'
import { Pending, State } from '../ui/State.tsx'
import { Tabs } from '../ui/Tabs.tsx'
import { ErrorView } from './ErrorView.tsx'
import { Poster } from './media/Poster.tsx'
import { Page, useTitle } from './Page.tsx'

export default function ActorPage() {
  return (
    <Page>
      <Person />
    </Page>
  )
}

function Person() {
  const actor = useStore($actor)
  const slug = useStore($actorSlug)
  const inMovies = useStore($actorMovies)
  const inSeries = useStore($actorSeries)
  const movies = inMovies.data?.results
  const series = inSeries.data?.results
  /* Both at once: what came first would move when the other comes between. */
  const complete = (movies || inMovies.error) && (series || inSeries.error)
  const [tab, setTab] = useState<'all' | 'movie' | 'tv'>('all')
  const here = matchPage(location.pathname)?.slug ?? null
  useEffect(() => $actorSlug.set(here), [here])
  const person = slug === here ? actor.data : undefined
  useTitle(person?.name ?? null)
  if (actor.error && !person) return <ErrorView error={actor.error} />
  if (!person) return <Pending label={t('common:loading')} />
  const shown: MediaCard[] = [
    ...(tab === 'tv' ? [] : (movies ?? [])),
    ...(tab === 'movie' ? [] : (series ?? [])),
  ]
  shown.sort((a, b) => (b.year ?? 0) - (a.year ?? 0))
  const tabs = [
    { value: 'all' as const, label: t('common:all'), count: (movies?.length ?? 0) + (series?.length ?? 0) },
    { value: 'movie' as const, label: t('common:movies'), count: movies?.length },
    { value: 'tv' as const, label: t('common:tvShows'), count: series?.length },
  ]
  return (
    <div className="edge flex flex-col gap-8 pt-8 pb-24">
      <header className="flex flex-wrap items-center gap-8">
        <img
          src={imageUrl(person.profile_path, 'w342')}
          alt=""
          width="200"
          height="200"
          className="size-36 rounded-full bg-raised object-cover md:size-48"
        />
        <div className="flex flex-col gap-2">
          <h1 className="text-2xl font-black">
            <bdi>{person.name}</bdi>
          </h1>
          <p className="numbers text-muted">
            {[
              person.age !== null && t('detail:age', { age: person.age }),
              person.birthday &&
                (person.deathday
                  ? t('detail:died', {
                      birth: formatDate(person.birthday),
                      death: formatDate(person.deathday),
                    })
                  : t('detail:born', { date: formatDate(person.birthday) })),
            ]
              .filter(Boolean)
              .join(' · ')}
          </p>
          {person.place_of_birth && (
            <p className="text-muted">
              <span className="sr-only">{t('detail:birthplace')}: </span>
              <bdi>{person.place_of_birth}</bdi>
            </p>
          )}
          {person.biography && (
            <p className="max-w-prose" dir="auto">
              {person.biography}
            </p>
          )}
        </div>
      </header>
      <Tabs label={t('detail:filmography')} value={tab} tabs={tabs} onChange={setTab} />
      {movies && series && shown.length === 0 ? (
        <State title={t('browse:noTitles')} />
      ) : (
        <ul className="card-grid">
          {complete &&
            shown.map((media) => (
              <li key={media.id}>
                <Poster media={media} caption />
              </li>
            ))}
        </ul>
      )}
    </div>
  )
}
