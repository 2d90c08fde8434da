/**
 * Kills the server process three times, at random moments under write load. bench/faults/run.ts kills the process a
 * hundred times.
 */
import { expect, it } from 'vitest'
import { runKillRounds } from '../../support/kill-rounds.ts'

it('keeps every acknowledged write when the server process is killed three times', async () => {
  const report = await runKillRounds(3)
  expect(report.lostWrites).toEqual([])
  expect(report.acknowledgedWriteCount).toBeGreaterThan(50)
}, 180_000)
