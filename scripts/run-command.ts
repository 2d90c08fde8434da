/** Runs a command: parses its options, handles `--help`, opens the database and prints errors as one line. */
import { parseArgs } from 'node:util'
import { loadConfig } from '../server/core/config.ts'
import { runWithDeps } from '../server/create-deps.ts'
import type { Deps } from '../server/services/deps.ts'

interface CommandDefinition {
  help: string
  /** Names of the options without `--`. Each takes a value. */
  options?: string[]
  /** Names of the options that take no value. */
  flags?: string[]
  /** Returns the text that is printed at the end. */
  run: (
    deps: Deps,
    options: Record<string, string | undefined>,
    positionals: string[],
    flags: ReadonlySet<string>,
  ) => Promise<string>
}

/**
 * Parses the arguments, runs the command and prints the text that `run` returns. Sets the exit code to 1 after any
 * error: an unknown option, an invalid setting, a database that cannot be opened, or an error of `run`.
 */
export async function runCommand({ help, options = [], flags = [], run }: CommandDefinition): Promise<void> {
  const optionTypes = Object.fromEntries([
    ...options.map((optionName) => [optionName, { type: 'string' as const }]),
    ...[...flags, 'help'].map((flagName) => [flagName, { type: 'boolean' as const }]),
  ])
  try {
    const parsedArguments = parseArgs({ options: optionTypes, allowPositionals: true })
    const valuesByName = parsedArguments.values as Record<string, string | boolean | undefined>
    if (valuesByName['help']) {
      process.stdout.write(`${help}\n`)
      return
    }
    const enabledFlags = new Set(flags.filter((flagName) => valuesByName[flagName] === true))
    await runWithDeps({ ...loadConfig(), logLevel: 'error' }, async (deps) => {
      process.stdout.write(
        `${await run(deps, valuesByName as Record<string, string | undefined>, parsedArguments.positionals, enabledFlags)}\n`,
      )
    })
  } catch (error) {
    const errorMessage = error instanceof Error ? error.message : String(error)
    process.stderr.write(`${errorMessage}\n`)
    process.exitCode = 1
  }
}
