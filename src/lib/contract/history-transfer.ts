/** Import of viewing history from other services, and export of a profile's history (docs/importing-history.md). */
import * as z from 'zod/mini'
import { MAX_PEOPLE_PER_IMPORT } from '../rules/tracking-limits.ts'
import {
  adultProofFields,
  createIntegerQuerySchema,
  createPagedReplySchema,
  createPagingQueryFields,
  idParamsSchema,
  idSchema,
  instantSchema,
  maxCharacters,
  mediaTypeSchema,
} from './common-schemas.ts'
import { defineEndpoint } from './endpoint.ts'
import { mediaCardSchema } from './media.ts'

export const MAX_HISTORY_FILE_BYTES = 200 * 1024 * 1024
/**
 * Maximum number of stored imports of a profile. An upload first deletes old imports. It fails if this number of
 * imports is left.
 */
export const MAX_HISTORY_IMPORTS = 100
/** Services of history files. `other` is a table or a JSON file of any other service, or a spreadsheet. */
const HISTORY_SOURCES = [
  'netflix',
  'trakt',
  'letterboxd',
  'imdb',
  'tmdb',
  'tvtime',
  'myanimelist',
  'kodi',
  'other',
  'marquee',
] as const
/** Result of matching an imported row to a title. `chosen` and `ignored` are decisions of the user. */
const IMPORT_ROW_OUTCOMES = ['matched', 'ambiguous', 'unmatched', 'chosen', 'ignored', 'skipped'] as const
/**
 * Why the server did not read a file of an uploaded archive.
 * - `unknown_format`  no known service has this file format
 * - `unknown_version` a newer version of this site has exported the file
 * - `archive`         the file is itself an archive
 * - `encrypted`       the file is protected with a password
 * - `packing`         the server cannot unpack the compression method
 * - `link`            the entry is a symbolic link
 * - `unsafe_name`     the file name is not valid or too long
 * - `duplicate`       an earlier file of the archive has the same name
 */
const SKIPPED_FILE_REASONS = [
  'unknown_format',
  'unknown_version',
  'archive',
  'encrypted',
  'packing',
  'link',
  'unsafe_name',
  'duplicate',
] as const
export type SkippedFileReason = (typeof SKIPPED_FILE_REASONS)[number]
/** Outcomes by which the list of rows can be filtered. The filter `matched` also returns `chosen` rows. */
const IMPORT_ROW_FILTERS = ['matched', 'ambiguous', 'unmatched', 'ignored', 'skipped'] as const
export type ImportRowFilter = (typeof IMPORT_ROW_FILTERS)[number]

const importRunSchema = z.object({
  import_id: z.string(),
  file_name: z.string(),
  /** Null when an archive contains files of several services. */
  source: z.nullable(z.enum(HISTORY_SOURCES)),
  /** `ready`: the dry run is complete, and nothing was written to the profile yet. */
  status: z.enum(['reading', 'ready', 'applying', 'applied', 'undoing', 'undone', 'failed']),
  /** Error code of a failed run: `unknown_format`, `unknown_version`, `too_large`, `interrupted`, `failed`. */
  message: z.nullable(z.string()),
  /** Progress of the running step towards `total`: bytes while reading, rows while applying or undoing. */
  done: z.number(),
  total: z.number(),
  rows: z.object({
    total: z.number(),
    matched: z.number(),
    ambiguous: z.number(),
    unmatched: z.number(),
    ignored: z.number(),
    skipped: z.number(),
    /**
     * Number of titles that were not added to a list when the import was applied last, because the list was full or the
     * profile had too many lists.
     */
    left_out: z.number(),
  }),
  /** Number of changed database rows, such as progress, viewings, watchlist entries and ratings. */
  changed: z.number(),
  created_at: instantSchema,
  applied_at: z.nullable(instantSchema),
  undone_at: z.nullable(instantSchema),
})
export type ImportRun = z.infer<typeof importRunSchema>

/**
 * What a row changes in the profile. `planned`, `watching` and `completed` are states of My List. `assumed_watched`
 * is a viewing from a row that contains a date but does not say what the date means.
 */
const IMPORT_ROW_EFFECTS = [
  'watched',
  'assumed_watched',
  'rated',
  'liked',
  'disliked',
  'dropped',
  'named_list',
  'planned',
  'watching',
  'completed',
] as const

const importedEpisodeSchema = z.object({ season: z.number(), episode: z.number() })
/** A group of rows of a file that have the same title text and outcome. A decision of the user applies to the group. */
const importRowSchema = z.object({
  n: z.number(),
  /** Number of rows of the file in this group. */
  count: z.number(),
  /** Name of the file inside the archive; null when a single file was uploaded. */
  file: z.nullable(z.string()),
  line: z.number(),
  outcome: z.enum(IMPORT_ROW_OUTCOMES),
  /** Code of the rule that found the title, or code of the reason why no title was found. */
  why: z.string(),
  title: z.string(),
  year: z.nullable(z.number()),
  type: z.nullable(mediaTypeSchema),
  effects: z.array(z.enum(IMPORT_ROW_EFFECTS)),
  /** The rating from 0 to 10; null without a rating, or if the rows of the group have different ratings. */
  rating: z.nullable(z.number()),
  /** First and last episode of the rows; null for movies, and when no episode numbers are known. */
  episodes: z.nullable(z.object({ first: importedEpisodeSchema, last: importedEpisodeSchema })),
  /** Season and episode as written in the file; null for a group of several rows. */
  episode_text: z.nullable(z.string()),
  /** Date as written in the file. */
  at: z.nullable(z.string()),
  match: z.nullable(mediaCardSchema),
  candidates: z.array(mediaCardSchema),
})
export type ImportedRow = z.infer<typeof importRowSchema>

