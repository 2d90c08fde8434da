import { seedDemoCatalogue } from '../server/first-run.ts'
import { runCommand } from './run-command.ts'

await runCommand({
  help: 'npm run seed: imports the demo catalogue (data/demo/). Running it again changes nothing.',
  run: async (deps) => {
    const report = await seedDemoCatalogue(deps, {}, ({ read }) =>
      process.stderr.write(`\r${read} titles read`),
    )
    process.stderr.write('\n')
    const { added, changed, same, skipped, skips } = report
    return [`${added} added, ${changed} changed, ${same} unchanged, ${skipped} skipped`, ...skips].join('\n')
  },
})
