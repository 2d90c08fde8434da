/** The dry run: files become rows, each with the title it is about. Nothing of the profile's own is written. */
import type { HistoryFile } from '../../../src/lib/contract/transfer.ts'
import type { Deps } from '../../deps.ts'
import { UnknownVersion } from '../../importers/history/marquee-format.ts'
import { parse, UnknownFormat } from '../../importers/history/parse.ts'
import type { HistoryRow, Opener, Skip } from '../../importers/history/row.ts'
import { choicesOf, type ImportRow, updateImport } from '../../queries/history-import.ts'
import { addGroups, type ImportedRow, insertImportedRows, SKIPPED } from '../../queries/history-import-row.ts'
import type { Audience } from '../../queries/scope.ts'
import { breather } from './breathe.ts'
import { Candidates } from './candidates.ts'
import { type Choices, type Decided, decide } from './decide.ts'
import { type Held, openHeld } from './held.ts'
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
  /** Of the uploaded file, and what is in it. */
  path: string
  held: Held
}

/** A file of an archive as the run tells of it: how many rows came of it, or why it was passed over. */
export type ToldFile = HistoryFile

/** Throws what the file or the database throws; `failureOf` has the word for it. */
export async function readHeld(deps: Deps, { run, audience, path, held }: Reading): Promise<void> {
  const { openers, close } = await openHeld(path, held)
  try {
    const choices = await choicesOf(deps.database.primary, run.profile_id)
    const dryRun = new DryRun(deps, { run, choices, source: new Candidates(deps.database.reader, audience) })
    const read = held.files.map((one, at) => ({ ...one, at })).filter((one) => one.why === null)
    const refused = new Set<number>()
    for (const { at, ...file } of read) {
      const open = openers[at]
      if (!open) continue
      try {
        await dryRun.read(at, { ...file, open })
      } catch (error) {
        // It is said by the head of the file, before any row.
        if (!(error instanceof UnknownVersion)) throw error
        refused.add(at)
        if (refused.size === read.length) throw error
      }
    }
    await dryRun.flush()
    if (!held.archive) return
    const files = held.files.map(({ name, source, why }, at): ToldFile => {
      return { name, source, why: refused.has(at) ? 'unknown_version' : why, rows: dryRun.tally.rowsOf(at) }
    })
    await updateImport(deps.database.primary, run.import_id, { files: JSON.stringify(files) })
  } finally {
    close()
  }
}

interface Of {
  run: ImportRow
  choices: Choices
  source: Candidates
}

type Found = { file: number; row: HistoryRow } | { file: number; skip: Skip }

class DryRun {
  readonly tally: Tally
  readonly #deps: Deps
  readonly #of: Of
  readonly #breathe = breather()
  #found: Found[] = []
  #left = 0
  /** Bytes of the files that were read, and of the one that is. */
  #before = 0
  #seen = 0

  constructor(deps: Deps, of: Of) {
    this.#deps = deps
    this.#of = of
    this.tally = new Tally(of.run.import_id)
  }

  async read(
    file: number,
    { name, open, size }: { name: string; open: Opener; size: number },
  ): Promise<void> {
    const onSkip = (skip: Skip) => {
      this.#left += 1
      if (this.#left <= SKIPS_KEPT) this.#found.push({ file, skip })
    }
    const counted = () =>
      count(open(), (bytes) => {
        this.#seen = Math.min(bytes, size)
      })
    for await (const row of parse(counted, name, { onSkip, now: this.#deps.now() })) {
      this.#found.push({ file, row })
      await this.#breathe()
      if (this.#found.length >= BATCH) await this.flush()
    }
    this.#before += size
    this.#seen = 0
  }

  /** Writes what was found since. */
  async flush(): Promise<void> {
    const { choices, run, source } = this.#of
    const found = this.#found
    this.#found = []
    const chosenIds = [...new Set([...choices.values()].filter((id) => id !== null))]
    await source.prepare(
      found.flatMap((one) => ('row' in one ? one.row : [])),
      chosenIds,
    )
    const numbered: ImportedRow[] = []
    for (const one of found) {
      const decided = 'row' in one ? await decide(one.row, source, choices) : skipped(one.skip)
      numbered.push(this.tally.number(decided, one.file))
      await this.#breathe()
    }
    await this.#deps.database.primary.transaction().execute(async (trx) => {
      for (let from = 0; from < numbered.length; from += AT_ONCE) {
        await insertImportedRows(trx, numbered.slice(from, from + AT_ONCE))
        await this.#breathe()
      }
      const groups = this.tally.takeGroups()
      for (let from = 0; from < groups.length; from += AT_ONCE) {
        await addGroups(trx, groups.slice(from, from + AT_ONCE))
        await this.#breathe()
      }
      const done = this.#before + this.#seen
      const heartbeat_at = this.#deps.now()
      await updateImport(trx, run.import_id, { done, ...this.tally.told(), heartbeat_at })
    })
    await this.#breathe()
  }
}

async function* count(chunks: AsyncIterable<Uint8Array>, tell: (bytes: number) => void) {
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
