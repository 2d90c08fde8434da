/** Imports people, for sources that deliver more about them than the cast list of a title does. */
import { setImmediate } from 'node:timers/promises'
import * as z from 'zod/mini'
import { lockUntilCommit } from '../db/lock.ts'
import { upsertPeople } from '../queries/person-write.ts'
import { type PersonRecord, personRecordSchema } from '../queries/title-record.ts'
import { type ImportReport, reportSkip } from './import-report.ts'
import { CATALOGUE_IMPORT_LOCK } from './import-titles.ts'
import type { ImporterDeps } from './importer.ts'

const BATCH_SIZE = 20

/** A person record, or why it was skipped. `at` is its location in the source, for the report. */
export type PersonReadResult = { at: string; record: PersonRecord } | { at: string; skip: string }

interface ImportPeopleOptions {
  report: ImportReport
  onProgress?: ((report: ImportReport) => void) | undefined
  onWritten?: (locations: string[]) => void
  signal?: AbortSignal | undefined
}

/** Inserts or updates people in batches; each batch is one transaction. Invalid records are reported and skipped. */
export async function importPeople(
  deps: ImporterDeps,
  reads: AsyncIterable<PersonReadResult>,
  { report, onProgress, onWritten, signal }: ImportPeopleOptions,
): Promise<void> {
  let batch: PersonReadResult[] = []
  const flush = async () => {
    const batchToWrite = batch
    batch = []
    const records = batchToWrite.flatMap((read) => ('record' in read ? [read.record] : []))
    await deps.database.primary.transaction().execute(async (trx) => {
      await lockUntilCommit(trx, CATALOGUE_IMPORT_LOCK)
      await upsertPeople(trx, records)
    })
    onWritten?.(batchToWrite.map(({ at }) => at))
    onProgress?.(report)
    await setImmediate()
  }
  for await (const read of reads) {
    if (signal?.aborted) break
    const validated = validatePerson(read)
    if ('skip' in validated) reportSkip(report, validated.at, validated.skip)
    batch.push(validated)
    if (batch.length >= BATCH_SIZE) await flush()
  }
  if (batch.length > 0) await flush()
}

function validatePerson(read: PersonReadResult): PersonReadResult {
  if ('skip' in read) return read
  const result = z.safeParse(personRecordSchema, read.record)
  return result.success ? read : { at: read.at, skip: `${result.error.issues[0]?.path.join('.')} is invalid` }
}
