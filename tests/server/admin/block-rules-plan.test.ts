/** The query plans of SQLite for the statements that apply an entry of the block list. */
import type { CompiledQuery, KyselyPlugin } from 'kysely'
import { expect, it } from 'vitest'
import { applyBlockRule } from '../../../server/queries/block-rule.ts'
import { explainStatements } from '../../support/query-plans.ts'
import { startSqliteFileServer } from './admin-test-server.ts'

it.each([
  { type: 'movie', media_id: 1, value: null },
  { type: 'keyword', media_id: null, value: 'heist' },
  { type: 'actor', media_id: 1, value: null },
])(
  'an entry of the block list with the type $type is applied without a scan of titles, people, keywords or credits',
  async (rule) => {
    const service = await startSqliteFileServer()
    try {
      const { primary } = service.server.database
      const statements: CompiledQuery[] = []
      const statementRecorder: KyselyPlugin = {
        transformQuery: ({ node, queryId }) => {
          statements.push(primary.getExecutor().compileQuery(node, queryId))
          return node
        },
        transformResult: async ({ result }) => result,
      }
      await applyBlockRule(primary.withPlugin(statementRecorder), rule)
      const queryPlans = await explainStatements(primary, statements)
      expect(queryPlans.join('\n')).toContain('SEARCH')
      expect(queryPlans.filter((plan) => /SCAN (title|person|title_keyword|k|credit)\b/.test(plan))).toEqual(
        [],
      )
    } finally {
      await service.stop()
    }
  },
)
