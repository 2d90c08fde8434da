import { Baby, Eye, EyeOff, SquareArrowOutUpRight, SquarePen, Star, Trash2 } from '../../../icons/index.ts'
import type { MediaCard } from '../../../lib/contract/media.ts'
import { formatAgeRating, formatCount } from '../../../lib/i18n/format.ts'
import { isolateBidi } from '../../../lib/i18n/isolate-bidi.ts'
import { formatNumber, t } from '../../../lib/i18n/t.ts'
import { getImageUrl } from '../../../lib/images.ts'
import { $editedTitleId, setTitlesPublished } from '../../../lib/stores/admin/titles.ts'
import { Name, TitleName } from '../../media/Name.tsx'
import { getTitleHref } from '../../media/title-urls.ts'
import { RowMenu, type RowMenuItem } from '../kit/RowMenu.tsx'
import { StatusBadge } from '../kit/StatusBadge.tsx'
import type { DataTableColumn } from '../kit/table-columns.ts'

type RequestTitleAction = (kind: 'delete' | 'hide', id: string) => void

export function createTitleColumns(requestAction: RequestTitleAction): DataTableColumn<MediaCard>[] {
  return [
    {
      key: 'title',
      label: t('dashboardlibrary:title'),
      fillsWidth: true,
      renderCell: (title) => <TitleCell title={title} />,
    },
    {
      key: 'rating',
      label: t('dashboardlibrary:rating'),
      minBreakpoint: 'xl',
      renderCell: (title) => (
        <span className="numbers inline-flex items-center gap-1.5 text-muted">
          <Star aria-hidden size={14} className="text-accent" />
          {formatNumber(title.rating, { minimumFractionDigits: 1 })} · {formatCount(title.rating_votes)}
        </span>
      ),
    },
    {
      key: 'rated',
      label: t('dashboardlibrary:rated'),
      minBreakpoint: 'lg',
      renderCell: (title) => (
        <span className="text-muted">{title.rated ? formatAgeRating(title.rated) : '—'}</span>
      ),
    },
    {
      key: 'kids',
      label: t('dashboardlibrary:kids'),
      minBreakpoint: 'lg',
      renderCell: (title) =>
        title.safe_for_kids ? (
          <span className="inline-flex items-center gap-1.5 text-muted">
            <Baby aria-hidden size={16} />
            {t('dashboardlibrary:safe')}
          </span>
        ) : (
          <span className="text-faint">—</span>
        ),
    },
    {
      key: 'state',
      label: t('dashboardlibrary:state'),
      minBreakpoint: 'md',
      renderCell: (title) => <PublicationBadge title={title} />,
    },
    {
      key: 'actions',
      label: t('dashboard:actions'),
      hasHiddenLabel: true,
      isEndAligned: true,
      renderCell: (title) => (
        <RowMenu
          label={t('dashboard:actionsFor', { name: isolateBidi(title.title) })}
          items={createMenuItems(title, requestAction)}
        />
      ),
    },
  ]
}

function PublicationBadge({ title }: { title: MediaCard }) {
  const isPublished = title.published !== false
  return (
    <StatusBadge tone={isPublished ? 'good' : 'off'}>
      {t(isPublished ? 'dashboardlibrary:published' : 'dashboardlibrary:hidden')}
    </StatusBadge>
  )
}

function TitleCell({ title }: { title: MediaCard }) {
  return (
    <div className="flex min-w-0 items-center gap-3">
      <img
        src={getImageUrl(title.poster_path, 'w185')}
        alt=""
        width="32"
        height="48"
        loading="lazy"
        className="h-12 w-8 shrink-0 rounded-sm bg-overlay object-cover"
      />
      <div className="min-w-0">
        <button
          type="button"
          onClick={() => $editedTitleId.set(title.id)}
          className="block max-w-full truncate text-start font-medium hover:underline"
        >
          <TitleName title={title} />
        </button>
        <p className="numbers truncate text-xs text-muted">
          {title.year}
          <span className="md:hidden">
            {' · '}
            {t(title.published === false ? 'dashboardlibrary:hidden' : 'dashboardlibrary:published')}
          </span>
          {title.original_title !== title.title && (
            <span className="max-md:hidden">
              {' · '}
              <Name text={title.original_title} lang={title.language ?? undefined} />
            </span>
          )}
        </p>
      </div>
    </div>
  )
}

function createMenuItems(title: MediaCard, requestAction: RequestTitleAction): RowMenuItem[] {
  const isPublished = title.published !== false
  return [
    {
      label: t('common:edit'),
      icon: <SquarePen size={16} />,
      onSelect: () => $editedTitleId.set(title.id),
    },
    ...(isPublished
      ? [
          {
            label: t('dashboardlibrary:look'),
            icon: <SquareArrowOutUpRight size={16} className="rtl:-scale-x-100" />,
            onSelect: () => location.assign(getTitleHref(title)),
          },
        ]
      : []),
    isPublished
      ? {
          label: t('dashboardlibrary:hide'),
          icon: <EyeOff size={16} />,
          onSelect: () => requestAction('hide', title.id),
        }
      : {
          label: t('dashboardlibrary:publish'),
          icon: <Eye size={16} />,
          onSelect: () => void setTitlesPublished([title.id], true),
        },
    {
      label: t('common:delete'),
      icon: <Trash2 size={16} />,
      isDestructive: true,
      onSelect: () => requestAction('delete', title.id),
    },
  ]
}
