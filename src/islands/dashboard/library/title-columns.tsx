import { Baby, Eye, EyeOff, SquareArrowOutUpRight, SquarePen, Star, Trash2 } from 'lucide-react'
import type { MediaCard } from '../../../lib/contract/media.ts'
import { formatCount } from '../../../lib/i18n/format.ts'
import { isolate } from '../../../lib/i18n/isolate.ts'
import { formatNumber, t } from '../../../lib/i18n/t.ts'
import { imageUrl } from '../../../lib/images.ts'
import { $editing, publishTitles } from '../../../lib/stores/admin/titles.ts'
import { titleHref } from '../../media/addresses.ts'
import { Badge } from '../kit/Badge.tsx'
import { type Item, RowMenu } from '../kit/RowMenu.tsx'
import type { Column } from '../kit/Table.tsx'

type Ask = (kind: 'delete' | 'hide', id: string) => void

export function titleColumns(ask: Ask): Column<MediaCard>[] {
  return [
    { key: 'title', label: t('dashboardlibrary:title'), wide: true, cell: (row) => <Name row={row} /> },
    {
      key: 'rating',
      label: t('dashboardlibrary:rating'),
      from: 'xl',
      cell: (row) => (
        <span className="numbers inline-flex items-center gap-1.5 text-muted">
          <Star aria-hidden size={14} className="text-accent" />
          {formatNumber(row.rating, { minimumFractionDigits: 1 })} · {formatCount(row.rating_votes)}
        </span>
      ),
    },
    {
      key: 'rated',
      label: t('dashboardlibrary:rated'),
      from: 'lg',
      cell: (row) => <bdi className="text-muted">{row.rated ?? '—'}</bdi>,
    },
    {
      key: 'kids',
      label: t('dashboardlibrary:kids'),
      from: 'lg',
      cell: (row) =>
        row.safe_for_kids ? (
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
      from: 'md',
      cell: (row) => <State row={row} />,
    },
    {
      key: 'actions',
      label: t('dashboard:actions'),
      bare: true,
      end: true,
      cell: (row) => (
        <RowMenu label={t('dashboard:actionsFor', { name: isolate(row.title) })} items={itemsFor(row, ask)} />
      ),
    },
  ]
}

function State({ row }: { row: MediaCard }) {
  const shown = row.published !== false
  return (
    <Badge tone={shown ? 'good' : 'off'}>
      {t(shown ? 'dashboardlibrary:published' : 'dashboardlibrary:hidden')}
    </Badge>
  )
}

function Name({ row }: { row: MediaCard }) {
  return (
    <div className="flex min-w-0 items-center gap-3">
      <img
        src={imageUrl(row.poster_path, 'w185')}
        alt=""
        width="32"
        height="48"
        loading="lazy"
        className="h-12 w-8 shrink-0 rounded-sm bg-overlay object-cover"
      />
      <div className="min-w-0">
        <button
          type="button"
          onClick={() => $editing.set(row.id)}
          className="block max-w-full truncate text-start font-medium hover:underline"
        >
          <bdi>{row.title}</bdi>
        </button>
        <p className="numbers truncate text-xs text-muted">
          {row.year}
          <span className="md:hidden">
            {' · '}
            {t(row.published === false ? 'dashboardlibrary:hidden' : 'dashboardlibrary:published')}
          </span>
          {row.original_title !== row.title && (
            <span className="max-md:hidden">
              {' · '}
              <bdi>{row.original_title}</bdi>
            </span>
          )}
        </p>
      </div>
    </div>
  )
}

function itemsFor(row: MediaCard, ask: Ask): Item[] {
  const shown = row.published !== false
  return [
    {
      label: t('common:edit'),
      icon: <SquarePen size={16} />,
      onSelect: () => $editing.set(row.id),
    },
    ...(shown
      ? [
          {
            label: t('dashboardlibrary:look'),
            icon: <SquareArrowOutUpRight size={16} className="rtl:-scale-x-100" />,
            onSelect: () => location.assign(titleHref(row)),
          },
        ]
      : []),
    shown
      ? { label: t('dashboardlibrary:hide'), icon: <EyeOff size={16} />, onSelect: () => ask('hide', row.id) }
      : {
          label: t('dashboardlibrary:publish'),
          icon: <Eye size={16} />,
          onSelect: () => void publishTitles([row.id], true),
        },
    {
      label: t('common:delete'),
      icon: <Trash2 size={16} />,
      danger: true,
      onSelect: () => ask('delete', row.id),
    },
  ]
}
