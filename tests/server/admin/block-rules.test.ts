/** A change of the block list updates the titles and people that the changed entry names, and reads no others. */
import { CompiledQuery, type KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { applyBlockRule } from '../../../server/queries/block-rule.ts'
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
  const listBlocked = async (table: 'title' | 'person') => {
    const { rows } = await service.server.database.primary.executeQuery<{ id: number }>(
      CompiledQuery.raw(`select ${table}_id as id from ${table} where blocked = 1 order by ${table}_id`),
    )
    return rows.map(({ id }) => String(id))
  }

  it('a title stays blocked until the last entry of the block list that names the title or one of its keywords is removed', async () => {
    const [firstId = '', secondId = ''] = titleIds
    const titleRule = await addRule({ type: 'movie', media_id: firstId })
    expect(await listBlocked('title')).toEqual([firstId])
    const heistRule = await addRule({ type: 'keyword', value: 'Heist' })
    const robotRule = await addRule({ type: 'keyword', value: 'robot' })
    expect(await listBlocked('title')).toEqual([firstId, secondId])
    await removeRule(heistRule)
    expect(await listBlocked('title')).toEqual([firstId])
    await removeRule(titleRule)
    expect(await listBlocked('title')).toEqual([firstId])
    await removeRule(robotRule)
    expect(await listBlocked('title')).toEqual([])
  })

  it('a keyword is blocked although the source writes its letters and their accents as separate characters', async () => {
    const [titleId] = await addMovies(service, [
      createMovieRecord(4, { keywords: ['Film noir \u00e0 la cafe\u0301'] }),
    ])
    const ruleId = await addRule({ type: 'keyword', value: 'film noir \u00e0 la caf\u00e9' })
    expect(await listBlocked('title')).toEqual([titleId])
    await removeRule(ruleId)
    expect(await listBlocked('title')).toEqual([])
  })

  it('a person is blocked until the entry for this person is removed from the block list', async () => {
    const person = await service.server.database.primary
      .selectFrom('person')
      .select('person_id')
      .executeTakeFirstOrThrow()
    const ruleId = await addRule({ type: 'actor', media_id: String(person.person_id) })
    expect(await listBlocked('person')).toEqual([String(person.person_id)])
    await removeRule(ruleId)
    expect(await listBlocked('person')).toEqual([])
  })
})

it.each([
  { type: 'movie', media_id: 1, value: null },
  { type: 'keyword', media_id: null, value: 'heist' },
  { type: 'actor', media_id: 1, value: null },
])(
  'an entry of the block list with the type $type is applied without a scan of titles, people, keywords or credits',
  async (rule) => {
    const service = await startAdminTestServer()
    try {
      const { primary } = service.server.database
      const statements: CompiledQuery[] = []
      const recorder: KyselyPlugin = {
        transformQuery: ({ node, queryId }) => {
          statements.push(primary.getExecutor().compileQuery(node, queryId))
          return node
        },
        transformResult: async ({ result }) => result,
      }
      await applyBlockRule(primary.withPlugin(recorder), rule)
      const queryPlans: string[] = []
      for (const { sql, parameters } of statements) {
        const { rows } = await primary.executeQuery<{ detail: string }>(
          CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]),
        )
        queryPlans.push(...rows.map((row) => row.detail))
      }
      expect(queryPlans.join('\n')).toContain('SEARCH')
      expect(queryPlans.filter((plan) => /SCAN (title|person|title_keyword|k|credit)\b/.test(plan))).toEqual(
        [],
      )
    } finally {
      await service.stop()
    }
  },
)
