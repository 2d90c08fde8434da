/**
 * Compares the server with a model of the requests that a device may send successfully.
 * The test runs random sequences of steps. An adult, who knows the PINs and the password, takes some of the steps.
 * A child, who knows no secret, takes the other steps. The child may reach an unsafe title, an account setting or a
 * profile only if the model allows it. `npm run test:access` runs 10,000 sequences. The environment variable
 * ACCESS_SEED repeats a single sequence.
 */
import { afterAll, beforeAll, describe, it } from 'vitest'
import { usesPostgres } from '../../support/databases.ts'
import { createIntegerGenerator } from '../../support/random.ts'
import { DATABASES, startTestServer, type TestServer } from '../../support/server.ts'
import { type AccessWorld, createWorld } from './access-world.ts'
import { ADULT_STEPS_BY_NAME } from './adult-steps.ts'
import { CHILD_STEPS_BY_NAME, type StepInput } from './child-steps.ts'
import { addTestTitles, createHousehold, type TestTitle } from './household.ts'

const STEPS_PER_SEQUENCE = 30
const SEQUENCES_PER_TEST = 50
const sequenceCount = Number(process.env['ACCESS_SEQUENCES'] ?? (usesPostgres ? 30 : 250))
const requestedSeed = process.env['ACCESS_SEED']
const firstSeed = requestedSeed === undefined ? 1 : Number(requestedSeed)
const lastSeed = requestedSeed === undefined ? sequenceCount : firstSeed
const batchSeeds = Array.from(
  { length: Math.ceil((lastSeed - firstSeed + 1) / SEQUENCES_PER_TEST) },
  (_, index) => firstSeed + index * SEQUENCES_PER_TEST,
)

/**
 * Returns a random profile id, a text that is not an id, or null. The profile belongs to the account of the household
 * or to another account.
 */
function chooseProfileId(
  { model, household, foreignProfileId }: AccessWorld,
  drawInteger: (exclusiveMax: number) => number,
): string | null {
  const ownProfileIds = [...model.profiles.keys()]
  const candidates = [
    ...ownProfileIds,
    ...ownProfileIds,
    household.mainId,
    household.kidId,
    null,
    null,
    foreignProfileId,
    'x',
  ]
  return candidates[drawInteger(candidates.length)] ?? null
}

async function runSequence(server: TestServer, sharedFixture: SharedFixture, seed: number): Promise<void> {
  const drawInteger = createIntegerGenerator(seed)
  const world = await createWorld(server, sharedFixture, drawInteger(5) > 0)
  const stepLog: string[] = []
  try {
    for (let stepIndex = 0; stepIndex < STEPS_PER_SEQUENCE; stepIndex++) {
      const [actor, actorSteps] =
        drawInteger(5) < 2
          ? (['adult', ADULT_STEPS_BY_NAME] as const)
          : (['child', CHILD_STEPS_BY_NAME] as const)
      const stepNames = Object.keys(actorSteps)
      const stepName = stepNames[drawInteger(stepNames.length)] ?? ''
      const stepInput: StepInput = {
        id: chooseProfileId(world, drawInteger),
        otherId: chooseProfileId(world, drawInteger),
        randomNumber: drawInteger(10_000),
      }
      stepLog.push(`${actor} ${stepName} ${JSON.stringify(stepInput)}`)
      await actorSteps[stepName]?.(world, stepInput)
    }
  } catch (error) {
    const profiles = JSON.stringify([...world.model.profiles])
    const stepListText = stepLog.map((line, index) => `${index + 1}. ${line}`).join('\n')
    throw new Error(`Sequence with ACCESS_SEED=${seed} failed.\nProfiles: ${profiles}\n${stepListText}`, {
      cause: error,
    })
  }
}

interface SharedFixture {
  titles: { safe: TestTitle; unsafe: TestTitle }
  foreignProfileId: string
}

describe.each(DATABASES)('a child who knows neither password nor PIN on %s', (_name, openTestDatabase) => {
  let server: TestServer
  let sharedFixture: SharedFixture
  beforeAll(async () => {
    server = await startTestServer({ env: { DEMO: '1' }, database: await openTestDatabase() })
    sharedFixture = {
      titles: await addTestTitles(server),
      foreignProfileId: (await createHousehold(server)).mainId,
    }
  }, 60_000)
  afterAll(() => server.close())

  it.each(batchSeeds)(
    'a child who knows neither password nor PIN cannot reach forbidden data or actions in the random request sequences from seed %i',
    async (firstBatchSeed) => {
      const lastBatchSeed = Math.min(firstBatchSeed + SEQUENCES_PER_TEST - 1, lastSeed)
      for (let currentSeed = firstBatchSeed; currentSeed <= lastBatchSeed; currentSeed++)
        await runSequence(server, sharedFixture, currentSeed)
      for (const table of ['rate_limit', 'audit_event', 'audit_anchor'] as const)
        await server.database.primary.deleteFrom(table).execute()
    },
    120_000,
  )
})
