import { verifyAuditChain } from '../server/services/operations/audit.ts'
import { command } from './command.ts'

await command({
  help: 'npm run verify-audit: checks the audit log’s chain of hashes from its beginning. Exit code 1 where an event was changed, added or removed.',
  run: async (deps) => {
    const {
      verified,
      eventCount: events,
      brokenAuditId: brokenAt,
    } = await verifyAuditChain(deps, { whole: true })
    if (!verified) throw new Error(`The chain is broken at event ${brokenAt}, after ${events} that fit.`)
    return `${events} events, all as they were written.`
  },
})
