/**
 * `npm run bench:faults [-- ROUNDS]`: kills a server with SIGKILL at random moments, 100 times by default, while the
 * server writes, takes a backup and rebuilds the search index. Checks after each restart that every acknowledged write
 * is stored. Exits with 1 if a write is lost, or if there were fewer than 200 writes a second.
 */
import { runKillRounds } from '../../tests/support/kill-rounds.ts'

const roundCount = Number(process.argv[2] ?? 100)
const MIN_WRITES_PER_SECOND = 200

const startMs = performance.now()
const killReport = await runKillRounds(roundCount, (round) =>
  process.stderr.write(`\r${round}/${roundCount}`),
)
process.stderr.write('\n')
const durationSeconds = Math.round((performance.now() - startMs) / 1000)
process.stdout.write(
  `${killReport.finishedRoundCount} kills in ${durationSeconds} s: ${killReport.acknowledgedWriteCount} writes acknowledged, ${killReport.inFlightWriteCount} unacknowledged, ${killReport.lostWrites.length} lost\n`,
)
process.stdout.write(
  `${killReport.writesPerSecond} writes a second; killed during ${killReport.backupRoundCount} backups and ${killReport.rebuildRoundCount} rebuilds of the search index\n`,
)
for (const lostWrite of killReport.lostWrites) process.stdout.write(`${lostWrite}\n`)
process.exit(killReport.lostWrites.length > 0 || killReport.writesPerSecond < MIN_WRITES_PER_SECOND ? 1 : 0)
