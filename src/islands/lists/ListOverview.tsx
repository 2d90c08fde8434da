import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { House, LibraryBig, ListFilter, Plus, Users } from '../../icons/index.ts'
import { navigate } from '../../lib/client-navigation.ts'
import type { NamedList } from '../../lib/contract/lists.ts'
import { getCurrentLocale, t } from '../../lib/i18n/t.ts'
import { getImageUrl } from '../../lib/images.ts'
import { href } from '../../lib/routes.ts'
import { $namedLists } from '../../lib/stores/named-lists.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorView } from '../ErrorView.tsx'
import { Name } from '../media/Name.tsx'
import { ListDialog } from './ListDialog.tsx'

export const getListHref = (listId: string) => href('lists', getCurrentLocale(), { query: { id: listId } })

/** All named lists of the profile, and the lists that other profiles share. */
export function ListOverview() {
  const { data: namedListsReply, error } = useStore($namedLists)
  const [isCreating, setIsCreating] = useState(false)
  const createButton = (
    <Button variant="primary" icon={<Plus aria-hidden size={18} />} onClick={() => setIsCreating(true)}>
      {t('lists:create')}
    </Button>
  )
  const ownLists = namedListsReply?.results.filter((list) => list.own) ?? []
  const sharedLists = namedListsReply?.results.filter((list) => !list.own) ?? []
  return (
    <div className="edge flex flex-col gap-6 pt-4 pb-24">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <h1 className="text-2xl font-black wrap-anywhere">{t('lists:title')}</h1>
        {namedListsReply && namedListsReply.results.length > 0 && createButton}
      </div>
      {error && !namedListsReply ? (
        <ErrorView isInSection error={error} />
      ) : !namedListsReply ? (
        <div aria-hidden className="grid grid-cols-1 gap-4 sm:grid-cols-2 xl:grid-cols-3">
          {[...Array(6).keys()].map((index) => (
            <div key={index} className="skeleton h-60" />
          ))}
        </div>
      ) : namedListsReply.results.length === 0 ? (
        <EmptyState
          icon={<LibraryBig />}
          title={t('lists:empty')}
          hint={t('lists:emptyHint')}
          action={createButton}
        />
      ) : (
        <>
          <ListGrid lists={ownLists} />
          {sharedLists.length > 0 && (
            <section className="flex flex-col gap-4">
              <h2 className="text-lg font-bold">{t('lists:fromOthers')}</h2>
              <ListGrid lists={sharedLists} />
            </section>
          )}
        </>
      )}
      {isCreating && (
        <ListDialog
          onClose={() => setIsCreating(false)}
          onSaved={(list) => void navigate(getListHref(list.list_id))}
        />
      )}
    </div>
  )
}

const POSTER_COUNT = 4

function ListGrid({ lists }: { lists: readonly NamedList[] }) {
  return (
    <ul className="grid grid-cols-1 gap-4 sm:grid-cols-2 xl:grid-cols-3">
      {lists.map((list) => (
        <li key={list.list_id}>
          <a
            href={getListHref(list.list_id)}
            className="flex h-full flex-col gap-3 rounded-lg border border-line bg-raised p-4 hover:border-ink"
          >
            <span className="grid grid-cols-4 gap-2">
              {list.posters.slice(0, POSTER_COUNT).map((poster) => (
                <img
                  key={poster}
                  src={getImageUrl(poster, 'w185')}
                  alt=""
                  width="185"
                  height="278"
                  loading="lazy"
                  className="aspect-2/3 w-full rounded-md bg-skeleton object-cover"
                />
              ))}
              {[...Array(Math.max(0, POSTER_COUNT - list.posters.length)).keys()].map((index) => (
                <span key={index} className="aspect-2/3 rounded-md border border-dashed border-line" />
              ))}
            </span>
            <Name text={list.name} className="clamp-2 font-bold wrap-anywhere" />
            <ListFacts list={list} />
          </a>
        </li>
      ))}
    </ul>
  )
}

/** Number of titles, kind and visibility of a list. */
export function ListFacts({ list }: { list: NamedList }) {
  return (
    <span className="numbers flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-muted">
      <span>{t('common:titles', { count: list.title_count })}</span>
      {!list.own && <bdi>{t('lists:by', { name: list.owner_name })}</bdi>}
      {list.filter && (
        <span className="flex items-center gap-1.5">
          <ListFilter aria-hidden size={14} />
          {t('lists:smart')}
        </span>
      )}
      {list.own && list.shared && (
        <span className="flex items-center gap-1.5">
          <Users aria-hidden size={14} />
          {t('lists:shared')}
        </span>
      )}
      {list.on_home && (
        <span className="flex items-center gap-1.5">
          <House aria-hidden size={14} />
          {t('lists:onHome')}
        </span>
      )}
    </span>
  )
}
