/** Files that go out, written as they are read. */

import type { Deps } from '../../deps.ts'
import type { Caller, ProfileCaller } from '../../http/caller.ts'
import { writeCsv, writeJson } from '../../importers/history/marquee-format.ts'
import { Problem } from '../../problem.ts'
import { restOf } from './account.ts'
import { entriesOf } from './entries.ts'

type Format = 'json' | 'csv'
const TYPES = { json: 'application/json; charset=utf-8', csv: 'text/csv; charset=utf-8' } as const

export function ofProfile({ deps, caller }: { deps: Deps; caller: ProfileCaller }, format: Format): Response {
  const { profile, audience } = caller
  const entries = entriesOf(deps.database.primary, [{ profileId: profile.profile_id, audience }])
  return answer(
    format === 'json' ? writeJson(entries) : writeCsv(entries),
    `marquee-export.${format}`,
    format,
  )
}

/**
 * Every profile that this device may enter now and, as JSON, all else that is kept of the account; the names of locked ones are listed, so that nobody takes the file for
 * whole. Throws 403 while a kids profile acts: it may export its own.
 */
export function ofAccount({ deps, caller }: { deps: Deps; caller: Caller }, format: Format): Response {
  const open = caller.profiles.filter((one) => one.enterable)
  const adults = (profiles: readonly { kids: number }[]) => profiles.some((one) => one.kids !== 1)
  if (caller.acting?.kids === 1 || (adults(caller.profiles) && !adults(open))) throw new Problem('forbidden')
  const db = deps.database.primary
  const profiles = open.map((one) => ({
    profileId: one.profile_id,
    audience: { kids: one.kids === 1 },
    name: one.name,
  }))
  const entries = entriesOf(db, profiles)
  const locked = caller.profiles.filter((one) => !one.enterable).map((one) => one.name)
  const main = caller.profiles.some((one) => one.main === 1 && one.enterable)
  const rest = restOf(db, { accountId: caller.account.account_id, main, profiles })
  const pieces = format === 'json' ? writeJson(entries, { locked, rest }) : writeCsv(entries, { locked })
  return answer(pieces, `marquee-account.${format}`, format)
}

function answer(pieces: AsyncGenerator<string>, name: string, format: Format): Response {
  const bytes = bytesOf(pieces)
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await bytes.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await bytes.return(undefined)
    },
  })
  return new Response(stream as BodyInit, {
    headers: { 'Content-Type': TYPES[format], 'Content-Disposition': `attachment; filename="${name}"` },
  })
}

/** In pieces worth sending. */
async function* bytesOf(pieces: AsyncGenerator<string>): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder()
  let held = ''
  for await (const piece of pieces) {
    held += piece
    if (held.length < 32_768) continue
    yield encoder.encode(held)
    held = ''
  }
  if (held) yield encoder.encode(held)
}
