/**
 * The background job that adds titles to the catalogue for files of the media folder without a title. A folder of
 * movies can then be watched without an import. A title comes from TMDB if a token is configured and TMDB has either
 * the title with the id of the files, or exactly one title with their name and year. Otherwise, the title has the name
 * and the year of its files, and is added only if the catalogue has no similar title. A title that an administrator has
 * deleted is not added again.
 */
import { foldTitle, getTitleSimilarity } from '../../../src/lib/rules/fold-title.ts'
import { importTitles } from '../../importers/import-titles.ts'
import { selectFilesWithoutTitle } from '../../queries/library-file.ts'
import {
  AUTOMATIC_FILE_SOURCE,
  isYearCompatible,
  selectMatchableTitlesByIds,
  selectTitlesNamedByFiles,
  setMissingTmdbId,
  type TitleNamedByFile,
} from '../../queries/library-match.ts'
import type { TitleType } from '../../queries/title.ts'
import { selectImportedTitle } from '../../queries/title-publishing.ts'
import type { TitleRecord } from '../../queries/title-record.ts'
import { isMisspelling, searchIndex } from '../../search/engine.ts'
import type { Deps } from '../deps.ts'
import { type JobContext, JobFailure } from '../jobs/job-queue.ts'
import { loadSettingValue } from '../operations/settings.ts'
import { hasDeletedTitle } from './deleted-titles.ts'
import { groupFilesByName, type NamedFileGroup } from './named-groups.ts'
import { createNamedRecord } from './named-record.ts'
import { createTmdbLookup, type TmdbLookup } from './tmdb-lookup.ts'

export const ADD_TITLES_JOB = 'library_add_titles'

/** If TMDB does not respond, titles are looked up again after this time. */
const TMDB_RETRY_MS = 60 * 60_000
/** Maximum number of catalogue titles with which a name is compared. */
const MAX_SIMILAR_TITLES = 5
/** Minimum Jaccard similarity of the words of two similar names, if the year of the file is known. */
const MIN_COMMON_WORD_RATIO = 0.6

interface AddTitlesTrigger {
  /** The TMDB token and the paths for which the last job was started. */
  jobInputsJson: string
  /** Time of `monotonicNow()` at which the titles are looked up again; infinite unless TMDB has failed. */
  retryAtMs: number
}
const triggersByDatabase = new WeakMap<Deps['database'], AddTitlesTrigger>()

/**
 * True when the job has titles to add or to complete, and there is a reason to start it: a retry is due, or the files
 * without a title or the TMDB token have changed since the last job. The caller must then start the job, because the
 * next call returns false. Until the next change or retry, this process does not try again to add titles that a job
 * could not add. Always false while the setting `add_titles_of_files` is off or the search index is being built.
 */
export async function consumeAddTitlesTrigger(deps: Deps): Promise<boolean> {
  const { primary } = deps.database
  if (!deps.streamSources.library || !(await loadSettingValue(primary, 'add_titles_of_files'))) return false
  // The search index is needed to recognise misspelt names.
  if (await deps.searchIndex.isBuilding()) return false
  const files = await selectFilesWithoutTitle(primary)
  const jobInputsJson = JSON.stringify([deps.config.tmdbApiToken ?? '', files.map(({ path }) => path)])
  const lastTrigger = triggersByDatabase.get(deps.database)
  const isRetryDue = lastTrigger !== undefined && deps.monotonicNow() >= lastTrigger.retryAtMs
  if (lastTrigger?.jobInputsJson === jobInputsJson && !isRetryDue) return false
  triggersByDatabase.set(deps.database, { jobInputsJson, retryAtMs: Number.POSITIVE_INFINITY })
  if (files.length > 0) return true
  return deps.config.tmdbApiToken !== undefined && (await selectTitlesNamedByFiles(primary)).length > 0
}

/**
 * Job handler: adds titles for files. Also completes, with data from TMDB, the titles that have only the name of their
 * files so far. Titles that an administrator has deleted are not added again.
 */
export async function runAddTitles({ deps, signal, reportProgress }: JobContext) {
  if (!deps.streamSources.library) throw new JobFailure('not_configured')
  await deps.searchIndex.catchUp()
  const tmdb = createTmdbLookup(deps)
  const groups = groupFilesByName(deps, await selectFilesWithoutTitle(deps.database.primary))
  const namedTitles = tmdb.isConfigured ? await selectTitlesNamedByFiles(deps.database.primary) : []
  const totalCount = groups.length + namedTitles.length
  const report = { files: groups.length, added: 0, changed: 0, from_tmdb: 0, skipped: 0 }
  let doneCount = 0
  const addedNames = new Set<string>()
  for (const group of groups) {
    if (signal.aborted) return { report }
    await reportProgress(doneCount++, totalCount)
    const outcome = await addTitle(deps, group, { tmdb, addedNames })
    if (outcome !== 'skipped') addedNames.add(getTypeAndNameKey(group))
    report[outcome === 'skipped' ? 'skipped' : 'added'] += 1
    if (outcome === 'from_tmdb') report.from_tmdb += 1
  }
  for (const title of namedTitles) {
    if (signal.aborted) return { report }
    await reportProgress(doneCount++, totalCount)
    if (await completeTitleFromTmdb(deps, title, tmdb)) report.changed += 1
  }
  const lastTrigger = triggersByDatabase.get(deps.database)
  if (tmdb.hasFailed() && lastTrigger) lastTrigger.retryAtMs = deps.monotonicNow() + TMDB_RETRY_MS
  if (report.added + report.changed > 0) deps.bus.publish('catalogue', { kind: ADD_TITLES_JOB })
  await reportProgress(totalCount, totalCount)
  return { report, message: tmdb.hasFailed() ? 'tmdb_unreachable' : null }
}

