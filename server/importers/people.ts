/** People by themselves, for sources that tell more of them than a cast list does. */
import { setImmediate } from 'node:timers/promises'
import * as z from 'zod/mini'
import { lockUntilCommit } from '../db/lock.ts'
import type { Deps } from '../deps.ts'
import { upsertPeople } from '../queries/person-write.ts'
import { type PersonRecord, personRecord } from '../queries/title-record.ts'
import { WRITER } from './pipeline.ts'
import { type ImportReport, skip } from './report.ts'

const BATCH = 20

export type PersonRead = { at: string; record: PersonRecord } | { at: string; skip: string }

interface Options {
  report: ImportReport
  onProgress?: ((report: ImportReport) => void) | undefined
  onWritten?: (at: string[]) => void
  signal?: AbortSignal | undefined
}

/** Adds people, or what is news of them, in batches of one transaction each. */
export async function importPeople(
  deps: Deps,
  reads: AsyncIterable<PersonRead>,
  { report, onProgress, onWritten, signal }: Options,
): Promise<void> {
  let batch: PersonRead[] = []
  const flush = async () => {
    const ready = batch
    batch = []
    const records = ready.flatMap((read) => ('record' in read ? [read.record] : []))
    await deps.database.primary.transaction().execute(async (trx) => {
      await lockUntilCommit(trx, WRITER)
      await upsertPeople(trx, records)
    })
    onWritten?.(ready.map(({ at }) => at))
    onProgress?.(report)
    await setImmediate()
  }
  for await (const read of reads) {
    if (signal?.aborted) break
    const checked = check(read)
    if ('skip' in checked) skip(report, checked.at, checked.skip)
    batch.push(checked)
    if (batch.length >= BATCH) await flush()
  }
  if (batch.length > 0) await flush()
}

function check(read: PersonRead): PersonRead {
  if ('skip' in read) return read
  const result = z.safeParse(personRecord, read.record)
  return result.success
    ? read
    : { at: read.at, skip: `${result.error.issues[0]?.path.join('.')} does not fit` }
}