const importArchiveFileSchema = z.object({
  name: z.string(),
  source: z.nullable(z.enum(HISTORY_SOURCES)),
  rows: z.number(),
  /** Why the file was skipped; null when the file was read. */
  why: z.nullable(z.enum(SKIPPED_FILE_REASONS)),
})
export type ImportArchiveFile = z.infer<typeof importArchiveFileSchema>

const importParamsSchema = z.strictObject({ id: idSchema, import_id: idSchema })
const IMPORT_PATH = '/profile/{id}/import/{import_id}'
/**
 * Names of the owners whose rows are applied. `getHistoryImport` returns these names in `owners`. Rows without an owner
 * are always applied. When the field is absent, all rows are applied.
 */
const ownersSchema = z.optional(
  z.array(z.string().check(maxCharacters(200))).check(z.maxLength(MAX_PEOPLE_PER_IMPORT)),
)

export const startHistoryImport = defineEndpoint({
  access: 'profile',
  proof: 'adult',
  method: 'POST',
  path: '/profile/{id}/import',
  params: idParamsSchema,
  query: z.strictObject({ name: z.optional(z.string().check(maxCharacters(300))) }),
  reply: importRunSchema,
  status: 202,
  upload: true,
  maxBodyBytes: MAX_HISTORY_FILE_BYTES,
  errorStatuses: [409],
  summary:
    'Uploads a history file (multipart, or the raw bytes with `name`; gzip and ZIP archives are accepted) and starts a dry run, which writes nothing to the profile',
})
export const listHistoryImports = defineEndpoint({
  access: 'profile',
  proof: 'adult',
  method: 'GET',
  path: '/profile/{id}/import',
  params: idParamsSchema,
  query: z.strictObject({ ...createPagingQueryFields() }),
  reply: createPagedReplySchema(importRunSchema),
  summary: 'Lists the imports of a profile, newest first',
})
export const getHistoryImport = defineEndpoint({
  access: 'profile',
  proof: 'adult',
  method: 'GET',
  path: IMPORT_PATH,
  params: importParamsSchema,
  query: z.strictObject({
    ...createPagingQueryFields(),
    outcome: z._default(z.enum(IMPORT_ROW_FILTERS), 'ambiguous'),
  }),
  reply: z.extend(importRunSchema, {
    /** The profiles in the imported files to which the rows belong, each with the number of its rows. */
    owners: z.array(z.object({ name: z.string(), count: z.number() })),
    /** Files of an archive, sorted by name. The list is empty until the files were read. */
    files: z.array(importArchiveFileSchema),
    list: createPagedReplySchema(importRowSchema),
  }),
  summary: 'Returns the state and counts of an import, and its rows with one outcome',
})
export const resolveHistoryImportRow = defineEndpoint({
  access: 'profile',
  proof: 'adult',
  method: 'PUT',
  path: `${IMPORT_PATH}/rows/{n}`,
  params: z.extend(importParamsSchema, { n: createIntegerQuerySchema(0, 100_000_000) }),
  body: z.strictObject({
    /** Id of the title of the row; null to ignore the row. */
    media_id: z.nullable(idSchema),
    ...adultProofFields,
  }),
  reply: z.object({ rows: z.number() }),
  errorStatuses: [409],
  summary: 'Sets the title of a row, for all rows with the same text and for later imports of this profile',
})
export const applyHistoryImport = defineEndpoint({
  access: 'profile',
  proof: 'adult',
  method: 'POST',
  path: `${IMPORT_PATH}/apply`,
  params: importParamsSchema,
  body: z.strictObject({ owners: ownersSchema, ...adultProofFields }),
  reply: importRunSchema,
  status: 202,
  errorStatuses: [409],
  summary: 'Writes the matched rows to the profile; existing data is not changed',
})
export const undoHistoryImport = defineEndpoint({
  access: 'profile',
  proof: 'adult',
  method: 'POST',
  path: `${IMPORT_PATH}/undo`,
  params: importParamsSchema,
  body: z.strictObject(adultProofFields),
  reply: importRunSchema,
  status: 202,
  errorStatuses: [409],
  summary: 'Reverts an import, except for records that changed since',
})
export const exportProfile = defineEndpoint({
  access: 'profile',
  proof: 'adult',
  stepUp: true,
  method: 'GET',
  path: '/profile/{id}/export',
  params: idParamsSchema,
  query: z.strictObject({ format: z._default(z.enum(['json', 'csv']), 'json') }),
  replyTypes: ['application/json', 'text/csv'],
  summary:
    'Exports the watchlist, progress, viewings and feedback of a profile to a file that can be imported',
})
export const exportAccount = defineEndpoint({
  access: 'user',
  proof: 'adult',
  stepUp: true,
  method: 'GET',
  path: '/auth/user-account/export',
  query: z.strictObject({ format: z._default(z.enum(['json', 'csv']), 'json') }),
  replyTypes: ['application/json', 'text/csv'],
  summary:
    'Exports every profile that is unlocked on this device to one file; as JSON also with all other data of the account, except secrets',
})
