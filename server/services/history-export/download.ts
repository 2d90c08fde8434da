/** Responses with an export file, which is streamed while the rows are read. */

import { Problem } from '../../core/problem.ts'
import type { Db } from '../../db/database.ts'
import { writeExportCsv, writeExportJson } from '../../importers/history/marquee-format.ts'
import { selectActiveLoginIds } from '../../queries/login.ts'
import { loadProfilesAudience } from '../auth/audience.ts'
import type { Caller, ProfileCaller } from '../auth/caller.ts'
import type { Deps } from '../deps.ts'
import { readAccountEntries } from './account-entries.ts'
import { type ExportedProfile, readHistoryEntries } from './history-entries.ts'
import { readListEntries } from './list-entries.ts'

/** Minimum number of characters that are buffered before a chunk is sent. */
const MIN_CHUNK_LENGTH = 32_768

type ExportFormat = 'json' | 'csv'
const CONTENT_TYPES = { json: 'application/json; charset=utf-8', csv: 'text/csv; charset=utf-8' } as const

async function* readProfileEntries(db: Db, profiles: readonly ExportedProfile[]) {
  yield* readHistoryEntries(db, profiles)
  yield* readListEntries(db, profiles)
}

/** Responds with an export file of the acting profile. */
export async function createProfileExport(
  { deps, caller }: { deps: Deps; caller: ProfileCaller },
  format: ExportFormat,
): Promise<Response> {
  const { profile, audience } = caller
  const entries = readProfileEntries(deps.database.primary, [{ profileId: profile.profile_id, audience }])
  const chunks = format === 'json' ? writeExportJson(entries) : writeExportCsv(entries)
  return streamFile(streamWhileLoggedIn(deps, caller, chunks), `marquee-export.${format}`, format)
}

/**
 * Exports every profile that this device may enter and, in a JSON file, the other data of the account. Locked profiles
 * are listed by name, to show that the file is incomplete.
 */
export async function createAccountExport(
  { deps, caller }: { deps: Deps; caller: Caller },
  format: ExportFormat,
): Promise<Response> {
  await deps.searchRecorder.write()
  const enterableProfiles = caller.profiles.filter((profile) => profile.enterable)
  const db = deps.database.primary
  const profiles = await Promise.all(
    enterableProfiles.map(async (profile) => ({
      profileId: profile.profile_id,
      audience: await loadProfilesAudience(deps, [profile]),
      name: profile.name,
    })),
  )
  const entries = readProfileEntries(db, profiles)
  const lockedProfiles = caller.profiles
    .filter((profile) => !profile.enterable)
    .map((profile) => profile.name)
  const canEnterMainProfile = caller.profiles.some((profile) => profile.main === 1 && profile.enterable)
  const accountEntries = readAccountEntries(db, {
    accountId: caller.account.account_id,
    canEnterMainProfile,
    profiles,
  })
  const chunks =
    format === 'json'
      ? writeExportJson(entries, { lockedProfiles, accountOnlyEntries: accountEntries })
      : writeExportCsv(entries, { lockedProfiles })
  return streamFile(streamWhileLoggedIn(deps, caller, chunks), `marquee-account.${format}`, format)
}

/**
 * Yields the chunks while the login of the caller is active, and throws when the login has ended. A client that reads
 * slowly would otherwise receive data long after the device was signed out.
 */
async function* streamWhileLoggedIn(
  { database, now }: Deps,
  { login: { sid } }: Caller,
  chunks: AsyncGenerator<string>,
): AsyncGenerator<string> {
  for await (const chunk of joinShortChunks(chunks)) {
    const activeSids = await selectActiveLoginIds(database.primary, [sid], now())
    if (!activeSids.has(sid)) throw new Problem('unauthorized')
    yield chunk
  }
}

/** Joins short chunks, so that not every line is checked and sent separately. */
async function* joinShortChunks(chunks: AsyncGenerator<string>): AsyncGenerator<string> {
  let bufferedText = ''
  for await (const chunk of chunks) {
    bufferedText += chunk
    if (bufferedText.length < MIN_CHUNK_LENGTH) continue
    yield bufferedText
    bufferedText = ''
  }
  if (bufferedText) yield bufferedText
}

/**
 * Responds with the chunks. Reads the first chunk before the response starts, so that an error, for example of the
 * database, gets a response with its status. A later error can only close the connection.
 */
async function streamFile(
  chunks: AsyncGenerator<string>,
  fileName: string,
  format: ExportFormat,
): Promise<Response> {
  const encoder = new TextEncoder()
  let nextChunk: IteratorResult<string> | undefined = await chunks.next()
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = nextChunk ?? (await chunks.next())
      nextChunk = undefined
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    async cancel() {
      await chunks.return(undefined)
    },
  })
  return new Response(stream as BodyInit, {
    headers: {
      'Content-Type': CONTENT_TYPES[format],
      'Content-Disposition': `attachment; filename="${fileName}"`,
    },
  })
}
