/**
 * `npm run bench:faults [-- ROUNDS]`: kills a server with SIGKILL at random moments, 100 times by default, while it writes,
 * takes a backup and rebuilds the search index. Checks after each restart that every acknowledged write is stored. Exits
 * with 1 if a write is lost, or if there were fewer than 200 writes a second.
 */
import { runKillRounds } from '../../tests/support/kill-rounds.ts'

const rounds = Number(process.argv[2] ?? 100)
const MIN_WRITES_PER_SECOND = 200

const startMs = performance.now()
const report = await runKillRounds(rounds, (round) => process.stderr.write(`\r${round}/${rounds}`))
process.stderr.write('\n')
const seconds = Math.round((performance.now() - startMs) / 1000)
process.stdout.write(
  `${report.rounds} kills in ${seconds} s: ${report.acknowledgedWrites} writes acknowledged, ${report.inFlightWrites} unacknowledged, ${report.lostWrites.length} lost\n`,
)
process.stdout.write(
  `${report.writesPerSecond} writes a second; killed during ${report.roundsWithBackup} backups and ${report.roundsWithRebuild} rebuilds of the search index\n`,
)
for (const lostWrite of report.lostWrites) process.stdout.write(`${lostWrite}\n`)
process.exit(report.lostWrites.length > 0 || report.writesPerSecond < MIN_WRITES_PER_SECOND ? 1 : 0)
