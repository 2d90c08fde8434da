import { verifyAuditChain } from '../server/services/operations/audit.ts'
import { runCommand } from './run-command.ts'

await runCommand({
  help: 'npm run verify-audit: verifies the hash chain of the whole audit log. Exits with 1 if an event was changed, added or removed.',
  run: async (deps) => {
    const {
      verified,
      eventCount: events,
      brokenAuditId: brokenAt,
    } = await verifyAuditChain(deps, { whole: true })
    if (!verified) throw new Error(`The chain is broken at event ${brokenAt}, after ${events} valid events.`)
    return `${events} events, all unchanged.`
  },
})
