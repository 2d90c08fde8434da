/** Read, normalise, validate, upsert in batches, report: the same for every source. */
import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import type { Deps } from '../deps.ts'
import { applyBlockRules } from '../queries/block.ts'
import { type Read, type TitleRecord, titleRecord } from '../queries/title-record.ts'
import { upsertTitle } from '../queries/title-write.ts'

const BATCH = 50
const SKIPS_KEPT = 100

export interface ImportReport {
  read: number
  added: number
  changed: number
  same: number
  skipped: number
  /** The first hundred, as `where: why`. */
  skips: string[]
}

interface Options {
  source: string
  onProgress?: (report: ImportReport) => void
  /** Stops after the batch in hand; what was written stays, and the next run goes on. */
  signal?: AbortSignal
}

/** Each batch is one transaction; a record that does not fit is reported and skipped. A second run changes nothing. */
export async function importTitles(
  deps: Deps,
  reads: Iterable<Read> | AsyncIterable<Read>,
  { source, onProgress, signal }: Options,
): Promise<ImportReport> {
  const report: ImportReport = { read: 0, added: 0, changed: 0, same: 0, skipped: 0, skips: [] }
  let batch: TitleRecord[] = []
  const flush = async () => {
    const records = batch
    batch = []
    await deps.database.primary.transaction().execute(async (trx) => {
      for (const record of records) {
        report[await upsertTitle(trx, record, { source, hash: hashOf(record), now: deps.now() })] += 1
      }
    })
    onProgress?.(report)
  }
  for await (const one of reads) {
    if (signal?.aborted) break
    report.read += 1
    const record = validate(one)
    if (typeof record === 'string') skip(report, `${one.at}: ${record}`)
    else batch.push(record)
    if (batch.length >= BATCH) await flush()
  }
  if (batch.length > 0) await flush()
  await applyBlockRules(deps.database.primary)
  return report
}

function validate(read: Read): TitleRecord | string {
  if ('skip' in read) return read.skip
  const result = z.safeParse(titleRecord, read.record)
  if (result.success) return result.data
  const issue = result.error.issues[0]
  return `${issue?.path.join('.') ?? ''} ${issue?.code ?? 'does not fit'}`.trim()
}

function skip(report: ImportReport, words: string): void {
  report.skipped += 1
  if (report.skips.length < SKIPS_KEPT) report.skips.push(words)
}

function hashOf(record: TitleRecord): string {
  return createHash('sha256').update(JSON.stringify(record)).digest('base64url').slice(0, 22)
}
