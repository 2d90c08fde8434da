/**
 * The background job that adds titles to the catalogue for files of the media folder that belong to no title, so that a film
 * folder can be watched without an import. A title comes from TMDB when a token is set up and TMDB has exactly one title of
 * this name and year; otherwise it has the name and the year of its files.
 */
import { foldSearchText } from '../../../src/lib/rules/fold-search-text.ts'
import { foldTitle, getTitleSimilarity } from '../../../src/lib/rules/fold-title.ts'
import { importTitles } from '../../importers/import-titles.ts'
import type { TmdbClient } from '../../importers/tmdb/client.ts'
import { fetchTmdbTitle } from '../../importers/tmdb/fetch-title.ts'
import { findTmdbIdByImdbId, searchTmdb, type TmdbSearchResult } from '../../importers/tmdb/search.ts'
import { type FileWithoutTitle, selectFilesWithoutTitle } from '../../queries/library-file.ts'
import {
  AUTOMATIC_FILE_SOURCE,
  selectTitlesForChoices,
  selectTitlesNamedByFiles,
  setMissingTmdbId,
  type TitleNamedByFile,
} from '../../queries/library-match.ts'
import type { TitleType } from '../../queries/title.ts'
import { selectImportedTitle } from '../../queries/title-publishing.ts'
import type { TitleRecord } from '../../queries/title-record.ts'
import { isMisspelling, searchIndex } from '../../search/engine.ts'
import { requestTmdb } from '../catalogue/title-refresh.ts'
import type { Deps } from '../deps.ts'
import { type JobContext, JobFailure } from '../jobs/job-queue.ts'
import { loadSettingValue } from '../operations/settings.ts'
import { createNamedRecord } from './named-record.ts'

export const ADD_TITLES_JOB = 'library_add_titles'

/** Files with the same name, year and ids, for which one title is added. */
interface NamedGroup {
  type: TitleType
  name: string
  year: number | null
  imdbId?: string | undefined
  tmdbId?: number | undefined
  /** The catalogue has the name with another year: a remake, or a wrong year. Only TMDB can tell. */
  hasOtherYear?: boolean
}

/** Names that cameras, phones and converters give to recordings, folded. They say nothing about a title. */
const CAMERA_NAME =
  /^(?:(?:img|vid|dsc[fn]?|mvi|mov|pxl|gopr|g[hx]|dji|trim|clip|video|movie|title|whatsapp video|screen recording) ?[\d ]+|[\d ]{6,}|\d{3,4}[ip])$/
/** After TMDB did not answer, the titles that it may have are looked up again after this time. */
const TMDB_RETRY_MS = 60 * 60_000
/** Number of titles of the catalogue that a name is compared with. */
const SIMILAR_TITLES = 5
/** Share of common words from which names of the same year are similar. */
const MIN_COMMON_WORDS = 0.6

interface DueState {
  /** What the last job was started for. */
  signature: string
  retryAtMs: number
}
const dueStates = new WeakMap<Deps['database'], DueState>()

/**
 * True when files without a title have appeared, or a TMDB token, since the last job. What a job could not add is not tried
 * again by this process before that.
 */
export async function areTitlesOfFilesDue(deps: Deps): Promise<boolean> {
  const { primary } = deps.database
  if (!deps.streamSources.library || !(await loadSettingValue(primary, 'add_titles_of_files'))) return false
  // Misspelt names are recognised by the search index.
  if (await deps.searchIndex.isBuilding()) return false
  const files = await selectFilesWithoutTitle(primary)
  const signature = JSON.stringify([deps.config.tmdbApiToken ?? '', files.map(({ path }) => path)])
  const state = dueStates.get(deps.database)
  const isRetryDue = state !== undefined && deps.now() >= state.retryAtMs
  if (state?.signature === signature && !isRetryDue) return false
  dueStates.set(deps.database, { signature, retryAtMs: Number.POSITIVE_INFINITY })
  if (files.length > 0) return true
  return deps.config.tmdbApiToken !== undefined && (await selectTitlesNamedByFiles(primary)).length > 0
}

