/** Reads one title from TMDB again, and lists the posters that TMDB has for it. */

import * as z from 'zod/mini'
import type { AdminTitle, TitlePoster } from '../../../src/lib/contract/admin-titles.ts'
import { LOCALES } from '../../../src/lib/i18n/locales.ts'
import { toErrorFields } from '../../core/log.ts'
import { Problem } from '../../core/problem.ts'
import { importTitles } from '../../importers/import-titles.ts'
import { TmdbClient } from '../../importers/tmdb/client.ts'
import { fetchTmdbTitle } from '../../importers/tmdb/fetch-title.ts'
import { tmdbImagesSchema } from '../../importers/tmdb/response-schemas.ts'
import { findTmdbIdByImdbId } from '../../importers/tmdb/search.ts'
import { isImagePath } from '../../providers/artwork/artwork-source.ts'
import type { TitleRow } from '../../queries/title.ts'
import type { RequestContext } from '../context.ts'
import type { Deps } from '../deps.ts'
import { recordCallerAction } from '../operations/audit.ts'
import { loadAdminTitle } from './admin-title.ts'
import { buildRemoteArtPath } from './artwork.ts'
import { requireEditableTitle } from './title-editing.ts'

/**
 * Total time limit of the TMDB requests that an administrator waits for. A series with forty seasons takes about two
 * seconds.
 */
const TMDB_TIMEOUT_MS = 25_000
const MAX_LISTED_POSTERS = 40

/**
 * Imports a title from TMDB again. Edited fields are kept. A title that TMDB marks as adult is hidden. Throws 404 for
 * an unknown or deleted title. Throws 409 without a TMDB token, when TMDB does not have the title, or when the ids of
 * the title belong to another title. Throws 502 when TMDB does not respond.
 */
export async function refreshTitle(context: RequestContext, titleId: string): Promise<AdminTitle> {
  const { deps } = context
  const row = await requireEditableTitle(deps.database.primary, titleId)
  const outcome = await requestTmdb(deps, async (client) =>
    fetchTmdbTitle(client, { kind: row.type as 'movie' | 'tv', id: await findTmdbId(client, row) }),
  )
  if ('skip' in outcome) throw new Problem('conflict', { errors: { tmdb: ['unknown_title'] } })
  // The refresh is recorded before the import, so that no change of a title is missing in the audit log.
  await deps.database.primary
    .transaction()
    .execute((trx) => recordCallerAction(trx, context, { action: 'title_refresh', target: titleId }))
  const importReport = await importTitles(deps, [{ location: titleId, ...outcome }], {
    source: 'tmdb',
  })
  if (importReport.added + importReport.changed + importReport.same === 0)
    throw new Problem('conflict', { errors: { tmdb: ['id_conflict'] } })
  deps.bus.publish('catalogue', { kind: 'title_refresh', media_ids: [titleId] })
  return loadAdminTitle(context, titleId)
}

/**
 * Lists at most MAX_LISTED_POSTERS posters of a title, the best rated first. The posters are in a language of the
 * interface or without text. Throws 404 for an unknown or deleted title. Throws 409 if the settings select drawn
 * artwork, without a TMDB token, or when TMDB does not have the title. Throws 502 when TMDB does not respond or its
 * response is invalid.
 */
export async function listTitlePosters(
  { deps }: RequestContext,
  id: string,
): Promise<{ results: TitlePoster[] }> {
  const row = await requireEditableTitle(deps.database.primary, id)
  if (deps.config.artworkSource !== 'tmdb') throw new Problem('conflict', { errors: { artwork: ['drawn'] } })
  const images = await requestTmdb(deps, async (client) => {
    const query = { include_image_language: [...LOCALES, 'null'].join(',') }
    const body = await client.get(`/${row.type}/${await findTmdbId(client, row)}/images`, query)
    return body === null ? null : z.safeParse(tmdbImagesSchema, body)
  })
  if (!images) throw new Problem('conflict', { errors: { tmdb: ['unknown_title'] } })
  if (!images.success) throw new Problem('upstream_error')
  const posters = (images.data.posters ?? [])
    .filter(({ file_path }) => file_path && isImagePath(file_path))
    .toSorted((a, b) => (b.vote_average ?? 0) - (a.vote_average ?? 0))
    .slice(0, MAX_LISTED_POSTERS)
  return {
    results: posters.map(({ file_path, iso_639_1 }) => ({
      path: buildRemoteArtPath(deps, {
        kind: 'poster',
        key: String(row.title_id),
        lang: 'en',
        imagePath: file_path ?? '',
      }),
      lang: iso_639_1 ?? null,
    })),
  }
}

/** Calls `sendRequests` with a TMDB client. Throws 409 without a TMDB token, and 502 when TMDB does not respond. */
export async function requestTmdb<T>(
  deps: Deps,
  sendRequests: (client: TmdbClient) => Promise<T>,
): Promise<T> {
  const { tmdbApiToken: token, tmdbApiUrl: baseUrl } = deps.config
  if (!token) throw new Problem('conflict', { errors: { tmdb: ['not_configured'] } })
  const client = new TmdbClient({ baseUrl, token, signal: AbortSignal.timeout(TMDB_TIMEOUT_MS) })
  return sendRequests(client).catch((error: unknown) => {
    if (error instanceof Problem) throw error
    deps.log.warn('tmdb', toErrorFields(error))
    throw new Problem('upstream_error', { cause: error })
  })
}

/** Returns the TMDB id of a title. Throws 409 when the title has neither a TMDB id nor an IMDb id that TMDB knows. */
async function findTmdbId(client: TmdbClient, row: TitleRow): Promise<number> {
  const tmdbId = row.tmdb_id ?? (row.imdb_id && (await findTmdbIdByImdbId(client, row.type, row.imdb_id)))
  if (!tmdbId) throw new Problem('conflict', { errors: { tmdb: ['unknown_title'] } })
  return tmdbId
}
