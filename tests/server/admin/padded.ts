/** A server whose database is so big that a backup takes a while, with writes in the middle of it. */
import { join } from 'node:path'
import { expect } from 'vitest'
import { addMovies, movie, type Service, startService } from './service.ts'

const PADDING_MB = 48

export interface Padded extends Service {
  /** The folder of its backups. */
  backups: string
  fileOf: (name: string | null) => string
  /** A backup, by its name. */
  made: () => Promise<string>
}

export async function startPadded(): Promise<Padded> {
  const service = await startService()
  const backups = join(service.folder, 'backups')
  await addMovies(service, [movie(1), movie(2)])
  const { sqlite } = service.server.database
  sqlite?.exec('create table padding (bytes text)')
  const pad = sqlite?.prepare('insert into padding values (hex(randomblob(500000)))')
  for (let at = 0; at < PADDING_MB; at++) pad?.run()
  return {
    ...service,
    backups,
    fileOf: (name) => join(backups, `${name}.db`),
    made: async () => {
      const job = await service.ended(await service.admin.post('/api/admin/backups'))
      expect(job).toMatchObject({ status: 'done' })
      return job.message ?? ''
    },
  }
}
