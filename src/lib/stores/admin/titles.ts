/** The catalogue of the dashboard, including hidden titles. */

import { atom, computed } from 'nanostores'
import { call } from '../../client/call.ts'
import type { AdminTitle } from '../../contract/admin-titles.ts'
import * as titles from '../../contract/admin-titles.ts'
import * as catalogue from '../../contract/catalogue.ts'
import type { BodyOf } from '../../contract/endpoint.ts'
import { isolate } from '../../i18n/isolate.ts'
import type { Key } from '../../i18n/keys.ts'
import { read, refetch } from '../query.ts'
import { act, submit } from './act.ts'
import { choiceOf, type Filters, filtersIn, pageOf } from './view.ts'

export const TYPES = ['movie', 'tv'] as const
export const typeIn = (filters: Filters) => choiceOf(filters, 'type', TYPES) ?? 'movie'
export const TITLE_SORTS = ['title.asc', 'release_date.desc', 'popularity.desc', 'rating.desc'] as const

const createListInput = (type: (typeof TYPES)[number]) =>
  computed(filtersIn('catalogue'), (filters) => {
    if (!filters || typeIn(filters) !== type) return null
    const published = choiceOf(filters, 'published', ['true', 'false'])
    const kids = choiceOf(filters, 'kids', ['true', 'false'])
    return {
      query: {
        admin: true,
        page: pageOf(filters),
        limit: 20,
        sort: choiceOf(filters, 'sort', TITLE_SORTS) ?? 'title.asc',
        ...(filters['search'] && { search: filters['search'] }),
        ...(published && { published: published === 'true' }),
        ...(kids && { kids: kids === 'true' }),
      } as const,
    }
  })
export const $adminMovies = read(catalogue.listMovies, createListInput('movie'))
export const $adminSeries = read(catalogue.listSeries, createListInput('tv'))

/** Id of the title that is being edited. */
export const $editing = atom<string | null>(null)
export const $editedTitle = read(
  titles.getAdminTitle,
  computed($editing, (id) => (id === null ? null : { params: { id } })),
)

/** Refetches the lists of titles, including those of viewers. */
const refetchTitles = () => refetch(catalogue.listMovies, catalogue.listSeries, titles.getAdminTitle)

export function publishTitles(ids: readonly string[], published: boolean): Promise<void> {
  const setPublished = async (titleIds: readonly string[], value: boolean) => {
    const reply = await call(titles.publishTitles, { body: { ids: [...titleIds], published: value } })
    refetchTitles()
    return reply.changed
  }
  let changedIds: readonly string[] = ids
  return act(
    published ? 'dashboardlibrary:publishedCount' : 'dashboardlibrary:hiddenCount',
    async () => {
      changedIds = await setPublished(ids, published)
    },
    {
      values: { count: ids.length },
      undo: () =>
        changedIds.length > 0 && void act('dashboard:undone', () => setPublished(changedIds, !published)),
    },
  )
}

export function deleteTitles(ids: readonly string[]): Promise<void> {
  let deletedIds: string[] = []
  return act(
    'dashboardlibrary:deletedCount',
    async () => {
      deletedIds = (await call(titles.deleteTitles, { body: { ids: [...ids] } })).deleted
      refetchTitles()
    },
    {
      values: { count: ids.length },
      undo: () =>
        void act('dashboard:undone', async () => {
          await call(titles.restoreTitles, { body: { ids: deletedIds } })
          refetchTitles()
        }),
    },
  )
}

export type TitleChange = BodyOf<typeof titles.updateTitle>

/** Saves changes of a title; Undo restores the previous values. */
export function saveTitle(previous: AdminTitle, change: TitleChange): Promise<Key | null> {
  const save = async (body: TitleChange) => {
    await call(titles.updateTitle, { params: { id: previous.id }, body })
    refetchTitles()
  }
  const { published, safe_for_kids, parental_guide } = previous
  return submit('dashboardlibrary:titleSaved', () => save(change), {
    values: { name: isolate(previous.title) },
    undo: () => void act('dashboard:undone', () => save({ published, safe_for_kids, parental_guide })),
  })
}
