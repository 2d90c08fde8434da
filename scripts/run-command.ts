/** Runs a command: parses its arguments, handles `--help`, opens the database and prints errors as one line. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Config, loadConfig, SettingError } from '../server/core/config.ts'
import { makeNewFilesPrivate } from '../server/core/file-owner.ts'
import { runWithDeps } from '../server/create-deps.ts'
import { DATABASE_FILE_NAME } from '../server/db/database.ts'
import { describeFatalError } from '../server/preflight.ts'
import type { Deps } from '../server/services/deps.ts'

interface CommandArguments {
  options: Record<string, string | undefined>
  flags: ReadonlySet<string>
  positionals: string[]
}

interface ArgumentDefinition {
  help: string
  /** Names of the options that take a value, without the leading `--`. */
  options?: string[]
  /** Names of the options that take no value, without the leading `--`. */
  flags?: string[]
  /** Number of arguments without a name that the command accepts; 0 by default. */
  maxPositionals?: number
}

interface ScriptDefinition extends ArgumentDefinition {
  /** Returns the text that is printed at the end. */
  run: (commandArguments: CommandArguments) => Promise<string>
}

interface CommandDefinition extends ArgumentDefinition {
  /**
   * True if the command needs the data of an existing database. If DATA_DIR contains no database, the command then
   * fails instead of creating one.
   */
  needsDatabase?: boolean
  /** Throws when the arguments are wrong. Called before the database is opened or created. */
  checkArguments?: (commandArguments: CommandArguments) => void
  /** Returns the text that is printed at the end. */
  run: (deps: Deps, commandArguments: CommandArguments) => Promise<string>
}

/**
 * Parses the arguments, runs the script and prints the text that `run` returns. Sets the exit code to 1 after any
 * error: an unknown argument, an invalid setting, or an error of `run`.
 */
export async function runScript({ run, ...definition }: ScriptDefinition): Promise<void> {
  makeNewFilesPrivate()
  try {
    const commandArguments = parseArguments(definition)
    process.stdout.write(`${commandArguments ? await run(commandArguments) : definition.help}\n`)
  } catch (error) {
    process.stderr.write(`${describeFatalError(error)}\n`)
    process.exitCode = 1
  }
}

/** Like `runScript`, for a command that uses the database and the other dependencies. */
export const runCommand = ({
  needsDatabase = false,
  checkArguments = () => {},
  run,
  ...definition
}: CommandDefinition): Promise<void> =>
  runScript({
    ...definition,
    run: async (commandArguments) => {
      checkArguments(commandArguments)
      const config = loadConfig()
      if (needsDatabase) requireDatabase(config)
      return runWithDeps({ ...config, logLevel: 'error' }, (deps) => run(deps, commandArguments))
    },
  })

/** Returns the arguments; null if they contain `--help`. Throws when an argument is unknown. */
function parseArguments({
  options = [],
  flags = [],
  maxPositionals = 0,
}: ArgumentDefinition): CommandArguments | null {
  const optionTypes = Object.fromEntries([
    ...options.map((optionName) => [optionName, { type: 'string' as const }]),
    ...[...flags, 'help'].map((flagName) => [flagName, { type: 'boolean' as const }]),
  ])
  const { values, positionals } = parseArgs({ options: optionTypes, allowPositionals: true })
  const valuesByName = values as Record<string, string | boolean | undefined>
  if (valuesByName['help']) return null
  const unknownArguments = positionals.slice(maxPositionals)
  if (unknownArguments.length > 0) throw new Error(`Unknown argument "${unknownArguments.join(' ')}".`)
  return {
    options: valuesByName as Record<string, string | undefined>,
    flags: new Set(flags.filter((flagName) => valuesByName[flagName] === true)),
    positionals,
  }
}

/**
 * Throws `SettingError` when no PostgreSQL is set and DATA_DIR contains no SQLite database, most likely because
 * DATA_DIR is wrong.
 */
function requireDatabase({ dataDir, databaseUrl }: Config): void {
  if (!databaseUrl && !existsSync(join(dataDir, DATABASE_FILE_NAME)))
    throw new SettingError(`DATA_DIR ${dataDir} contains no ${DATABASE_FILE_NAME}.`)
}
