import { useId } from 'react'
import { formatNumber, getCurrentLocale, t } from '../../lib/i18n/t.ts'
import { href } from '../../lib/routes.ts'
import type { Statistics } from '../../lib/stores/statistics.ts'
import { Name, TitleName } from '../media/Name.tsx'
import { SmallPoster } from '../media/SmallPoster.tsx'
import { getTitleHref } from '../media/title-urls.ts'
import { formatWatchedTime } from './plot-rows.ts'

/** The most watched titles with their posters. */
export function TopTitles({ titles }: Pick<Statistics, 'titles'>) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3">
      <h2 id={id} className="text-lg font-bold">
        {t('statistics:topTitles')}
      </h2>
      <ol className="grid grid-cols-1 gap-x-8 lg:grid-cols-2">
        {titles.map(({ media, minutes }, index) => (
          <li key={media.id}>
            <a
              href={getTitleHref(media)}
              className="flex items-center gap-2 rounded-md py-2 hover:bg-raised md:gap-4"
            >
              <span className="numbers w-6 text-center text-lg text-muted">{formatNumber(index + 1)}</span>
              <SmallPoster posterPath={media.poster_path} />
              <TitleName title={media} className="clamp-2 min-w-0 grow font-semibold wrap-anywhere" />
              <bdi className="numbers shrink-0 text-sm text-muted">{formatWatchedTime(minutes)}</bdi>
            </a>
          </li>
        ))}
      </ol>
    </section>
  )
}

interface PeopleListProps {
  title: string
  people: Statistics['actors']
}

/** People, each with the number of watched titles to which they contributed. */
export function PeopleList({ title, people }: PeopleListProps) {
  const id = useId()
  if (people.length === 0) return null
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3">
      <h2 id={id} className="text-lg font-bold">
        {title}
      </h2>
      <ol className="divide-y divide-line">
        {people.map(({ slug, name, titles: titleCount }) => (
          <li key={slug} className="flex min-h-11 items-center justify-between gap-4 py-1">
            <a href={href('actor', getCurrentLocale(), { slug })} className="hover:underline">
              <Name text={name} />
            </a>
            <span className="numbers text-sm text-muted">{t('common:titles', { count: titleCount })}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}
