/**
 * `node bench/faults/run.ts [rounds]`: kills a server with SIGKILL at random moments under write load, 100 times by
 * default, and checks after each restart that every acknowledged write is stored. Exits with 1 if a write is lost.
 */
import { runKillRounds } from '../../tests/support/kill-rounds.ts'

const rounds = Number(process.argv[2] ?? 100)
const startMs = performance.now()
const report = await runKillRounds(rounds, (round) => process.stderr.write(`\r${round}/${rounds}`))
process.stderr.write('\n')
const seconds = Math.round((performance.now() - startMs) / 1000)
process.stdout.write(
  `${report.rounds} kills in ${seconds} s: ${report.acknowledgedWrites} writes acknowledged, ${report.inFlightWrites} unacknowledged, ${report.lostWrites.length} lost\n`,
)
for (const lostWrite of report.lostWrites) process.stdout.write(`${lostWrite}\n`)
process.exit(report.lostWrites.length > 0 ? 1 : 0)
