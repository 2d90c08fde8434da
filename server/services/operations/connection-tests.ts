/**
 * Tests the connections to external services with the current settings, so that an administrator can check
 * the settings.
 */
import type { ConnectionTestResult } from '../../../src/lib/contract/admin.ts'
import { toErrorFields } from '../../core/log.ts'
import type { RequestContext } from '../context.ts'
import type { Deps } from '../deps.ts'
import { recordCallerAction } from './audit.ts'
import { sendTestEmail } from './email.ts'

interface ConnectionTestReply {
  result: ConnectionTestResult
  email: string | null
}
const TMDB_TIMEOUT_MS = 10_000

export async function testConnection(
  context: RequestContext,
  service: 'mail' | 'tmdb',
): Promise<ConnectionTestReply> {
  const { deps, caller } = context
  await deps.database.primary
    .transaction()
    .execute((trx) => recordCallerAction(trx, context, { action: 'connection_test', target: service }))
  if (service === 'tmdb') return { result: await testTmdb(deps), email: null }
  const { email, interface_language: language } = caller.account
  return { result: await sendTestEmail(deps, { email, language }), email }
}

/** Sends the smallest request for which TMDB requires a valid token. */
async function testTmdb({ config, log }: Deps): Promise<ConnectionTestResult> {
  const { tmdbApiToken, tmdbApiUrl } = config
  if (!tmdbApiToken) return 'not_configured'
  try {
    const { status } = await fetch(`${tmdbApiUrl}/authentication`, {
      headers: { Authorization: `Bearer ${tmdbApiToken}`, Accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.timeout(TMDB_TIMEOUT_MS),
    })
    if (status === 200) return 'ok'
    return status === 401 || status === 403 ? 'unauthorized' : 'refused'
  } catch (error) {
    log.warn('tmdb', toErrorFields(error))
    return 'unreachable'
  }
}