/** Job handler. Titles that an administrator has deleted are not added again. */
export async function runAddTitles({ deps, signal, reportProgress }: JobContext) {
  if (!deps.streamSources.library) throw new JobFailure('not_configured')
  await deps.searchIndex.catchUp()
  const tmdb = createTmdbLookup(deps)
  const groups = groupFiles(deps, await selectFilesWithoutTitle(deps.database.primary))
  const namedTitles = tmdb.isConfigured ? await selectTitlesNamedByFiles(deps.database.primary) : []
  const total = groups.length + namedTitles.length
  const report = { files: groups.length, added: 0, changed: 0, from_tmdb: 0, skipped: 0 }
  let done = 0
  for (const group of groups) {
    if (signal.aborted) return { report }
    await reportProgress(done++, total)
    const outcome = await addTitle(deps, group, tmdb)
    report[outcome === 'skipped' ? 'skipped' : 'added'] += 1
    if (outcome === 'from_tmdb') report.from_tmdb += 1
  }
  for (const title of namedTitles) {
    if (signal.aborted) return { report }
    await reportProgress(done++, total)
    if (await describeTitle(deps, title, tmdb)) report.changed += 1
  }
  const state = dueStates.get(deps.database)
  if (tmdb.hasFailed() && state) state.retryAtMs = deps.now() + TMDB_RETRY_MS
  if (report.added + report.changed > 0) deps.bus.publish('catalogue', { kind: ADD_TITLES_JOB })
  await reportProgress(total, total)
  return { report, message: tmdb.hasFailed() ? 'tmdb_unreachable' : null }
}

/** Groups with a year come first, because a file without a year may belong to the title of one with a year. */
function groupFiles({ streamSources }: Deps, files: readonly FileWithoutTitle[]): NamedGroup[] {
  const idsByPath = new Map(streamSources.library?.listFiles()?.map(({ path, ids }) => [path, ids]))
  const groups = new Map<string, NamedGroup>()
  for (const { path, named_kind, parsed_title, parsed_year, reason } of files) {
    const ids = idsByPath.get(path) ?? {}
    const folded = foldSearchText(parsed_title)
    const key = JSON.stringify([named_kind, folded, parsed_year, ids])
    if (groups.has(key) || folded === '' || CAMERA_NAME.test(folded)) continue
    groups.set(key, {
      type: named_kind,
      name: capitalise(parsed_title.trim()),
      year: parsed_year,
      imdbId: ids.imdb,
      tmdbId: ids.tmdb,
      hasOtherYear: reason === 'other_year',
    })
  }
  return [...groups.values()].toSorted((a, b) => Number(a.year === null) - Number(b.year === null))
}

/** Names of files are often written in small letters. */
const capitalise = (name: string) =>
  name === name.toLowerCase() ? name.replace(/(?<!\S)\p{Ll}/gu, (letter) => letter.toUpperCase()) : name

type AddOutcome = 'named' | 'from_tmdb' | 'skipped'

async function addTitle(deps: Deps, group: NamedGroup, tmdb: TmdbLookup): Promise<AddOutcome> {
  const { primary } = deps.database
  const tmdbRecord = await tmdb.findRecord(group)
  if (tmdbRecord) {
    const stored = await selectImportedTitle(primary, { ...tmdbRecord, source: 'tmdb' })
    if (stored && stored.deleted_at !== null) return 'skipped'
    const { added, changed } = await importTitles(deps, [{ at: group.name, record: tmdbRecord }], {
      source: 'tmdb',
    })
    return added + changed > 0 ? 'from_tmdb' : 'skipped'
  }
  if (group.hasOtherYear || (await isKnownOrMisspelt(deps, group))) return 'skipped'
  const record = createRecord(group)
  const stored = await selectImportedTitle(primary, { ...record, source: AUTOMATIC_FILE_SOURCE })
  // Also when it was deleted: an administrator did not want it.
  if (stored && stored.year === group.year) return 'skipped'
  const { added } = await importTitles(deps, [{ at: group.name, record }], { source: AUTOMATIC_FILE_SOURCE })
  return added > 0 ? 'named' : 'skipped'
}

