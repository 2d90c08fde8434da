/** What the small commands share: options, `--help`, an open database, errors in one sentence. */
import { parseArgs } from 'node:util'
import { loadConfig, SettingError } from '../server/core/config.ts'
import { createDeps } from '../server/main.ts'
import type { Deps } from '../server/services/deps.ts'

interface Command {
  help: string
  options?: string[]
  /** Returns the words to print at the end. */
  run: (deps: Deps, given: Record<string, string | undefined>, rest: string[]) => Promise<string>
}

export async function command({ help, options = [], run }: Command): Promise<void> {
  const names = Object.fromEntries([
    ...options.map((name) => [name, { type: 'string' as const }]),
    ['help', { type: 'boolean' as const }],
  ])
  try {
    const parsed = parseArgs({ options: names, allowPositionals: true })
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
    const text = error instanceof SettingError || error instanceof Error ? error.message : String(error)
    process.stderr.write(`${text}\n`)
    process.exitCode = 1
  }
}
