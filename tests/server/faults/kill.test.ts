/** The server process dies at random moments under write load (bench/faults/run.ts does it a hundred times). */
import { expect, it } from 'vitest'
import { killRounds } from '../../support/kill-rounds.ts'

it('keeps every write that it acknowledged, killed five times', async () => {
  const report = await killRounds(5)
  expect(report.lost).toEqual([])
  expect(report.acknowledged).toBeGreaterThan(50)
}, 180_000)
