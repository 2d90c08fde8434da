/**
 * The dry run: parses the files into import rows and matches each row to a title. It does not change the profile's
 * data.
 */
import type { ImportArchiveFile } from '../../../src/lib/contract/history-transfer.ts'
import { isDatabaseUnavailable } from '../../core/database-unavailable.ts'
import type { FileOpener, HistoryRow, SkippedRow } from '../../importers/history/history-row.ts'
import { UnknownExportVersionError } from '../../importers/history/marquee-format.ts'
import { parseHistoryFile, UnknownFormatError } from '../../importers/history/parse-history-file.ts'
import { isStorableTitle } from '../../importers/history/storable-row.ts'
import {
  type HistoryImportRun,
  selectHistoryChoices,
  updateHistoryImport,
} from '../../queries/history-import.ts'
import {
  addHistoryRowGroups,
  type HistoryFileRow,
  insertHistoryFileRows,
  SKIPPED_ROW_KEY,
} from '../../queries/history-import-row.ts'
import type { Audience } from '../../queries/title-scope.ts'
import type { Deps } from '../deps.ts'
import { CatalogueCandidates } from './catalogue-candidates.ts'
import { ImportRowCounter, TooManyRowsError } from './import-row-counter.ts'
import { type DecidedRow, decideRowOutcome, type RememberedChoices } from './row-outcome.ts'
import { UNKNOWN_NUMBER } from './season-episode.ts'
import { openUpload, type UploadContent, type UploadedFile } from './upload-content.ts'
import { createEventLoopYield } from './yield-to-event-loop.ts'

/**
 * Maximum numbers of rows in one transaction and in one statement. A statement writes fewer rows, because it blocks the
 * event loop.
 */
const ROWS_PER_TRANSACTION = 1_000
const ROWS_PER_STATEMENT = 100
/**
 * Maximum number of skipped rows that are stored. Further skipped rows are only counted. Without a limit, a file in the
 * wrong format would fill the database.
 */
const MAX_STORED_SKIPS = 20_000

export interface DryRunRequest {
  run: HistoryImportRun
  audience: Audience
  /** Path of the uploaded file. */
  path: string
  content: UploadContent
}

/**
 * Reads all files of the upload, matches their rows and stores the rows. Errors of the files and of the
 * database are thrown; `getImportFailureCode` returns a code for such an error.
 */
export async function runDryRun(deps: Deps, { run, audience, path, content }: DryRunRequest): Promise<void> {
  const { fileOpeners, close: closeUpload } = await openUpload(path, content)
  try {
    const choices = await selectHistoryChoices(deps.database.primary, run.profile_id)
    const dryRun = new DryRun(deps, {
      run,
      choices,
      catalogue: new CatalogueCandidates(deps.database.reader, audience),
    })
    const filesToRead = content.files
      .map((file, index) => ({ ...file, index }))
      .filter((file) => file.skipReason === null)
    const rejectedFileIndexes = new Set<number>()
    for (const { index: fileIndex, ...file } of filesToRead) {
      const openFile = fileOpeners[fileIndex]
      if (!openFile) continue
      try {
        await dryRun.readFile(fileIndex, { ...file, open: openFile })
      } catch (error) {
        // The version number is at the start of the file, so no row of this file was read before the error. The
        // other files are still read.
        if (!(error instanceof UnknownExportVersionError)) throw error
        rejectedFileIndexes.add(fileIndex)
        if (rejectedFileIndexes.size === filesToRead.length) throw error
      }
    }
    dryRun.reportMissingEntries(filesToRead[0]?.index ?? 0)
    await dryRun.flushRows()
    if (!content.isArchive) return
    const files = content.files.map(({ name, source, skipReason }, index): ImportArchiveFile => {
      return {
        name,
        source,
        why: rejectedFileIndexes.has(index) ? 'unknown_version' : skipReason,
        rows: dryRun.counts.countRowsOfFile(index),
      }
    })
    await updateHistoryImport(deps.database.primary, run.import_id, { files: JSON.stringify(files) })
  } finally {
    closeUpload()
  }
}

interface DryRunContext {
  run: HistoryImportRun
  choices: RememberedChoices
  catalogue: CatalogueCandidates
}

type PendingRow = { fileIndex: number; row: HistoryRow } | { fileIndex: number; skippedRow: SkippedRow }

class DryRun {
  readonly counts: ImportRowCounter
  readonly #deps: Deps
  readonly #context: DryRunContext
  readonly #yieldToEventLoop = createEventLoopYield()
  #pendingRows: PendingRow[] = []
  /** Number of rows read so far, including the skipped ones. */
  #readCount = 0
  #skippedCount = 0
  /** Total size of the files that were read completely. */
  #completedBytes = 0
  /** Number of bytes read so far in the current file. */
  #currentBytes = 0

