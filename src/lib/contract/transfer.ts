/** History that comes in from elsewhere, and goes out whenever somebody wants (docs/importing-history.md). */
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { mediaCard } from './media.ts'
import { id, idParam, instant, listOf, mediaType, paging, whole } from './parts.ts'

export const MAX_HISTORY_FILE = 200 * 1024 * 1024
const SOURCES = ['netflix', 'trakt', 'letterboxd', 'imdb', 'tvtime', 'marquee'] as const
/** What a row of a dry run is; `chosen` and `ignored` were said by hand. */
const OUTCOMES = ['matched', 'ambiguous', 'unmatched', 'chosen', 'ignored', 'skipped'] as const
/** Why a file of an archive is not read. */
const PASSED_OVER = [
  'unknown_format',
  'unknown_version',
  'archive',
  'encrypted',
  'packing',
  'link',
  'unsafe_name',
  'duplicate',
] as const
export type PassedOver = (typeof PASSED_OVER)[number]
/** Lists of rows; what was chosen is among the matched. */
const SHOWN = ['matched', 'ambiguous', 'unmatched', 'ignored', 'skipped'] as const
export type Shown = (typeof SHOWN)[number]

const run = z.object({
  import_id: z.string(),
  file_name: z.string(),
  /** Null where an archive holds files of several services. */
  source: z.nullable(z.enum(SOURCES)),
  /** `ready` is a dry run that nothing was written of. */
  status: z.enum(['reading', 'ready', 'applying', 'applied', 'undoing', 'undone', 'failed']),
  /** Why it failed: `unknown_format`, `unknown_version`, `interrupted`, `failed`. */
  message: z.nullable(z.string()),
  /** Of `total`, while something is done: bytes when reading, rows after. */
  done: z.number(),
  total: z.number(),
  rows: z.object({
    total: z.number(),
    matched: z.number(),
    ambiguous: z.number(),
    unmatched: z.number(),
    ignored: z.number(),
    skipped: z.number(),
  }),
  /** How much of the profile's history, list and likes it changed. */
  changed: z.number(),
  created_at: instant,
  applied_at: z.nullable(instant),
  undone_at: z.nullable(instant),
})
export type ImportRun = z.infer<typeof run>

/** Rows of one text and one outcome: one decision holds for all of them. */
const row = z.object({
  n: z.number(),
  /** How many rows of the file. */
  count: z.number(),
  /** Which file of an archive; null where one file was sent. */
  file: z.nullable(z.string()),
  line: z.number(),
  outcome: z.enum(OUTCOMES),
  /** How it was found, or why it was not. */
  why: z.string(),
  title: z.string(),
  year: z.nullable(z.number()),
  type: z.nullable(mediaType),
  /** Dates as the file has them. */
  at: z.nullable(z.string()),
  match: z.nullable(mediaCard),
  candidates: z.array(mediaCard),
})
export type ImportedRow = z.infer<typeof row>

/** A file inside an archive. */
const historyFile = z.object({
  name: z.string(),
  source: z.nullable(z.enum(SOURCES)),
  rows: z.number(),
  /** Why it was passed over; null when it was read. */
  why: z.nullable(z.enum(PASSED_OVER)),
})
export type HistoryFile = z.infer<typeof historyFile>

const one = z.strictObject({ id, import_id: id })
const ONE = '/profile/{id}/import/{import_id}'
/** Names inside the file whose rows are meant, where it holds several people's. Without it, everybody's. */
const owners = z.optional(z.array(z.string().check(z.maxLength(200))).check(z.maxLength(50)))

export const startImport = endpoint({
  access: 'profile',
  method: 'POST',
  path: '/profile/{id}/import',
  params: idParam,
  query: z.strictObject({ name: z.optional(z.string().check(z.maxLength(300))) }),
  reply: run,
  status: 202,
  upload: true,
  maxBody: MAX_HISTORY_FILE,
  summary:
    'Uploads a history file (multipart, or the bytes with `name`; gzip is fine, and a ZIP as a service hands it out) and begins a dry run: nothing is written yet',
})
export const listImports = endpoint({
  access: 'profile',
  method: 'GET',
  path: '/profile/{id}/import',
  params: idParam,
  query: z.strictObject({ ...paging() }),
  reply: listOf(run),
  summary: 'Imports of a profile, the newest first',
})
export const getImport = endpoint({
  access: 'profile',
  method: 'GET',
  path: ONE,
  params: one,
  query: z.strictObject({ ...paging(), outcome: z._default(z.enum(SHOWN), 'ambiguous') }),
  reply: z.extend(run, {
    /** Whose rows the file holds, where it says. */
    owners: z.array(z.object({ name: z.string(), count: z.number() })),
    /** Of an archive: its files by name, once they were read. */
    files: z.array(historyFile),
    list: listOf(row),
  }),
  summary: 'State, counts and rows of one outcome',
})
export const resolveImportRow = endpoint({
  access: 'profile',
  method: 'PUT',
  path: `${ONE}/rows/{n}`,
  params: z.extend(one, { n: whole(0, 100_000_000) }),
  body: z.strictObject({
    /** The title that is meant; null for none of ours. */
    media_id: z.nullable(id),
  }),
  reply: z.object({ rows: z.number() }),
  summary: 'Says what a text means, for all its rows and for later imports of this profile',
})
export const applyImport = endpoint({
  access: 'profile',
  method: 'POST',
  path: `${ONE}/apply`,
  params: one,
  body: z.strictObject({ owners }),
  reply: run,
  status: 202,
  summary: 'Writes what was matched; what is there already stays as it is',
})
export const undoImport = endpoint({
  access: 'profile',
  method: 'POST',
  path: `${ONE}/undo`,
  params: one,
  reply: run,
  status: 202,
  summary: 'Takes an import back: rows are what they were, but for those that changed since',
})
export const exportProfile = endpoint({
  access: 'profile',
  method: 'GET',
  path: '/profile/{id}/export',
  status: 200,
  params: idParam,
  query: z.strictObject({ format: z._default(z.enum(['json', 'csv']), 'json') }),
  summary: 'My List, history, viewings and likes of a profile, as a file that can be imported again',
})
export const exportAccount = endpoint({
  access: 'user',
  method: 'GET',
  path: '/auth/user-account/export',
  status: 200,
  query: z.strictObject({ format: z._default(z.enum(['json', 'csv']), 'json') }),
  summary:
    'The same of every profile that is open on this device, in one file; as JSON with all else that is kept of the account, secrets apart',
})
