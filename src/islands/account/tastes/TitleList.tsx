import { type ReactNode, useId } from 'react'
import type { ApiError } from '../../../lib/client/errors.ts'
import type { MediaCard } from '../../../lib/contract/media.ts'
import { t } from '../../../lib/i18n/t.ts'
import { Button } from '../../../ui/Button.tsx'
import { ErrorView } from '../../ErrorView.tsx'
import { TitleName } from '../../media/Name.tsx'
import { SmallPoster } from '../../media/SmallPoster.tsx'
import { getTitleHref } from '../../media/title-urls.ts'

interface Props {
  heading: string
  /** Message shown when there are no titles. */
  emptyText: string
  titles: readonly MediaCard[] | undefined
  error: ApiError | undefined
  actionLabel: string
  onAction: (title: MediaCard) => void
  /** Shown below the titles. */
  children?: ReactNode
}

/** A list of titles. Each has a poster and an action button. */
export function TitleList({ heading, emptyText, titles, error, actionLabel, onAction, children }: Props) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="pb-3 text-lg font-bold">
        {heading}
      </h2>
      {error && !titles && <ErrorView isInSection error={error} />}
      {titles?.length === 0 && <p className="text-muted">{emptyText}</p>}
      {!titles && !error && <div role="status" aria-label={t('common:loading')} className="skeleton h-18" />}
      <ul className="divide-y divide-line">
        {titles?.map((title) => (
          <li key={`${title.type}${title.id}`} className="flex items-center gap-4 py-3">
            <SmallPoster posterPath={title.poster_path} />
            <a href={getTitleHref(title)} className="min-w-0 grow hover:text-accent">
              <TitleName title={title} className="block truncate font-medium" />
              <span className="numbers block text-sm text-muted">{title.year}</span>
            </a>
            <Button
              aria-label={t('common:pair', { name: actionLabel, value: title.title })}
              onClick={() => onAction(title)}
            >
              {actionLabel}
            </Button>
          </li>
        ))}
      </ul>
      {children}
    </section>
  )
}
