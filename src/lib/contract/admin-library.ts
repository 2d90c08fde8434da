/** The files of the media folder and the titles they belong to, for administrators. */

import * as z from 'zod/mini'
import { MAX_INT32, MAX_RELEASE_YEAR, MIN_RELEASE_YEAR } from '../rules/title-ranges.ts'
import { jobSchema } from './admin.ts'
import {
  createIntegerQuerySchema,
  createPagedReplySchema,
  createPagingQueryFields,
  idParamsSchema,
  idSchema,
  localeSchema,
  maxCharacters,
  mediaTypeSchema,
} from './common-schemas.ts'
import { defineEndpoint } from './endpoint.ts'

export const LIBRARY_FILE_STATES = ['matched', 'unmatched', 'ignored'] as const
/**
 * Why a file has no title.
 * - `extra`       the file is a trailer, a sample or other bonus material
 * - `part`        a movie is split into several files ("cd1"), which the server cannot play as one video
 * - `disc`        the file is a disc image, or belongs to the folders of a copied disc
 * - `no_name`     the file name contains no title
 * - `no_title`    the catalogue has no title with the name that the file name contains
 * - `other_year`  the titles with this name have another year than the file name
 * - `ambiguous`   several titles are possible
 * - `unknown_id`  the catalogue has no title with the id that the file name contains
 * - `id_conflict` the ids in the file name belong to different titles
 * - `no_episode`  the series has no episode with the number that the file name contains
 * - `empty`       the file has no content, perhaps because the file is still being copied
 * - `unreadable`  the server has no permission to read the file, or the disk fails
 * - `dismissed`   an administrator decided that the file belongs to no title
 */
export const UNTITLED_FILE_REASONS = [
  'ambiguous',
  'other_year',
  'no_title',
  'unknown_id',
  'id_conflict',
  'no_episode',
  'no_name',
  'part',
  'disc',
  'extra',
  'empty',
  'unreadable',
  'dismissed',
] as const
export type UntitledFileReason = (typeof UNTITLED_FILE_REASONS)[number]

const fileTitleSchema = z.object({
  id: z.string(),
  type: mediaTypeSchema,
  slug: z.string(),
  title: z.string(),
  year: z.nullable(z.number()),
})
export type FileTitle = z.infer<typeof fileTitleSchema>

const libraryFileSchema = z.object({
  id: z.string(),
  /** Path relative to the media folder, separated by `/`. */
  path: z.string(),
  /** Size of the file in bytes. */
  size: z.number(),
  modified_at: z.string(),
  added_at: z.string(),
  type: mediaTypeSchema,
  parsed_title: z.nullable(z.string()),
  parsed_year: z.nullable(z.number()),
  season: z.nullable(z.number()),
  episodes: z.array(z.number()),
  quality: z.nullable(z.string()),
  state: z.enum(LIBRARY_FILE_STATES),
  reason: z.nullable(z.enum(UNTITLED_FILE_REASONS)),
  matched_by: z.nullable(z.enum(['id', 'name', 'choice'])),
  title: z.nullable(fileTitleSchema),
  /** Titles that the file may belong to. */
  candidates: z.array(fileTitleSchema),
})
export type LibraryFileEntry = z.infer<typeof libraryFileSchema>

const chosenTitleSchema = z.strictObject({
  /** Null when the file belongs to no title. */
  title_id: z.nullable(idSchema),
  /** Needed for a series when the file name contains no episode number. */
  season: z.optional(z.int().check(z.minimum(0), z.maximum(9_999))),
  episode: z.optional(z.int().check(z.minimum(0), z.maximum(99_999))),
})
const libraryChoiceSchema = z.extend(chosenTitleSchema, {
  /**
   * `folder`: the choice applies to all files of the folder whose file names contain the same title, including files
   * that are added later.
   */
  scope: z.enum(['file', 'folder']),
})
export type LibraryChoice = z.infer<typeof libraryChoiceSchema>
/** The choices that a request has replaced or deleted. Another request can restore all of them. */
const replacedChoicesSchema = z.array(
  z.strictObject({
    /**
     * Path of the folder to which a choice applies; empty for the media folder itself. Null if the choice applies to
     * one file.
     */
    folder: z.nullable(z.string().check(maxCharacters(4_096))),
    /** Null when there was no choice before. */
    choice: z.nullable(chosenTitleSchema),
  }),
)
export type ReplacedChoices = z.infer<typeof replacedChoicesSchema>

