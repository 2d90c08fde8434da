import { useEffect } from 'react'
import type { AdminTitle } from '../../../lib/contract/admin-titles.ts'
import { isolateBidi } from '../../../lib/i18n/isolate-bidi.ts'
import { isLocale, LOCALE_NAMES } from '../../../lib/i18n/locales.ts'
import { t } from '../../../lib/i18n/t.ts'
import { getImageUrl } from '../../../lib/images.ts'
import type { TitleField } from '../../../lib/rules/title-fields.ts'
import { getErrorMessageKey } from '../../../lib/stores/admin/run-action.ts'
import { $postersTitleId, $titlePosters } from '../../../lib/stores/admin/titles.ts'
import { LoadError } from '../kit/TableStates.tsx'
import { useStoreQuery } from '../kit/use-store-query.ts'
import { ImportedValueButton } from './ImportedValueButton.tsx'

interface Props {
  title: AdminTitle
  /** Receives the path of a poster, or null for the drawn poster. */
  onChoose: (posterPath: string | null) => void
  /** Resets a field to the value of the import. */
  onUndo: (field: TitleField) => void
}

/** The drawn poster and the posters of TMDB. The current poster is marked. */
export function PosterChoice({ title, onChoose, onUndo }: Props) {
  useEffect(() => {
    $postersTitleId.set(title.can_refresh ? title.id : null)
    return () => $postersTitleId.set(null)
  }, [title.id, title.can_refresh])
  const { data: postersReply, error, retry } = useStoreQuery($titlePosters)
  // `postersNeedArtwork` means that a setting allows only drawn artwork. For this error, no retry is offered, because a
  // retry would fail in the same way.
  const errorKey = error ? getErrorMessageKey(error) : null
  const posters = postersReply?.results ?? []
  const currentFileName = getFileName(title.poster_path)
  const isDrawnPoster = !title.poster_path?.startsWith('/art/')
  return (
    <div className="flex flex-col gap-4">
      {!title.can_refresh && <p className="text-sm text-muted">{t('dashboardlibrary:postersNeedTmdb')}</p>}
      {title.can_refresh && errorKey === 'dashboardlibrary:postersNeedArtwork' && (
        <p className="text-sm text-muted">{t(errorKey)}</p>
      )}
      {title.can_refresh && errorKey && errorKey !== 'dashboardlibrary:postersNeedArtwork' && (
        <LoadError reason={t(errorKey)} onRetry={retry} />
      )}
      {postersReply && posters.length === 0 && (
        <p className="text-sm text-muted">{t('dashboardlibrary:noPosters')}</p>
      )}
      <ul className="grid grid-cols-3 gap-3 sm:grid-cols-5">
        <li>
          <PosterButton
            label={t('dashboardlibrary:posterDrawn')}
            isCurrent={isDrawnPoster}
            onClick={() => onChoose(null)}
          >
            {isDrawnPoster && <PosterImage posterPath={title.poster_path} />}
          </PosterButton>
        </li>
        {posters.map(({ path, lang }, index) => (
          <li key={path}>
            <PosterButton
              label={formatPosterLabel(index + 1, lang)}
              isCurrent={!isDrawnPoster && getFileName(path) === currentFileName}
              onClick={() => onChoose(path)}
            >
              <PosterImage posterPath={path} />
            </PosterButton>
          </li>
        ))}
      </ul>
      {title.can_refresh && !postersReply && !error && (
        <div role="status" aria-label={t('common:loading')} className="skeleton h-40" />
      )}
      <ImportedValueButton
        title={title}
        field="poster"
        label={t('dashboardlibrary:view_poster')}
        onUndo={onUndo}
      />
    </div>
  )
}

const getFileName = (posterPath: string | null) => posterPath?.slice(posterPath.lastIndexOf('/'))

function formatPosterLabel(posterNumber: number, lang: string | null): string {
  if (lang === null) return t('dashboardlibrary:posterWithoutText', { number: posterNumber })
  return t('dashboardlibrary:posterOf', {
    number: posterNumber,
    language: isolateBidi(isLocale(lang) ? LOCALE_NAMES[lang] : lang),
  })
}

function PosterImage({ posterPath }: { posterPath: string | null }) {
  return (
    <img
      src={getImageUrl(posterPath, 'w185')}
      alt=""
      loading="lazy"
      decoding="async"
      className="size-full object-cover"
    />
  )
}

interface PosterButtonProps {
  label: string
  isCurrent: boolean
  onClick: () => void
  children: React.ReactNode
}

function PosterButton({ label, isCurrent, onClick, children }: PosterButtonProps) {
  return (
    <button
      type="button"
      aria-pressed={isCurrent}
      onClick={onClick}
      className="group flex w-full flex-col gap-1 text-sm"
    >
      <span className="block aspect-2/3 w-full overflow-hidden rounded-md border-2 border-line bg-overlay group-hover:border-faint group-aria-pressed:border-accent">
        {children ?? null}
      </span>
      <span className="text-start text-muted group-aria-pressed:text-ink">{label}</span>
      {isCurrent && <span className="text-start font-semibold">{t('dashboardlibrary:posterNow')}</span>}
    </button>
  )
}
