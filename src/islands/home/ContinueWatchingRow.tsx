import { lazy, type ReactNode, Suspense } from 'react'
import type { ContinueCard } from '../../lib/contract/progress.ts'
import { formatTimeLeft } from '../../lib/i18n/format.ts'
import { formatNames } from '../../lib/i18n/format-names.ts'
import { t } from '../../lib/i18n/t.ts'
import { getImageUrl } from '../../lib/images.ts'
import { CardRow } from '../../ui/CardRow.tsx'
import { openTitle } from '../media/open-title.ts'
import { prepareCardPreview } from '../media/Poster.tsx'
import { getPlayHref, getTitleHref, toEpisodeParams } from '../media/title-urls.ts'

/* The button that removes a card can be loaded lazily, because no other element moves when the button appears. */
const DismissButton = lazy(() => import('./DismissButton.tsx'))

export function ContinueWatchingRow({ cards, menu }: { cards: readonly ContinueCard[]; menu: ReactNode }) {
  if (cards.length === 0) return null
  const heading = t('home:continueWatching')
  return (
    <CardRow
      isWide
      title={
        <>
          <h2 className="text-lg font-bold wrap-anywhere">{heading}</h2>
          {menu}
        </>
      }
      label={heading}
      scrollKey="continue"
      previousLabel={t('common:previous')}
      nextLabel={t('common:next')}
    >
      {cards.map((card) => (
        <li key={`${card.media.type}${card.media.id}`} className="group/continue relative">
          <ContinueWatchingCard card={card} />
          <Suspense>
            <DismissButton title={card.media} />
          </Suspense>
        </li>
      ))}
    </CardRow>
  )
}

function ContinueWatchingCard({
  card: { media: title, next_episode: nextEpisode, progress },
}: {
  card: ContinueCard
}) {
  const minutesLeft = progress
    ? Math.max(1, Math.round((progress.data.video_duration - progress.progress) / 60))
    : null
  const episodeCode =
    nextEpisode &&
    t('common:episodeCode', { season: nextEpisode.season_number, episode: nextEpisode.episode_number })
  const facts = [episodeCode, minutesLeft !== null && formatTimeLeft(minutesLeft)].filter(
    (fact) => typeof fact === 'string',
  )
  return (
    <>
      <a
        data-card
        href={getPlayHref(title, toEpisodeParams(nextEpisode))}
        /* A hovering mouse opens no preview, because the preview would cover the button that removes the card. */
        onPointerEnter={(event) => event.pointerType === 'touch' && prepareCardPreview(event, title)}
        onFocus={(event) => prepareCardPreview(event, title)}
        className="block rounded-md"
      >
        <span className="relative block aspect-video overflow-hidden rounded-md bg-raised">
          <img
            src={getImageUrl(nextEpisode?.still_path ?? title.backdrop_path, 'w500')}
            alt=""
            width="500"
            height="281"
            loading="lazy"
            className="size-full object-cover"
          />
          {progress && (
            <span className="absolute inset-x-0 bottom-0 h-1.5 bg-black/60">
              <span
                className="block h-full bg-accent"
                ref={(progressBar) => progressBar?.style.setProperty('width', `${progress.percentage}%`)}
              />
            </span>
          )}
        </span>
        <span className="sr-only">
          {t('common:pair', { name: t(progress ? 'common:resume' : 'common:play'), value: '' })}
          <span lang={title.title_lang}>{title.title}</span>
          {formatNames(['', ...facts])}
        </span>
        {/* This element extends the link over the whole card except the name below, so that a press there starts
            playback. */}
        <span className="absolute inset-0" />
      </a>
      {/* The arrow keys and Tab skip this link. Keyboard users open the title page from the preview of the card. */}
      <a
        tabIndex={-1}
        href={getTitleHref(title)}
        onClick={() => openTitle(title)}
        className="relative mt-2 block truncate font-medium hover:underline"
      >
        <bdi lang={title.title_lang}>{title.title}</bdi>
      </a>
      <span aria-hidden className="numbers block text-sm text-muted">
        {facts.join(' · ')}
      </span>
    </>
  )
}