type AddTitleOutcome = 'named' | 'from_tmdb' | 'skipped'

/**
 * True if the files have neither a year nor an id, and this run has added a title of their name. The files then belong
 * to that title, which the search index may not contain yet.
 */
const belongsToAddedTitle = (group: NamedFileGroup, addedNames: ReadonlySet<string>): boolean =>
  (group.year ?? group.imdbId ?? group.tmdbId ?? group.tvdbId ?? null) === null &&
  addedNames.has(getTypeAndNameKey(group))

const getTypeAndNameKey = ({ type, name }: NamedFileGroup) => `${type} ${foldTitle(name)}`

async function addTitle(
  deps: Deps,
  group: NamedFileGroup,
  { tmdb, addedNames }: { tmdb: TmdbLookup; addedNames: ReadonlySet<string> },
): Promise<AddTitleOutcome> {
  const { primary } = deps.database
  if (await hasDeletedTitle(deps, group)) return 'skipped'
  const tmdbRecord = await tmdb.findRecord(group)
  if (tmdbRecord) {
    const storedTitle = await selectImportedTitle(primary, { ...tmdbRecord, source: 'tmdb' })
    if (storedTitle && storedTitle.deleted_at !== null) return 'skipped'
    const { added: addedCount, changed: changedCount } = await importTitles(
      deps,
      [{ location: group.name, record: tmdbRecord }],
      { source: 'tmdb' },
    )
    return addedCount + changedCount > 0 ? 'from_tmdb' : 'skipped'
  }
  if (group.hasOtherYear || belongsToAddedTitle(group, addedNames)) return 'skipped'
  if (await isKnownOrMisspelt(deps, group)) return 'skipped'
  const record = createRecord(group)
  const storedTitle = await selectImportedTitle(primary, { ...record, source: AUTOMATIC_FILE_SOURCE })
  // A title that was added before is not added again, even if an administrator has deleted it since then.
  if (storedTitle && storedTitle.year === group.year) return 'skipped'
  const { added: addedCount } = await importTitles(deps, [{ location: group.name, record }], {
    source: AUTOMATIC_FILE_SOURCE,
  })
  return addedCount > 0 ? 'named' : 'skipped'
}

function createRecord({ type, name, year, imdbId, tmdbId, tvdbId }: NamedFileGroup): TitleRecord {
  return {
    ...createNamedRecord({ type, titles: [{ lang: 'en', text: name }], year }),
    ...(imdbId && { imdb_id: imdbId }),
    ...(tmdbId && { tmdb_id: tmdbId }),
    ...(tvdbId && { tvdb_id: tvdbId }),
  }
}

/**
 * True when the catalogue has a title whose name is similar and whose year is compatible (`isYearCompatible`). The
 * files then stay without a title, and an administrator decides.
 */
async function isKnownOrMisspelt({ database }: Deps, { type, name, year }: NamedFileGroup): Promise<boolean> {
  const { hits: searchHits } = await searchIndex(database.searchDatabase, {
    q: name,
    type,
    limit: MAX_SIMILAR_TITLES,
    scope: { kids: false },
  })
  const similarIds = searchHits
    .filter(
      ({ matchedName, isTopicMatch }) => !isTopicMatch && areNamesSimilar(name, matchedName, year !== null),
    )
    .map(({ media_id }) => Number(media_id))
  if (similarIds.length === 0) return false
  const titles = await selectMatchableTitlesByIds(database.primary, similarIds)
  return titles.some((title) => isYearCompatible(title.year, year))
}

/**
 * True if two names are similar. Without a year, names may differ only by an article or a few typing mistakes. Names
 * with different numbers are not similar: "Kill Bill Vol. 1" and "Kill Bill Vol. 2" are two movies.
 */
const areNamesSimilar = (name: string, otherName: string, hasYear: boolean): boolean =>
  !hasDifferentNumbers(foldTitle(name), foldTitle(otherName)) &&
  (isMisspelling(foldTitle(name), foldTitle(otherName)) ||
    (hasYear && getTitleSimilarity(name, otherName) >= MIN_COMMON_WORD_RATIO))

/** True if both names contain numbers and the numbers differ. */
function hasDifferentNumbers(name: string, otherName: string): boolean {
  const [numbers, otherNumbers] = [name, otherName].map((text) =>
    (text.match(/\d+/g) ?? []).map(Number).join(),
  )
  return numbers !== '' && otherNumbers !== '' && numbers !== otherNumbers
}

/**
 * Completes a title that has only the name and year from a file name. Imports its TMDB record, unless another title has
 * the ids of the record. Returns true when the title has changed.
 */
async function completeTitleFromTmdb(
  deps: Deps,
  title: TitleNamedByFile,
  tmdb: TmdbLookup,
): Promise<boolean> {
  const record = await tmdb.findRecord({
    type: title.type as TitleType,
    name: title.original_title,
    year: title.year,
    imdbId: title.imdb_id ?? undefined,
    tmdbId: title.tmdb_id ?? undefined,
    tvdbId: title.tvdb_id ?? undefined,
  })
  if (record?.tmdb_id === undefined) return false
  await setMissingTmdbId(deps.database.primary, title.title_id, record.tmdb_id)
  const { changed: changedCount } = await importTitles(deps, [{ location: title.original_title, record }], {
    source: 'tmdb',
  })
  return changedCount > 0
}
