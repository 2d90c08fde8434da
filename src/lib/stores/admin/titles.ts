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
  $dashboardView,
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
function buildTitleQuery(filters: DashboardFilters) {
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
        ...buildTitleQuery(filters),
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

/** Refetches the lists of titles that administrators and viewers see, the edited title, and the deleted titles. */
export const refetchTitles = () =>
  refetch(catalogue.listMovies, catalogue.listSeries, titles.getAdminTitle, titles.listDeletedTitles)

/**
 * Returns the ids of all titles that match the filters, at most 10,000. Returns null if the administrator changes the
 * filters before the reply arrives. After a failure, displays the reason and returns null.
 */
export async function loadMatchingTitleIds(filters: DashboardFilters): Promise<string[] | null> {
  let matchingIds: string[] | null = null
  const query = createMatchQuery(filters)
  const failureKey = await submitAdminForm(null, async () => {
    matchingIds = (await callApi(titles.listMatchingTitleIds, { query })).ids
  })
  if (failureKey) showToast(failureKey, { kind: 'bad' })
  const currentQuery = createMatchQuery($dashboardView.get().filters)
  return JSON.stringify(currentQuery) === JSON.stringify(query) ? matchingIds : null
}

const createMatchQuery = (filters: DashboardFilters) => ({
  type: getTypeFilter(filters),
  ...buildTitleQuery(filters),
})

/** Number of handled titles and of all titles of the running bulk change. Null when no bulk change runs. */
export const $bulkProgress = perProfile<{ done: number; total: number } | null>(() => null)
/** Maximum number of titles in one request. */
const TITLES_PER_REQUEST = 100

/** Changes the titles of one request. Returns the ids of the titles that were changed. */
type ChangeBatch = (batch: string[]) => Promise<string[]>

/**
 * Changes titles in several requests. If a request fails, the remaining titles are not changed. Displays the number of
 * changed titles and, if `undoBatch` is given, a button that undoes these changes. Returns the ids of the titles in the
 * successful requests.
 */
async function changeTitlesInBatches(
  successKey: TranslationKey,
  titleIds: readonly string[],
  changeBatch: ChangeBatch,
  undoBatch?: ChangeBatch,
): Promise<readonly string[]> {
  const total = titleIds.length
  const changedIds: string[] = []
  let handledCount = 0
  const failureKey = await submitAdminForm(null, async () => {
    try {
      while (handledCount < total) {
        $bulkProgress.set({ done: handledCount, total })
        const batch = titleIds.slice(handledCount, handledCount + TITLES_PER_REQUEST)
        changedIds.push(...(await changeBatch(batch)))
        handledCount += batch.length
      }
    } finally {
      $bulkProgress.set(null)
      refetchTitles()
    }
  })
  const undoOption =
    undoBatch && changedIds.length > 0
      ? { undo: () => void changeTitlesInBatches('dashboard:undone', changedIds, undoBatch) }
      : {}
  if (!failureKey) showToast(successKey, { values: { count: changedIds.length }, ...undoOption })
  else if (changedIds.length === 0) showToast(failureKey, { kind: 'bad' })
  else {
    const values = { done: changedIds.length, total }
    showToast('dashboardlibrary:partlyChanged', { kind: 'bad', values, ...undoOption })
  }
  return titleIds.slice(0, handledCount)
}

const createBatchPublisher =
  (published: boolean): ChangeBatch =>
  async (ids) =>
    (await callApi(titles.publishTitles, { body: { ids, published } })).changed

/** Publishes or hides titles. Returns the ids of the titles in the successful requests. */
export const setTitlesPublished = (titleIds: readonly string[], isPublished: boolean) =>
  changeTitlesInBatches(
    isPublished ? 'dashboardlibrary:publishedCount' : 'dashboardlibrary:hiddenCount',
    titleIds,
    createBatchPublisher(isPublished),
    createBatchPublisher(!isPublished),
  )

/** Deletes titles. Returns the ids of the titles in the successful requests. */
export const deleteTitles = (titleIds: readonly string[]) =>
  changeTitlesInBatches(
    'dashboardlibrary:deletedCount',
    titleIds,
    async (ids) => (await callApi(titles.deleteTitles, { body: { ids } })).deleted,
    async (ids) => (await callApi(titles.restoreTitles, { body: { ids } })).restored,
  )

export type TitleChange = BodyOf<typeof titles.updateTitle>

/**
 * Saves changes of a title. Undo restores the previous value of each changed field: the imported value, or the value of
 * an earlier edit. Returns the key of a failure message, or null.
 */
export function saveTitle(previousTitle: AdminTitle, change: TitleChange): Promise<TranslationKey | null> {
  const sendTitleChange = async (titleChange: TitleChange) => {
    if (Object.keys(titleChange).length > 0)
      await callApi(titles.updateTitle, { params: { id: previousTitle.id }, body: titleChange })
  }
  const restoreTitle = async () => {
    const changedFields = listChangedFields(change)
    for (const field of changedFields.filter((changedField) => !previousTitle.edited.includes(changedField)))
      await callApi(titles.undoTitleEdit, { params: { id: previousTitle.id, field } })
    await sendTitleChange(
      buildRestoringChange(previousTitle, change, (field) => previousTitle.edited.includes(field)),
    )
    refetchTitles()
  }
  return submitAdminForm('dashboardlibrary:titleSaved', () => sendTitleChange(change).then(refetchTitles), {
    values: { name: isolateBidi(previousTitle.title) },
    undo: () => void runAdminAction('dashboard:undone', restoreTitle),
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

/**
 * Returns the change that undoes `change`. It restores `published`, and those other changed fields for which
 * `shouldRestoreField` returns true.
 */
function buildRestoringChange(
  previousTitle: AdminTitle,
  change: TitleChange,
  shouldRestoreField: (field: TitleField) => boolean,
): TitleChange {
  const findTexts = (kind: 'title' | 'overview', texts: AdminTitle['titles'] = []) =>
    texts.filter(({ lang }) => shouldRestoreField(`${kind}_${lang}`))
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
  const shouldRestoreKey = (key: string) =>
    key in change &&
    (key === 'published' || key === 'titles' || key === 'overviews' || shouldRestoreField(key as TitleField))
  return Object.fromEntries(Object.entries(previousValues).filter(([key]) => shouldRestoreKey(key)))
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
