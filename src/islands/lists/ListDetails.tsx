import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { ArrowUpDown, ChevronLeft, LibraryBig, ListFilter, Pencil, Trash2 } from '../../icons/index.ts'
import { navigate } from '../../lib/client-navigation.ts'
import type { NamedList } from '../../lib/contract/lists.ts'
import { getCurrentLocale, t } from '../../lib/i18n/t.ts'
import { href } from '../../lib/routes.ts'
import { toBrowsePageQuery } from '../../lib/rules/list-filter.ts'
import { $namedListPage, loadMoreListTitles, openNamedList } from '../../lib/stores/named-list-page.ts'
import { deleteList } from '../../lib/stores/named-lists.ts'
import { Button, getButtonClass } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorView } from '../ErrorView.tsx'
import { useDocumentTitle } from '../GuardedPage.tsx'
import { InfiniteScroll } from '../media/InfiniteScroll.tsx'
import { Name } from '../media/Name.tsx'
import { Poster } from '../media/Poster.tsx'
import { observePage } from '../observe-page.ts'
import { ListDialog } from './ListDialog.tsx'
import { ListOrderEditor } from './ListOrderEditor.tsx'
import { ListFacts } from './ListOverview.tsx'

/** The titles of a named list. The owner also gets controls to change it. */
export function ListDetails() {
  const listPage = useStore($namedListPage)
  const { list, items: listItems, total: totalCount, hasMore, loading: isLoading, error } = listPage
  const [isEditing, setIsEditing] = useState(false)
  useDocumentTitle(list?.name ?? null)
  if (error && !list) return <ErrorView error={error} />
  if (!list) return <ListSkeleton />
  const isEmpty = totalCount === 0
  return (
    <div className="edge flex flex-col gap-6 pt-4 pb-24">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <div className="flex min-w-0 flex-col gap-2">
          <a
            className="-ms-1 flex min-h-8 items-center gap-1 self-start text-sm text-muted hover:text-ink"
            href={href('lists', getCurrentLocale())}
          >
            <ChevronLeft aria-hidden size={16} className="rtl:-scale-x-100" />
            {t('lists:title')}
          </a>
          <h1 className="text-xl font-black wrap-anywhere sm:text-2xl">
            <Name text={list.name} />
          </h1>
          {list.description && (
            <p dir="auto" className="max-w-prose whitespace-pre-line text-muted">
              {list.description}
            </p>
          )}
          <ListFacts list={list} />
        </div>
        <ListActions
          list={list}
          isEditing={isEditing}
          canEditOrder={!isEmpty}
          onToggleEditing={() => setIsEditing(!isEditing)}
        />
      </div>
      {isEmpty ? (
        <EmptyState
          icon={<LibraryBig />}
          title={t(list.filter ? 'lists:noMatches' : 'lists:noTitles')}
          hint={list.own && !list.filter && t('lists:noTitlesHint')}
          action={
            list.own &&
            !list.filter && (
              <a className={getButtonClass('primary')} href={href('movies', getCurrentLocale())}>
                {t('lists:browse')}
              </a>
            )
          }
        />
      ) : isEditing && list.own && !list.filter ? (
        <ListOrderEditor list={list} items={listItems} />
      ) : (
        <ul className="card-grid">
          {listItems.map(({ media }, index) => (
            <li key={`${media.type}/${media.id}`}>
              <Poster title={media} hasCaption isLoadedEagerly={index < 6} />
            </li>
          ))}
        </ul>
      )}
      {listItems.length > 0 && (
        <InfiniteScroll
          loadedCount={listItems.length}
          hasMore={hasMore}
          isLoading={isLoading}
          hasFailed={error !== null}
          endText={t('lists:allLoaded')}
          onLoadMore={loadMoreListTitles}
        />
      )}
    </div>
  )
}

interface ListActionsProps {
  list: NamedList
  isEditing: boolean
  canEditOrder: boolean
  onToggleEditing: () => void
}

function ListActions({ list, isEditing, canEditOrder, onToggleEditing }: ListActionsProps) {
  const [isDialogOpen, setIsDialogOpen] = useState(false)
  const removeList = async () => {
    /* The list is closed first, so that the page does not request a deleted list. */
    openNamedList('')
    const isOnPage = observePage()
    const isDeleted = await deleteList(list.list_id)
    if (!isOnPage()) return
    if (isDeleted) await navigate(href('lists', getCurrentLocale()))
    else openNamedList(list.list_id)
  }
  const { filter } = list
  return (
    <div className="flex flex-wrap gap-3">
      {filter && (
        <a
          className={getButtonClass('plain')}
          href={`${href(filter.type === 'tv' ? 'tvshows' : 'movies', getCurrentLocale())}${toBrowsePageQuery(filter.query)}`}
        >
          <ListFilter aria-hidden size={18} />
          {t('lists:openFilters')}
        </a>
      )}
      {list.own && (
        <>
          {!filter && canEditOrder && (
            <Button
              aria-pressed={isEditing}
              icon={<ArrowUpDown aria-hidden size={18} />}
              onClick={onToggleEditing}
            >
              {t('lists:edit')}
            </Button>
          )}
          <Button icon={<Pencil aria-hidden size={18} />} onClick={() => setIsDialogOpen(true)}>
            {t('lists:change')}
          </Button>
          <Button icon={<Trash2 aria-hidden size={18} />} onClick={() => void removeList()}>
            {t('common:delete')}
          </Button>
        </>
      )}
      {isDialogOpen && <ListDialog list={list} onClose={() => setIsDialogOpen(false)} onSaved={() => {}} />}
    </div>
  )
}

const ListSkeleton = () => (
  <div aria-hidden className="edge flex flex-col gap-6 pt-4 pb-24">
    <div className="skeleton h-10 w-72 max-w-full" />
    <div className="card-grid">
      {[...Array(12).keys()].map((index) => (
        <div key={index} className="skeleton aspect-2/3" />
      ))}
    </div>
  </div>
)
