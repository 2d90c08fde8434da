/** The catalogue of the dashboard, including hidden titles. */

import { computed } from 'nanostores'
import { callApi } from '../../client/call.ts'
import type { AdminTitle } from '../../contract/admin-titles.ts'
import * as titles from '../../contract/admin-titles.ts'
import * as catalogue from '../../contract/catalogue.ts'
import type { BodyOf } from '../../contract/endpoint.ts'
import { isolateBidi } from '../../i18n/isolate-bidi.ts'
import type { TranslationKey } from '../../i18n/keys.ts'
import type { TitleField } from '../../rules/title-fields.ts'
import { perProfile } from '../per-profile.ts'
import { createReadStore, refetch } from '../query.ts'
import { showToast } from '../toast.ts'
import {
  createFiltersStore,
  type DashboardFilters,
  parseFilterChoice,
  parsePaging,
} from './dashboard-view.ts'
import { runAdminAction, submitAdminForm } from './run-action.ts'

export const TITLE_TYPES = ['movie', 'tv'] as const
export const getTypeFilter = (filters: DashboardFilters) =>
  parseFilterChoice(filters, 'type', TITLE_TYPES) ?? 'movie'
export const TITLE_SORTS = ['title.asc', 'release_date.desc', 'popularity.desc', 'rating.desc'] as const

/** Returns the API query for the filters of the title list. */
function parseTitleFilters(filters: DashboardFilters) {
  const publishedFilter = parseFilterChoice(filters, 'published', ['true', 'false'])
  const kidsFilter = parseFilterChoice(filters, 'kids', ['true', 'false'])
  return {
    ...(filters['search'] && { search: filters['search'] }),
    ...(publishedFilter && { published: publishedFilter === 'true' }),
    ...(kidsFilter && { kids: kidsFilter === 'true' }),
  }
}

const createTitleListInput = (type: (typeof TITLE_TYPES)[number]) =>
  computed(createFiltersStore('catalogue'), (filters) => {
    if (!filters || getTypeFilter(filters) !== type) return null
    return {
      query: {
        admin: true,
        ...parsePaging(filters),
        sort: parseFilterChoice(filters, 'sort', TITLE_SORTS) ?? 'title.asc',
        ...parseTitleFilters(filters),
      } as const,
    }
  })
export const $adminMovies = createReadStore(catalogue.listMovies, createTitleListInput('movie'))
export const $adminSeries = createReadStore(catalogue.listSeries, createTitleListInput('tv'))

/** Id of the title that is being edited. */
export const $editedTitleId = perProfile<string | null>(() => null)
export const $editedTitle = createReadStore(
  titles.getAdminTitle,
  computed($editedTitleId, (titleId) => (titleId === null ? null : { params: { id: titleId } })),
)

/** Refetches the lists of titles, including the lists of viewers and the bin. */
export const refetchTitles = () =>
  refetch(catalogue.listMovies, catalogue.listSeries, titles.getAdminTitle, titles.listDeletedTitles)

/**
 * Returns the ids of all titles that match the filters, at most 10,000. After a failure, displays the reason and
 * returns null.
 */
export async function loadMatchingTitleIds(filters: DashboardFilters): Promise<string[] | null> {
  let matchingIds: string[] | null = null
  const failureKey = await submitAdminForm(null, async () => {
    const query = { type: getTypeFilter(filters), ...parseTitleFilters(filters) }
    matchingIds = (await callApi(titles.listMatchingTitleIds, { query })).ids
  })
  if (failureKey) showToast(failureKey, { kind: 'bad' })
  return matchingIds
}

/** Number of changed titles and of all titles of the running bulk change. Null when no bulk change runs. */
export const $bulkProgress = perProfile<{ done: number; total: number } | null>(() => null)
/** Maximum number of titles in one request. */
const TITLES_PER_REQUEST = 100

/** Sends the ids in several requests. Returns all changed ids. Refetches the lists once, even after a failure. */
async function changeTitlesInBatches(
  titleIds: readonly string[],
  changeBatch: (batch: string[]) => Promise<string[]>,
): Promise<string[]> {
  const changedIds: string[] = []
  try {
    for (let startIndex = 0; startIndex < titleIds.length; startIndex += TITLES_PER_REQUEST) {
      if (titleIds.length > TITLES_PER_REQUEST)
        $bulkProgress.set({ done: startIndex, total: titleIds.length })
      changedIds.push(...(await changeBatch(titleIds.slice(startIndex, startIndex + TITLES_PER_REQUEST))))
    }
    return changedIds
  } finally {
    $bulkProgress.set(null)
    refetchTitles()
  }
}

export function setTitlesPublished(titleIds: readonly string[], isPublished: boolean): Promise<void> {
  const sendPublishedState = (changedTitleIds: readonly string[], shouldPublish: boolean) =>
    changeTitlesInBatches(
      changedTitleIds,
      async (batch) =>
        (await callApi(titles.publishTitles, { body: { ids: batch, published: shouldPublish } })).changed,
    )
  let changedIds: readonly string[] = titleIds
  return runAdminAction(
    isPublished ? 'dashboardlibrary:publishedCount' : 'dashboardlibrary:hiddenCount',
    async () => {
      changedIds = await sendPublishedState(titleIds, isPublished)
    },
    {
      values: { count: titleIds.length },
      undo: () =>
        changedIds.length > 0 &&
        void runAdminAction('dashboard:undone', () => sendPublishedState(changedIds, !isPublished)),
    },
  )
}

