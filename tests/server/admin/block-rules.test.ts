/** A change of the block list updates the titles and people that the changed entry names, and reads no others. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { upsertPeople } from '../../../server/queries/person-write.ts'
import { DATABASES } from '../../support/server.ts'
import {
  type AdminTestServer,
  addMovies,
  createMovieRecord,
  startAdminTestServer,
} from './admin-test-server.ts'

describe.each(DATABASES)('the block list on %s', (_name, openTestDatabase) => {
  let service: AdminTestServer
  let titleIds: string[]
  beforeAll(async () => {
    service = await startAdminTestServer({ database: await openTestDatabase() })
    titleIds = await addMovies(service, [
      createMovieRecord(1, { keywords: ['heist', 'robot'], cast: [{ person: { name: 'Ada Lake' } }] }),
      createMovieRecord(2, { keywords: ['heist'] }),
      createMovieRecord(3),
    ])
  }, 60_000)
  afterAll(() => service.stop())

  const addRule = async (rule: Record<string, string>) =>
    (await service.admin.post('/api/blocklist', rule)).body.id as string
  const removeRule = (id: string) => service.admin.delete(`/api/blocklist/${id}`)
  const listBlockedIds = async (table: 'title' | 'person') => {
    const idColumn = sql.ref(`${table}_id`)
    const { rows } = await sql<{
      id: number
    }>`select ${idColumn} as id from ${sql.table(table)} where blocked = 1 order by ${idColumn}`.execute(
      service.server.database.primary,
    )
    return rows.map(({ id }) => String(id))
  }

  it('a title stays blocked until the last entry of the block list that names the title or one of its keywords is removed', async () => {
    const [firstId = '', secondId = ''] = titleIds
    const titleRule = await addRule({ type: 'movie', media_id: firstId })
    expect(await listBlockedIds('title')).toEqual([firstId])
    const heistRule = await addRule({ type: 'keyword', value: 'Heist' })
    const robotRule = await addRule({ type: 'keyword', value: 'robot' })
    expect(await listBlockedIds('title')).toEqual([firstId, secondId])
    await removeRule(heistRule)
    expect(await listBlockedIds('title')).toEqual([firstId])
    await removeRule(titleRule)
    expect(await listBlockedIds('title')).toEqual([firstId])
    await removeRule(robotRule)
    expect(await listBlockedIds('title')).toEqual([])
  })

  it('blocking a keyword also blocks a title whose metadata source writes the accents of the keyword as separate characters', async () => {
    const [titleId] = await addMovies(service, [
      createMovieRecord(4, { keywords: ['Film noir \u00e0 la cafe\u0301'] }),
    ])
    const ruleId = await addRule({ type: 'keyword', value: 'film noir \u00e0 la caf\u00e9' })
    expect(await listBlockedIds('title')).toEqual([titleId])
    await removeRule(ruleId)
    expect(await listBlockedIds('title')).toEqual([])
  })

  it('when an import merges two blocked people, one entry of the block list remains, and its removal unblocks the merged person', async () => {
    const { primary } = service.server.database
    const [keptId, droppedId] = await upsertPeople(primary, [
      { name: 'Lin Marsh', imdb_id: 'nm0000901', tmdb_id: 901 },
      { name: 'Lin Marsh', tmdb_id: 902 },
    ])
    const keptRule = await addRule({ type: 'actor', media_id: String(keptId) })
    await addRule({ type: 'actor', media_id: String(droppedId) })
    await upsertPeople(primary, [{ name: 'Lin Marsh', imdb_id: 'nm0000901', tmdb_id: 902 }])
    const { results } = (await service.admin.get('/api/blocklist?type=actor')).body
    expect(results.map(({ id }: { id: string }) => id)).toEqual([keptRule])
    await removeRule(keptRule)
    expect(await listBlockedIds('person')).toEqual([])
  })

  it('a person is blocked until the entry for this person is removed from the block list', async () => {
    const person = await service.server.database.primary
      .selectFrom('person')
      .select('person_id')
      .executeTakeFirstOrThrow()
    const ruleId = await addRule({ type: 'actor', media_id: String(person.person_id) })
    expect(await listBlockedIds('person')).toEqual([String(person.person_id)])
    await removeRule(ruleId)
    expect(await listBlockedIds('person')).toEqual([])
  })
})
