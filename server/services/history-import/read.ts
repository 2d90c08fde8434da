/** The dry run: parses the files to import rows and matches each row to a title. It does not change the profile's data. */
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
import { type Held, type HeldFile, openHeld } from './held.ts'
import { UNKNOWN } from './place.ts'
import { Tally } from './tally.ts'

/** Rows in one transaction and in one statement. Statements are short, because a statement blocks the process. */
const ROWS_PER_TRANSACTION = 1_000
const ROWS_PER_STATEMENT = 100
/** Most skipped rows that are stored. Without a limit, a file in the wrong format would fill the database. */
const MAX_STORED_SKIPS = 20_000

export interface Reading {
  run: ImportRow
  audience: Audience
  /** Path of the uploaded file. */
  path: string
  held: Held
}

/** Reads all files of the upload. Throws errors of the files and of the database; see `importFailureCode`. */
export async function readHeld(deps: Deps, { run, audience, path, held: content }: Reading): Promise<void> {
  const { openers, close } = await openHeld(path, content)
  try {
    const choices = await choicesOf(deps.database.primary, run.profile_id)
    const dryRun = new DryRun(deps, {
      run,
      choices,
      catalogue: new Candidates(deps.database.reader, audience),
    })
    const filesToRead = content.files
      .map((file, index) => ({ ...file, index }))
      .filter((file) => file.why === null)
    const refusedFiles = new Set<number>()
    for (const { index, ...file } of filesToRead) {
      const open = openers[index]
      if (!open) continue
      try {
        await dryRun.read(index, { ...file, open })
      } catch (error) {
        // The version is at the start of the file, so no row was read before the error.
        if (!(error instanceof UnknownVersion)) throw error
        refusedFiles.add(index)
        if (refusedFiles.size === filesToRead.length) throw error
      }
    }
    await dryRun.flush()
    if (!content.archive) return
    const files = content.files.map(({ name, source, why: skipReason }, index): HistoryFile => {
      return {
        name,
        source,
        why: refusedFiles.has(index) ? 'unknown_version' : skipReason,
        rows: dryRun.counts.rowsOf(index),
      }
    })
    await updateImport(deps.database.primary, run.import_id, { files: JSON.stringify(files) })
  } finally {
    close()
  }
}

interface DryRunContext {
  run: ImportRow
  choices: Choices
  catalogue: Candidates
}

type PendingItem = { file: number; row: HistoryRow } | { file: number; skip: Skip }

class DryRun {
  readonly counts: Tally
  readonly #deps: Deps
  readonly #context: DryRunContext
  readonly #yieldToEventLoop = breather()
  #pending: PendingItem[] = []
  #skippedCount = 0
  /** Bytes read: in completed files, and in the current file. */
  #completedBytes = 0
  #currentBytes = 0

  constructor(deps: Deps, context: DryRunContext) {
    this.#deps = deps
    this.#context = context
    this.counts = new Tally(context.run.import_id)
  }

  async read(fileIndex: number, { name, open, size: sizeBytes }: HeldFile & { open: Opener }): Promise<void> {
    const onSkip = (skip: Skip) => {
      this.#skippedCount += 1
      if (this.#skippedCount <= MAX_STORED_SKIPS) this.#pending.push({ file: fileIndex, skip })
    }
    const openCounted = () =>
      countBytes(open(), (bytes) => {
        this.#currentBytes = Math.min(bytes, sizeBytes)
      })
    for await (const row of parse(openCounted, name, { onSkip, now: this.#deps.now() })) {
      this.#pending.push({ file: fileIndex, row })
      await this.#yieldToEventLoop()
      if (this.#pending.length >= ROWS_PER_TRANSACTION) await this.flush()
    }
    this.#completedBytes += sizeBytes
    this.#currentBytes = 0
  }

  /** Matches the pending rows and writes them. */
  async flush(): Promise<void> {
    const { choices, run, catalogue } = this.#context
    const items = this.#pending
    this.#pending = []
    const chosenIds = [...new Set([...choices.values()].filter((id) => id !== null))]
    await catalogue.prepare(
      items.flatMap((item) => ('row' in item ? item.row : [])),
      chosenIds,
    )
    const rows: ImportedRow[] = []
    for (const item of items) {
      const decided = 'row' in item ? await decide(item.row, catalogue, choices) : toSkippedRow(item.skip)
      rows.push(this.counts.number(decided, item.file))
      await this.#yieldToEventLoop()
    }
    await this.#deps.database.primary.transaction().execute(async (trx) => {
      for (let from = 0; from < rows.length; from += ROWS_PER_STATEMENT) {
        await insertImportedRows(trx, rows.slice(from, from + ROWS_PER_STATEMENT))
        await this.#yieldToEventLoop()
      }
      const groups = this.counts.takeGroups()
      for (let from = 0; from < groups.length; from += ROWS_PER_STATEMENT) {
        await addGroups(trx, groups.slice(from, from + ROWS_PER_STATEMENT))
        await this.#yieldToEventLoop()
      }
      const doneBytes = this.#completedBytes + this.#currentBytes
      const heartbeat_at = this.#deps.now()
      await updateImport(trx, run.import_id, { done: doneBytes, ...this.counts.told(), heartbeat_at })
    })
    await this.#yieldToEventLoop()
  }
}

async function* countBytes(chunks: AsyncIterable<Uint8Array>, onBytes: (bytes: number) => void) {
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    onBytes(bytes)
    yield chunk
  }
}

const toSkippedRow = ({ line, skip }: Skip): Decided => ({
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

/** The code, which the interface translates, of the reason why a file could not be read. */
export function failureOf(error: unknown): string {
  if (error instanceof UnknownFormat) return 'unknown_format'
  if (error instanceof UnknownVersion) return 'unknown_version'
  return 'failed'
}