const libraryFolderSchema = z.object({
  /** Name of the first folder in the paths of the counted files; empty for files outside folders. */
  name: z.string(),
  matched: z.number(),
  unmatched: z.number(),
  ignored: z.number(),
  /** Total size of the files in bytes. */
  size: z.number(),
})
export type LibraryFolderCounts = z.infer<typeof libraryFolderSchema>

/** State of the seek bar thumbnails. A background job creates these thumbnails. */
const libraryThumbnailsSchema = z.object({
  /** `off`: turned off. `full`: the disk space that the setting allows is used up. `no_ffmpeg`: ffmpeg is missing. */
  state: z.enum(['available', 'off', 'full', 'no_ffmpeg']),
  /**
   * `files` is the number of files that belong to a title. `handled` is how many of these files the job has processed.
   */
  files: z.number(),
  handled: z.number(),
  /** Total size of the thumbnails in bytes. */
  size: z.number(),
})
export type LibraryThumbnails = z.infer<typeof libraryThumbnailsSchema>

export const getLibrary = defineEndpoint({
  access: 'admin',
  method: 'GET',
  path: '/admin/library',
  reply: z.object({
    /** False when no media folder is set. */
    configured: z.boolean(),
    folders: z.array(libraryFolderSchema),
    /** Number of titles that have a file. */
    titles: z.number(),
    thumbnails: libraryThumbnailsSchema,
  }),
  summary: 'Returns the folders of the media library and counts of their files',
})
export const listLibraryFiles = defineEndpoint({
  access: 'admin',
  method: 'GET',
  path: '/admin/library/files',
  query: z.strictObject({
    ...createPagingQueryFields(),
    state: z.optional(z.enum(LIBRARY_FILE_STATES)),
    reason: z.optional(z.enum(UNTITLED_FILE_REASONS)),
    /** First folder of the path; `/` for files outside folders. */
    folder: z.optional(z.string().check(maxCharacters(300))),
    search: z.optional(z.string().check(maxCharacters(200))),
  }),
  reply: createPagedReplySchema(libraryFileSchema),
  summary: 'Lists the files of the media library, sorted by path',
})
export const getLibraryFile = defineEndpoint({
  access: 'admin',
  method: 'GET',
  path: '/admin/library/files/{id}',
  params: idParamsSchema,
  reply: z.object({
    file: libraryFileSchema,
    /** Information in the header of the file; null when the header cannot be read. */
    video: z.nullable(
      z.object({
        width: z.number(),
        height: z.number(),
        duration_seconds: z.nullable(z.number()),
        chapters: z.number(),
      }),
    ),
    content_type: z.nullable(z.string()),
    /** Subtitle files beside the video. */
    subtitles: z.array(z.object({ lang: z.string(), label: z.string() })),
    /** Number of files to which a choice with the scope `folder` applies; 0 when that scope is not possible. */
    folder_files: z.number(),
    /** True when a chosen series needs `season` and `episode`, because the file name has no episode number. */
    needs_episode: z.boolean(),
    /** True when TMDB_API_TOKEN is set, so that titles can be searched at TMDB. */
    can_search_tmdb: z.boolean(),
  }),
  summary: 'Returns a file of the media library with its media information',
})
export const matchLibraryFile = defineEndpoint({
  access: 'admin',
  method: 'PUT',
  path: '/admin/library/files/{id}/match',
  params: idParamsSchema,
  body: libraryChoiceSchema,
  reply: z.extend(libraryFileSchema, { replaced: replacedChoicesSchema }),
  summary: 'Chooses the title of a file; the choice is remembered',
})
export const unmatchLibraryFile = defineEndpoint({
  access: 'admin',
  method: 'DELETE',
  path: '/admin/library/files/{id}/match',
  params: idParamsSchema,
  reply: z.extend(libraryFileSchema, { replaced: replacedChoicesSchema }),
  summary: 'Forgets the chosen title of a file, so that it is matched by its name again',
})
export const restoreLibraryChoices = defineEndpoint({
  access: 'admin',
  method: 'PUT',
  path: '/admin/library/files/{id}/choices',
  params: idParamsSchema,
  body: z.strictObject({ choices: replacedChoicesSchema.check(z.maxLength(200)) }),
  reply: libraryFileSchema,
  summary: 'Restores the choices that a request for this file has replaced or deleted',
})
const tmdbTitleSchema = z.object({
  tmdb_id: z.number(),
  title: z.string(),
  original_title: z.string(),
  year: z.nullable(z.number()),
  overview: z.nullable(z.string()),
  /** Id of the title in the catalogue; null when the catalogue does not contain the title. */
  title_id: z.nullable(z.string()),
})
export type TmdbTitle = z.infer<typeof tmdbTitleSchema>
export const searchTmdbTitles = defineEndpoint({
  access: 'admin',
  method: 'GET',
  path: '/admin/library/tmdb-titles',
  query: z.strictObject({
    type: z._default(mediaTypeSchema, 'movie'),
    search: z._default(z.string().check(maxCharacters(200)), ''),
    year: z.optional(createIntegerQuerySchema(MIN_RELEASE_YEAR, MAX_RELEASE_YEAR)),
  }),
  reply: z.object({ results: z.array(tmdbTitleSchema) }),
  errorStatuses: [409, 502],
  summary: 'Searches TMDB for a title to add to the catalogue',
})
export const addTitleFromFile = defineEndpoint({
  access: 'admin',
  method: 'POST',
  path: '/admin/library/files/{id}/title',
  params: idParamsSchema,
  body: z.strictObject({
    type: mediaTypeSchema,
    scope: z.enum(['file', 'folder']),
    /** Id of the title to import from TMDB. When absent, the title is created from `titles` and `year`. */
    tmdb_id: z.optional(z.int().check(z.minimum(1), z.maximum(MAX_INT32))),
    /** Needs at least one entry when `tmdb_id` is absent. */
    titles: z._default(
      z
        .array(
          z.strictObject({ lang: localeSchema, text: z.string().check(z.minLength(1), maxCharacters(500)) }),
        )
        .check(z.maxLength(20)),
      [],
    ),
    year: z.optional(z.nullable(z.int().check(z.minimum(MIN_RELEASE_YEAR), z.maximum(MAX_RELEASE_YEAR)))),
    /** Needed for a series when the file name contains no episode number. */
    season: z.optional(z.int().check(z.minimum(0), z.maximum(9_999))),
    episode: z.optional(z.int().check(z.minimum(0), z.maximum(99_999))),
  }),
  reply: z.object({
    file: libraryFileSchema,
    title: fileTitleSchema,
    /** False when the catalogue already had the title. */
    added: z.boolean(),
    replaced: replacedChoicesSchema,
  }),
  errorStatuses: [409, 502],
  summary: 'Adds a title to the catalogue and chooses it for a file',
})
export const scanLibrary = defineEndpoint({
  access: 'admin',
  method: 'POST',
  path: '/admin/library/scan',
  status: 202,
  reply: jobSchema,
  errorStatuses: [409],
  summary: 'Scans the media folder now',
})
export const addTitlesOfFiles = defineEndpoint({
  access: 'admin',
  method: 'POST',
  path: '/admin/library/titles',
  status: 202,
  reply: jobSchema,
  errorStatuses: [409],
  summary: 'Adds titles to the catalogue for all files that belong to none',
})
