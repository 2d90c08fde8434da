/** The dry run: a file becomes rows, each with the title it is about. Nothing of the profile's own is written. */
import { createReadStream } from 'node:fs'
import type { Deps } from '../../deps.ts'
import { UnknownVersion } from '../../importers/history/marquee-format.ts'
import { parse, UnknownFormat } from '../../importers/history/parse.ts'
import type { HistoryRow, Skip } from '../../importers/history/row.ts'
import { choicesOf, type ImportRow, updateImport } from '../../queries/history-import.ts'
import { addGroups, insertImportedRows, SKIPPED } from '../../queries/history-import-row.ts'
import type { Audience } from '../../queries/scope.ts'
import { breather } from './breathe.ts'
import { Candidates } from './candidates.ts'
import { type Decided, decide } from './decide.ts'
import { UNKNOWN } from './place.ts'
import { Tally } from './tally.ts'

/** Rows in one transaction; and in one statement, which nobody can come between. */
const BATCH = 1_000
const AT_ONCE = 100
/** Rows said to be left out, at most; a file that is none would be all of them. */
const SKIPS_KEPT = 20_000

export interface Reading {
  run: ImportRow
  audience: Audience
  /** Of the uploaded file, and its size in bytes. */
  path: string
  size: number
}

/** Throws what the file or the database throws; `failureOf` has the word for it. */
export async function readFile(deps: Deps, { run, audience, path, size }: Reading): Promise<void> {
  const { primary, reader } = deps.database
  const source = new Candidates(reader, audience)
  const choices = await choicesOf(primary, run.profile_id)
  const chosenIds = [...new Set([...choices.values()].filter((id) => id !== null))]
  const breathe = breather()
  const tally = new Tally(run.import_id)
  let seen = 0
  const skips: Skip[] = []
  const open = () =>
    counted(createReadStream(path), (bytes) => {
      seen = bytes
    })
  const flush = async (rows: HistoryRow[]) => {
    await source.prepare(rows, chosenIds)
    const decided: Decided[] = skips.splice(0).map(skipped)
    for (const row of rows) {
      decided.push(await decide(row, source, choices))
      await breathe()
    }
    const numbered = decided.map((one) => tally.number(one))
    await primary.transaction().execute(async (trx) => {
      for (let from = 0; from < numbered.length; from += AT_ONCE) {
        await insertImportedRows(trx, numbered.slice(from, from + AT_ONCE))
        await breathe()
      }
      const groups = tally.takeGroups()
      for (let from = 0; from < groups.length; from += AT_ONCE) {
        await addGroups(trx, groups.slice(from, from + AT_ONCE))
        await breathe()
      }
      const { counts, owners } = tally.told()
      const done = Math.min(seen, size)
      await updateImport(trx, run.import_id, { done, counts, owners, heartbeat_at: deps.now() })
    })
    await breathe()
  }
  let batch: HistoryRow[] = []
  let left = 0
  const onSkip = (skip: Skip) => {
    left += 1
    if (left <= SKIPS_KEPT) skips.push(skip)
  }
  for await (const row of parse(open, run.file_name, { onSkip, now: deps.now() })) {
    batch.push(row)
    await breathe()
    if (batch.length + skips.length < BATCH) continue
    await flush(batch)
    batch = []
  }
  await flush(batch)
}

async function* counted(chunks: AsyncIterable<Uint8Array>, tell: (bytes: number) => void) {
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    tell(bytes)
    yield chunk
  }
}

const skipped = ({ line, skip }: Skip): Decided => ({
  line,
  owner: '',
  outcome: 'skipped',
  why: skip,
  score: 0,
  row_key: SKIPPED,
  text_key: SKIPPED,
  title_id: null,
  season_number: UNKNOWN,
  episode_number: UNKNOWN,
  data: '{}',
})

/** The word for people about why a file could not be read. */
export function failureOf(error: unknown): string {
  if (error instanceof UnknownFormat) return 'unknown_format'
  if (error instanceof UnknownVersion) return 'unknown_version'
  return 'failed'
}