export function deleteTitles(titleIds: readonly string[]): Promise<void> {
  let deletedIds: string[] = []
  return runAdminAction(
    'dashboardlibrary:deletedCount',
    async () => {
      deletedIds = await changeTitlesInBatches(
        titleIds,
        async (batch) => (await callApi(titles.deleteTitles, { body: { ids: batch } })).deleted,
      )
    },
    {
      values: { count: titleIds.length },
      undo: () =>
        void runAdminAction('dashboard:undone', () =>
          changeTitlesInBatches(
            deletedIds,
            async (batch) => (await callApi(titles.restoreTitles, { body: { ids: batch } })).restored,
          ),
        ),
    },
  )
}

export type TitleChange = BodyOf<typeof titles.updateTitle>

/** Saves changes of a title. Undo restores the imported value, or the value of an earlier edit. */
export function saveTitle(previousTitle: AdminTitle, change: TitleChange): Promise<TranslationKey | null> {
  const updateAndRefetch = async (titleChange: TitleChange) => {
    if (Object.keys(titleChange).length > 0)
      await callApi(titles.updateTitle, { params: { id: previousTitle.id }, body: titleChange })
  }
  const undoEdit = async () => {
    const changedFields = listChangedFields(change)
    for (const field of changedFields.filter((changedField) => !previousTitle.edited.includes(changedField)))
      await callApi(titles.undoTitleEdit, { params: { id: previousTitle.id, field } })
    await updateAndRefetch(
      buildRestoringChange(previousTitle, change, (field) => previousTitle.edited.includes(field)),
    )
    refetchTitles()
  }
  return submitAdminForm('dashboardlibrary:titleSaved', () => updateAndRefetch(change).then(refetchTitles), {
    values: { name: isolateBidi(previousTitle.title) },
    undo: () => void runAdminAction('dashboard:undone', undoEdit),
  })
}

function listChangedFields({
  published: _published,
  titles: names = [],
  overviews = [],
  ...otherFields
}: TitleChange) {
  return [
    ...names.map(({ lang }) => `title_${lang}` as const),
    ...overviews.map(({ lang }) => `overview_${lang}` as const),
    ...(Object.keys(otherFields) as Exclude<keyof typeof otherFields, never>[]),
  ]
}

/** Returns the change that undoes `change` in the fields for which `isRestored` is true. */
function buildRestoringChange(
  previousTitle: AdminTitle,
  change: TitleChange,
  isRestored: (field: TitleField) => boolean,
): TitleChange {
  const findTexts = (kind: 'title' | 'overview', texts: AdminTitle['titles'] = []) =>
    texts.filter(({ lang }) => isRestored(`${kind}_${lang}`))
  const previousTexts = {
    titles: findTexts('title', change.titles && previousTitle.titles).filter(({ lang }) =>
      change.titles?.some((text) => text.lang === lang),
    ),
    overviews: findTexts('overview', change.overviews && previousTitle.overviews).filter(({ lang }) =>
      change.overviews?.some((text) => text.lang === lang),
    ),
  }
  const { poster_path: posterPath } = previousTitle
  const previousValues: TitleChange = {
    published: previousTitle.published,
    ...(previousTexts.titles.length > 0 && { titles: previousTexts.titles }),
    ...(previousTexts.overviews.length > 0 && { overviews: previousTexts.overviews }),
    poster: posterPath?.startsWith('/art/') ? posterPath : null,
    trailer: previousTitle.trailer,
    imdb_id: previousTitle.imdb_id,
    tmdb_id: previousTitle.tmdb_id,
    genres: previousTitle.genres,
    rated: previousTitle.rated as NonNullable<TitleChange['rated']> | null,
    safe_for_kids: previousTitle.safe_for_kids,
    parental_guide: previousTitle.parental_guide,
  }
  const isRestoredKey = (key: string) =>
    key in change &&
    (key === 'published' || key === 'titles' || key === 'overviews' || isRestored(key as TitleField))
  return Object.fromEntries(Object.entries(previousValues).filter(([key]) => isRestoredKey(key)))
}

/** Resets a field to its imported value. Returns the key of a failure message, or null. */
export function undoTitleEdit(id: string, field: TitleField): Promise<TranslationKey | null> {
  return submitAdminForm('dashboardlibrary:importedUsed', async () => {
    await callApi(titles.undoTitleEdit, { params: { id, field } })
    refetchTitles()
  })
}

/** Imports a title from TMDB again. Returns the key of a failure message, or null. */
export function refreshTitle(id: string): Promise<TranslationKey | null> {
  return submitAdminForm('dashboardlibrary:titleRefreshed', async () => {
    await callApi(titles.refreshTitle, { params: { id } })
    refetchTitles()
  })
}

/** Id of the title whose TMDB posters are displayed; null while the poster view is closed. */
export const $postersTitleId = perProfile<string | null>(() => null)
export const $titlePosters = createReadStore(
  titles.listTitlePosters,
  computed($postersTitleId, (titleId) => (titleId === null ? null : { params: { id: titleId } })),
)
