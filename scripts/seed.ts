import { seedDemoCatalogue } from '../server/first-run.ts'
import { command } from './command.ts'

await command({
  help: 'npm run seed: brings the demo catalogue (data/demo/) into the database. Safe to run again: it changes nothing then.',
  run: async (deps) => {
    const report = await seedDemoCatalogue(deps, ({ read }) => process.stderr.write(`\r${read} titles read`))
    process.stderr.write('\n')
    const { added, changed, same, skipped, skips } = report
    return [`${added} added, ${changed} changed, ${same} as they were, ${skipped} skipped`, ...skips].join(
      '\n',
    )
  },
})
