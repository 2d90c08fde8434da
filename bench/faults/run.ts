/**
 * `node bench/faults/run.ts [rounds]`: kills a real server (kill -9) at random moments under write load, a hundred times
 * unless told otherwise, and looks after each restart for every write that was acknowledged. Exits with 1 if one is lost.
 */
import { killRounds } from '../../tests/support/kill-rounds.ts'

const rounds = Number(process.argv[2] ?? 100)
const started = performance.now()
const report = await killRounds(rounds, (round) => process.stderr.write(`\r${round}/${rounds}`))
process.stderr.write('\n')
const seconds = Math.round((performance.now() - started) / 1000)
process.stdout.write(
  `${report.rounds} kills in ${seconds} s: ${report.acknowledged} writes acknowledged, ${report.underway} on their way, ${report.lost.length} lost\n`,
)
for (const line of report.lost) process.stdout.write(`${line}\n`)
process.exit(report.lost.length > 0 ? 1 : 0)
