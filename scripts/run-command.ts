/** Runs a command-line command: parses its options, handles `--help`, opens the database and prints errors as one line. */
import { parseArgs } from 'node:util'
import { loadConfig } from '../server/core/config.ts'
import { createDeps } from '../server/create-deps.ts'
import type { Deps } from '../server/services/deps.ts'

interface CommandDefinition {
  help: string
  /** Names of the options without `--`. Each takes a value. */
  options?: string[]
  /** Returns the text that is printed at the end. */
  run: (deps: Deps, options: Record<string, string | undefined>, positionals: string[]) => Promise<string>
}

/** Sets the exit code to 1 when `run` throws. */
export async function runCommand({ help, options = [], run }: CommandDefinition): Promise<void> {
  const optionTypes = Object.fromEntries([
    ...options.map((name) => [name, { type: 'string' as const }]),
    ['help', { type: 'boolean' as const }],
  ])
  try {
    const parsed = parseArgs({ options: optionTypes, allowPositionals: true })
    const values = parsed.values as Record<string, string | boolean | undefined>
    if (values['help']) {
      process.stdout.write(`${help}\n`)
      return
    }
    const { deps } = await createDeps({ ...loadConfig(), logLevel: 'error' })
    try {
      process.stdout.write(
        `${await run(deps, values as Record<string, string | undefined>, parsed.positionals)}\n`,
      )
    } finally {
      await deps.database.close()
    }
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    process.stderr.write(`${text}\n`)
    process.exitCode = 1
  }
}
