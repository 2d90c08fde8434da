/** Imports people from sources that have more data about them than the cast list of a title. */
import { setImmediate } from 'node:timers/promises'
import * as z from 'zod/mini'
import { lockUntilCommit } from '../db/lock.ts'
import { upsertPeople } from '../queries/person-write.ts'
import { type PersonRecord, personRecordSchema } from '../queries/title-record.ts'
import { type ImportReport, reportSkip } from './import-report.ts'
import { CATALOGUE_IMPORT_LOCK } from './import-titles.ts'
import type { ImporterDeps } from './importer.ts'
import { limitPersonNames } from './record-limits.ts'

const BATCH_SIZE = 20

/**
 * A person record, or the reason why it was skipped. `location` is the position of the record in the source, for the
 * report.
 */
export type PersonReadResult = { location: string; record: PersonRecord } | { location: string; skip: string }

interface ImportPeopleOptions {
  report: ImportReport
  onProgress?: ((report: ImportReport) => void) | undefined
  onWritten?: (locations: string[]) => void | Promise<void>
  signal?: AbortSignal | undefined
}

/** Inserts or updates people in batches; each batch is one transaction. Invalid records are reported and skipped. */
export async function importPeople(
  deps: ImporterDeps,
  readResults: AsyncIterable<PersonReadResult>,
  { report, onProgress, onWritten, signal }: ImportPeopleOptions,
): Promise<void> {
  let batch: PersonReadResult[] = []
  const flushBatch = async () => {
    const batchToWrite = batch
    batch = []
    const records = batchToWrite.flatMap((readResult) => ('record' in readResult ? [readResult.record] : []))
    await deps.database.primary.transaction().execute(async (trx) => {
      await lockUntilCommit(trx, CATALOGUE_IMPORT_LOCK)
      await upsertPeople(trx, records)
    })
    await onWritten?.(batchToWrite.map(({ location }) => location))
    onProgress?.(report)
    await setImmediate()
  }
  for await (const readResult of readResults) {
    if (signal?.aborted) break
    const validatedResult = validatePerson(readResult)
    if ('skip' in validatedResult) reportSkip(report, validatedResult.location, validatedResult.skip)
    batch.push(validatedResult)
    if (batch.length >= BATCH_SIZE) await flushBatch()
  }
  if (batch.length > 0) await flushBatch()
}

function validatePerson(readResult: PersonReadResult): PersonReadResult {
  if ('skip' in readResult) return readResult
  const record = limitPersonNames(readResult.record)
  const parseResult = z.safeParse(personRecordSchema, record)
  return parseResult.success
    ? { ...readResult, record }
    : { location: readResult.location, skip: `${parseResult.error.issues[0]?.path.join('.')} is invalid` }
}
