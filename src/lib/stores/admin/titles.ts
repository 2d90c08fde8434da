/** The catalogue of the dashboard, including hidden titles. */

import { computed } from 'nanostores'
import { callApi } from '../../client/call.ts'
import type { AdminTitle } from '../../contract/admin-titles.ts'
import * as titles from '../../contract/admin-titles.ts'
import * as catalogue from '../../contract/catalogue.ts'
import type { BodyOf } from '../../contract/endpoint.ts'
import { isolateBidi } from '../../i18n/isolate-bidi.ts'
import type { TranslationKey } from '../../i18n/keys.ts'
import { perProfile } from '../per-profile.ts'
import { createReadStore, refetch } from '../query.ts'
import {
  createFiltersStore,
  type DashboardFilters,
  parseFilterChoice,
  parsePageNumber,
} from './dashboard-view.ts'
import { runAdminAction, submitAdminForm } from './run-action.ts'

export const TITLE_TYPES = ['movie', 'tv'] as const
export const getTypeFilter = (filters: DashboardFilters) =>
  parseFilterChoice(filters, 'type', TITLE_TYPES) ?? 'movie'
export const TITLE_SORTS = ['title.asc', 'release_date.desc', 'popularity.desc', 'rating.desc'] as const

const createListInput = (type: (typeof TITLE_TYPES)[number]) =>
  computed(createFiltersStore('catalogue'), (filters) => {
    if (!filters || getTypeFilter(filters) !== type) return null
    const published = parseFilterChoice(filters, 'published', ['true', 'false'])
    const kids = parseFilterChoice(filters, 'kids', ['true', 'false'])
    return {
      query: {
        admin: true,
        page: parsePageNumber(filters),
        limit: 20,
        sort: parseFilterChoice(filters, 'sort', TITLE_SORTS) ?? 'title.asc',
        ...(filters['search'] && { search: filters['search'] }),
        ...(published && { published: published === 'true' }),
        ...(kids && { kids: kids === 'true' }),
      } as const,
    }
  })
export const $adminMovies = createReadStore(catalogue.listMovies, createListInput('movie'))
export const $adminSeries = createReadStore(catalogue.listSeries, createListInput('tv'))

/** Id of the title that is being edited. */
export const $editedTitleId = perProfile<string | null>(() => null)
export const $editedTitle = createReadStore(
  titles.getAdminTitle,
  computed($editedTitleId, (id) => (id === null ? null : { params: { id } })),
)

/** Refetches the lists of titles, including those of viewers. */
const refetchTitles = () => refetch(catalogue.listMovies, catalogue.listSeries, titles.getAdminTitle)

export function publishTitles(ids: readonly string[], isPublished: boolean): Promise<void> {
  const setPublished = async (titleIds: readonly string[], value: boolean) => {
    const reply = await callApi(titles.publishTitles, { body: { ids: [...titleIds], published: value } })
    refetchTitles()
    return reply.changed
  }
  let changedIds: readonly string[] = ids
  return runAdminAction(
    isPublished ? 'dashboardlibrary:publishedCount' : 'dashboardlibrary:hiddenCount',
    async () => {
      changedIds = await setPublished(ids, isPublished)
    },
    {
      values: { count: ids.length },
      undo: () =>
        changedIds.length > 0 &&
        void runAdminAction('dashboard:undone', () => setPublished(changedIds, !isPublished)),
    },
  )
}

export function deleteTitles(ids: readonly string[]): Promise<void> {
  let deletedIds: string[] = []
  return runAdminAction(
    'dashboardlibrary:deletedCount',
    async () => {
      deletedIds = (await callApi(titles.deleteTitles, { body: { ids: [...ids] } })).deleted
      refetchTitles()
    },
    {
      values: { count: ids.length },
      undo: () =>
        void runAdminAction('dashboard:undone', async () => {
          await callApi(titles.restoreTitles, { body: { ids: deletedIds } })
          refetchTitles()
        }),
    },
  )
}

export type TitleChange = BodyOf<typeof titles.updateTitle>

/** Saves changes of a title; Undo restores the previous values. */
export function saveTitle(previous: AdminTitle, change: TitleChange): Promise<TranslationKey | null> {
  const save = async (body: TitleChange) => {
    await callApi(titles.updateTitle, { params: { id: previous.id }, body })
    refetchTitles()
  }
  const { published, safe_for_kids, parental_guide } = previous
  return submitAdminForm('dashboardlibrary:titleSaved', () => save(change), {
    values: { name: isolateBidi(previous.title) },
    undo: () =>
      void runAdminAction('dashboard:undone', () => save({ published, safe_for_kids, parental_guide })),
  })
}
