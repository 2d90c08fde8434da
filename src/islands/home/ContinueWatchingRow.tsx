import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ContinueCard } from '../../lib/contract/progress.ts'
import { formatTimeLeft } from '../../lib/i18n/format.ts'
import { formatNames, getNameLanguage } from '../../lib/i18n/format-names.ts'
import { t } from '../../lib/i18n/t.ts'
import { getImageUrl } from '../../lib/images.ts'
import { dismissCard } from '../../lib/stores/continue-watching.ts'
import { CardRow } from '../../ui/CardRow.tsx'
import { getPlayHref, toEpisodeParams } from '../media/title-urls.ts'

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
          <button
            type="button"
            aria-label={t('common:pair', { name: t('home:removeFromRow'), value: card.media.title })}
            title={t('home:removeFromRow')}
            onClick={() => void dismissCard(card.media)}
            className="absolute end-2 top-2 grid size-9 place-items-center rounded-full bg-black/70 text-white opacity-0 transition-opacity focus-visible:opacity-100 group-hover/continue:opacity-100 pointer-coarse:size-11 pointer-coarse:opacity-100"
          >
            <X aria-hidden size={18} />
          </button>
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
    <a
      data-card
      href={getPlayHref(title, toEpisodeParams(nextEpisode))}
      aria-label={t('common:pair', {
        name: t(progress ? 'common:resume' : 'common:play'),
        value: formatNames([title.title, ...facts]),
      })}
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
      <bdi lang={getNameLanguage(title.title)} className="mt-2 block truncate font-medium">
        {title.title}
      </bdi>{' '}
      <span className="numbers block text-sm text-muted">{facts.join(' · ')}</span>
    </a>
  )
}
