/**
 * Runs command-line tools in lanes: the steps of a lane run one after the other, and the lanes run at the same time.
 */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

export interface LaneStep {
  name: string
  command: string
  args: string[]
  env?: Record<string, string>
  /**
   * True to print every line immediately, with the name of the step in front. Otherwise, the output is printed only
   * when the step fails.
   */
  isStreamed?: boolean
}
export interface StepResult {
  name: string
  isOk: boolean
  seconds: number
}

/** Runs all steps even when some fail. Prints one line per finished step, and the output of failed steps. */
export async function runLanes(lanes: LaneStep[][]): Promise<StepResult[]> {
  const resultsByLane = await Promise.all(
    lanes.map(async (laneSteps) => {
      const laneResults: StepResult[] = []
      for (const step of laneSteps) laneResults.push(await runStep(step))
      return laneResults
    }),
  )
  return resultsByLane.flat()
}

async function runStep({ name, command, args, env = {}, isStreamed = false }: LaneStep): Promise<StepResult> {
  const startMs = performance.now()
  const childProcess = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      ASTRO_TELEMETRY_DISABLED: '1',
      PATH: `${process.cwd()}/node_modules/.bin:${process.env['PATH'] ?? ''}`,
      ...env,
    },
  })
  const outputLines: string[] = []
  for (const stream of [childProcess.stdout, childProcess.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      if (isStreamed) process.stderr.write(`${name}: ${line}\n`)
      else outputLines.push(line)
    })
  }
  const isOk = await new Promise<boolean>((resolve) => {
    childProcess.once('error', (error) => {
      outputLines.push(error.message)
      resolve(false)
    })
    childProcess.once('close', (code) => resolve(code === 0))
  })
  const seconds = (performance.now() - startMs) / 1000
  process.stderr.write(`${isOk ? 'ok  ' : 'FAIL'} ${name} (${seconds.toFixed(1)} s)\n`)
  if (!isOk) process.stderr.write(`${outputLines.join('\n')}\n`)
  return { name, isOk, seconds }
}
