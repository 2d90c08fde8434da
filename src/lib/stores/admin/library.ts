/** The media library of the dashboard: folders, files and the titles chosen for them. */
import { computed } from 'nanostores'
import { callApi } from '../../client/call.ts'
import type { LibraryChoice, LibraryFileEntry, ReplacedChoices } from '../../contract/admin-library.ts'
import * as library from '../../contract/admin-library.ts'
import * as titles from '../../contract/admin-titles.ts'
import type { BodyOf, QueryOf } from '../../contract/endpoint.ts'
import type { TranslationKey } from '../../i18n/keys.ts'
import { perProfile } from '../per-profile.ts'
import { createReadStore, refetch } from '../query.ts'
import { createFiltersStore, parseFilterChoice, parsePaging } from './dashboard-view.ts'
import { createLatestJobStore, refetchJobs } from './jobs.ts'
import { runAdminAction, submitAdminForm } from './run-action.ts'

/** Value of the folder filter for files outside folders. The API defines this value. */
export const ROOT_FOLDER = '/'
export const { LIBRARY_FILE_STATES, UNTITLED_FILE_REASONS } = library

const $libraryFilters = createFiltersStore('library')
export const $library = createReadStore(
  library.getLibrary,
  computed($libraryFilters, (filters) => filters && {}),
)
export const $libraryFiles = createReadStore(
  library.listLibraryFiles,
  computed($libraryFilters, (filters) => {
    if (!filters) return null
    const state = parseFilterChoice(filters, 'state', LIBRARY_FILE_STATES)
    const reason = parseFilterChoice(filters, 'reason', UNTITLED_FILE_REASONS)
    return {
      query: {
        ...parsePaging(filters),
        ...(state && { state }),
        ...(reason && { reason }),
        ...(filters['folder'] && { folder: filters['folder'] }),
        ...(filters['search'] && { search: filters['search'] }),
      },
    }
  }),
)
export const refetchLibrary = () =>
  refetch(library.getLibrary, library.listLibraryFiles, library.getLibraryFile)
export const $libraryScan = createLatestJobStore(['library'], 'library_scan', refetchLibrary)
export const $addTitlesJob = createLatestJobStore(['library'], 'library_add_titles', refetchLibrary)

/** Id of the file whose dialog is open. */
export const $openFileId = perProfile<string | null>(() => null)
export const $openFile = createReadStore(
  library.getLibraryFile,
  computed($openFileId, (fileId) => (fileId === null ? null : { params: { id: fileId } })),
)

export function startLibraryScan(): Promise<void> {
  return runAdminAction('dashboardlibrary:scanStarted', async () => {
    await callApi(library.scanLibrary)
    refetchJobs()
  })
}

/** Starts the job that adds titles to the catalogue for all files that belong to no title. */
export function startAddingTitles(): Promise<void> {
  return runAdminAction('dashboardlibrary:addTitlesStarted', async () => {
    await callApi(library.addTitlesOfFiles)
    refetchJobs()
  })
}

/** Restores the choices that a change has replaced or deleted. */
async function restoreChoices(fileId: string, choices: ReplacedChoices): Promise<void> {
  try {
    await callApi(library.restoreLibraryChoices, { params: { id: fileId }, body: { choices } })
  } finally {
    refetchLibrary()
  }
}

/**
 * Chooses the title of a file, or of all files of its folder whose names contain the same title. A choice without a
 * title means that the file belongs to no title. Undo restores the previous choices. Returns the key of a failure
 * message, or null.
 */
export function chooseFileTitle(
  { id }: Pick<LibraryFileEntry, 'id'>,
  choice: LibraryChoice,
): Promise<TranslationKey | null> {
  let replacedChoices: ReplacedChoices = []
  return submitAdminForm(
    choice.title_id === null ? 'dashboardlibrary:fileDismissed' : 'dashboardlibrary:fileMatched',
    async () => {
      const reply = await callApi(library.matchLibraryFile, { params: { id }, body: choice })
      replacedChoices = reply.replaced
      refetchLibrary()
    },
    {
      undo: () => void runAdminAction('dashboard:undone', () => restoreChoices(id, replacedChoices)),
    },
  )
}

/** Searches TMDB for titles. Throws `ApiError`. */
export async function searchTmdbTitles(query: QueryOf<typeof library.searchTmdbTitles>) {
  return (await callApi(library.searchTmdbTitles, { query })).results
}

/**
 * Adds a title to the catalogue and chooses the title for a file. Undo restores the previous choices. If the title was
 * not in the catalogue before, Undo also deletes the title. Returns the key of a failure message, or null.
 */
export function addTitleFromFile(
  { id }: Pick<LibraryFileEntry, 'id'>,
  titleFields: BodyOf<typeof library.addTitleFromFile>,
): Promise<TranslationKey | null> {
  let addedTitleId: string | null = null
  let replacedChoices: ReplacedChoices = []
  const undoAddition = async () => {
    // The title is deleted first. Otherwise the server could match the file to this title by the name of the file.
    if (addedTitleId) await callApi(titles.deleteTitles, { body: { ids: [addedTitleId] } })
    await restoreChoices(id, replacedChoices)
  }
  return submitAdminForm(
    'dashboardlibrary:titleAdded',
    async () => {
      const reply = await callApi(library.addTitleFromFile, { params: { id }, body: titleFields })
      replacedChoices = reply.replaced
      if (reply.added) addedTitleId = reply.title.id
      refetchLibrary()
    },
    { undo: () => void runAdminAction('dashboard:undone', undoAddition) },
  )
}

/**
 * Deletes the choice of a title for a file, so that the server matches the file by its name again. Undo restores the
 * choice. Returns the key of a failure message, or null.
 */
export function clearChosenFileTitle({ id }: Pick<LibraryFileEntry, 'id'>): Promise<TranslationKey | null> {
  let replacedChoices: ReplacedChoices = []
  return submitAdminForm(
    'dashboardlibrary:choiceForgotten',
    async () => {
      replacedChoices = (await callApi(library.unmatchLibraryFile, { params: { id } })).replaced
      refetchLibrary()
    },
    { undo: () => void runAdminAction('dashboard:undone', () => restoreChoices(id, replacedChoices)) },
  )
}