function createRecord({ type, name, year, imdbId, tmdbId }: NamedGroup): TitleRecord {
  return {
    ...createNamedRecord({ type, titles: [{ lang: 'en', text: name }], year }),
    ...(imdbId && { imdb_id: imdbId }),
    ...(tmdbId && { tmdb_id: tmdbId }),
  }
}

/**
 * True when the catalogue has a title whose name differs only by typing mistakes and whose year does not contradict. The file
 * then stays without a title, and an administrator decides.
 */
async function isKnownOrMisspelt({ database }: Deps, { type, name, year }: NamedGroup): Promise<boolean> {
  const { hits } = await searchIndex(database.searchDatabase, {
    q: name,
    type,
    limit: SIMILAR_TITLES,
    scope: { kids: false },
  })
  const similarIds = hits
    .filter(({ matched, isTopicMatch }) => !isTopicMatch && areNamesSimilar(name, matched, year !== null))
    .map(({ media_id }) => Number(media_id))
  if (similarIds.length === 0) return false
  const titles = await selectTitlesForChoices(database.primary, similarIds)
  return titles.some((title) => year === null || title.year === null || Math.abs(title.year - year) <= 1)
}

/** Without a year, only names that differ by an article or a typing mistake are taken for the same title. */
const areNamesSimilar = (name: string, otherName: string, hasYear: boolean): boolean =>
  isMisspelling(foldTitle(name), foldTitle(otherName)) ||
  (hasYear && getTitleSimilarity(name, otherName) >= MIN_COMMON_WORDS)

/** Replaces what the name of a file said about a title by the record of TMDB, unless another title has its ids. */
async function describeTitle(deps: Deps, title: TitleNamedByFile, tmdb: TmdbLookup): Promise<boolean> {
  const record = await tmdb.findRecord({
    type: title.type as TitleType,
    name: title.original_title,
    year: title.year,
    imdbId: title.imdb_id ?? undefined,
    tmdbId: title.tmdb_id ?? undefined,
  })
  if (record?.tmdb_id === undefined) return false
  await setMissingTmdbId(deps.database.primary, title.title_id, record.tmdb_id)
  const { changed } = await importTitles(deps, [{ at: title.original_title, record }], { source: 'tmdb' })
  return changed > 0
}

interface TmdbLookup {
  isConfigured: boolean
  /** True after TMDB did not answer. It is not asked again in this job. */
  hasFailed: () => boolean
  /** Returns the only title of TMDB with this id, or with this name and year; null when there is none or several. */
  findRecord: (group: NamedGroup) => Promise<TitleRecord | null>
}

function createTmdbLookup(deps: Deps): TmdbLookup {
  const isConfigured = Boolean(deps.config.tmdbApiToken)
  let hasFailed = false
  return {
    isConfigured,
    hasFailed: () => hasFailed,
    async findRecord(group) {
      if (!isConfigured || hasFailed) return null
      try {
        return await requestTmdb(deps, (client) => fetchRecord(client, group))
      } catch {
        // requestTmdb() has logged the cause.
        hasFailed = true
        return null
      }
    },
  }
}

async function fetchRecord(client: TmdbClient, group: NamedGroup): Promise<TitleRecord | null> {
  const { type, name, year, imdbId, tmdbId } = group
  const id =
    tmdbId ??
    (imdbId === undefined
      ? findOnlyMatch(await searchTmdb(client, { type, search: name, year }), group)
      : await findTmdbIdByImdbId(client, type, imdbId))
  if (id === null) return null
  const outcome = await fetchTmdbTitle(client, { kind: type, id })
  return 'skip' in outcome ? null : outcome.record
}

/** A year that differs by one counts only when no title has the exact year. */
function findOnlyMatch(
  results: readonly TmdbSearchResult[],
  { name, year, hasOtherYear }: NamedGroup,
): number | null {
  const folded = foldSearchText(name)
  const named = results.filter(({ title, originalTitle }) =>
    [title, originalTitle].some((text) => foldSearchText(text) === folded),
  )
  const exact = year === null ? named : named.filter((result) => result.year === year)
  const near = named.filter((result) => result.year !== null && Math.abs(result.year - (year ?? 0)) === 1)
  const [only, ...others] = exact.length > 0 || hasOtherYear ? exact : near
  return only && others.length === 0 ? only.id : null
}
