import { verifyAuditChain } from '../server/services/operations/audit.ts'
import { runCommand } from './run-command.ts'

await runCommand({
  help: 'npm run verify-audit: verifies the hash chain of the whole audit log. Exits with 1 if an event was changed, added or removed.',
  needsDatabase: true,
  run: async (deps) => {
    const { verified, eventCount, brokenAuditId } = await verifyAuditChain(deps, { fromStart: true })
    if (!verified)
      throw new Error(`The chain is broken at event ${brokenAuditId}, after ${eventCount} valid events.`)
    return `${eventCount} events, all unchanged.`
  },
})