  constructor(deps: Deps, context: DryRunContext) {
    this.#deps = deps
    this.#context = context
    this.counts = new ImportRowCounter(context.run.import_id)
  }

  async readFile(
    fileIndex: number,
    { name, open, sizeBytes }: UploadedFile & { open: FileOpener },
  ): Promise<void> {
    const onSkip = (skip: SkippedRow) => {
      this.#readCount += 1
      this.#skippedCount += 1
      if (this.#skippedCount <= MAX_STORED_SKIPS) this.#pendingRows.push({ fileIndex, skippedRow: skip })
      else this.counts.countRow('skipped', fileIndex)
    }
    const openWithByteCount = () =>
      countBytes(open(), (byteCount) => {
        this.#currentBytes = Math.min(byteCount, sizeBytes)
      })
    for await (const row of parseHistoryFile(openWithByteCount, name, { onSkip, nowMs: this.#deps.now() })) {
      this.#readCount += 1
      this.#pendingRows.push({ fileIndex, row })
      await this.#yieldToEventLoop()
      if (this.#pendingRows.length >= ROWS_PER_TRANSACTION) await this.flushRows()
    }
    this.#completedBytes += sizeBytes
    this.#currentBytes = 0
  }

  /** Adds a skipped row if no file of the upload has an entry, so that the import shows why it is empty. */
  reportMissingEntries(fileIndex: number): void {
    if (this.#readCount === 0)
      this.#pendingRows.push({ fileIndex, skippedRow: { line: 1, skip: 'no_entries' } })
  }

  /** Matches the pending rows and writes them. */
  async flushRows(): Promise<void> {
    const { choices, run, catalogue } = this.#context
    const pendingRows = this.#pendingRows
    this.#pendingRows = []
    const chosenTitleIds = [...new Set([...choices.values()].filter((id) => id !== null))]
    await catalogue.preload(
      pendingRows.flatMap((pendingRow) => ('row' in pendingRow ? pendingRow.row : [])),
      chosenTitleIds,
    )
    const rows: HistoryFileRow[] = []
    for (const pendingRow of pendingRows) {
      const decidedRow =
        'row' in pendingRow
          ? await decideRowOutcome(pendingRow.row, catalogue, choices)
          : toSkippedRow(pendingRow.skippedRow)
      rows.push(this.counts.assignRowNumber(decidedRow, pendingRow.fileIndex))
      await this.#yieldToEventLoop()
    }
    await this.#deps.database.primary.transaction().execute(async (trx) => {
      for (let startIndex = 0; startIndex < rows.length; startIndex += ROWS_PER_STATEMENT) {
        await insertHistoryFileRows(trx, rows.slice(startIndex, startIndex + ROWS_PER_STATEMENT))
        await this.#yieldToEventLoop()
      }
      const newGroups = this.counts.takeNewGroups()
      for (let startIndex = 0; startIndex < newGroups.length; startIndex += ROWS_PER_STATEMENT) {
        await addHistoryRowGroups(trx, newGroups.slice(startIndex, startIndex + ROWS_PER_STATEMENT))
        await this.#yieldToEventLoop()
      }
      const doneBytes = this.#completedBytes + this.#currentBytes
      const heartbeat_at = this.#deps.now()
      await updateHistoryImport(trx, run.import_id, {
        done: doneBytes,
        ...this.counts.toColumns(),
        heartbeat_at,
      })
    })
    await this.#yieldToEventLoop()
  }
}

async function* countBytes(chunks: AsyncIterable<Uint8Array>, onByteCount: (bytes: number) => void) {
  let byteCount = 0
  for await (const chunk of chunks) {
    byteCount += chunk.length
    onByteCount(byteCount)
    yield chunk
  }
}

const toSkippedRow = ({ line, skip, title }: SkippedRow): DecidedRow => ({
  line,
  owner: '',
  outcome: 'skipped',
  why: skip,
  score: 0,
  row_key: SKIPPED_ROW_KEY,
  text_key: SKIPPED_ROW_KEY,
  title_id: null,
  season_number: UNKNOWN_NUMBER,
  episode_number: UNKNOWN_NUMBER,
  data: JSON.stringify(isStorableTitle(title) ? { title } : {}),
})

/** Returns a code for the reason why an import failed. The interface translates the code. */
export function getImportFailureCode(error: unknown): string {
  if (error instanceof UnknownFormatError) return 'unknown_format'
  if (error instanceof UnknownExportVersionError) return 'unknown_version'
  if (error instanceof TooManyRowsError) return 'too_large'
  // The user can repeat the operation when the database is available again.
  if (isDatabaseUnavailable(error)) return 'interrupted'
  return 'failed'
}
