/**
 * Runs `pg_dump`, `pg_restore` and `psql` from the PATH. The password is passed in the environment, never as an
 * argument.
 */
import { type ChildProcess, type SpawnOptionsWithoutStdio, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { accessSync, closeSync, constants, existsSync, openSync, rmSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { APPLICATION_NAME } from '../core/application-name.ts'
import { combineSignals } from '../core/combine-signals.ts'
import { DatabaseUnavailableError } from '../core/database-unavailable.ts'
import { copyOwner, createPrivateFolder } from '../core/file-owner.ts'
import { completePartialFile, getPartialPath } from '../core/partial-file.ts'

type PostgresTool = 'pg_dump' | 'pg_restore' | 'psql'

export function hasPostgresTool(name: PostgresTool): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/** Without this timeout, the tools of PostgreSQL wait for ever if a server accepts a connection but sends nothing. */
const CONNECT_TIMEOUT_SECONDS = 10
/**
 * A dump whose file has not grown for this time is ended: the server does not respond, or another statement locks a
 * table. A long dump of a working server grows all the time.
 */
const DUMP_STALL_TIMEOUT_MS = 300_000

/** Parameters of a connection URL that are passed on. Others are removed, because libpq rejects unknown parameters. */
const LIBPQ_PARAMETERS = new Set([
  'application_name',
  'channel_binding',
  'connect_timeout',
  'host',
  'options',
  'port',
  'sslcert',
  'sslkey',
  'sslmode',
  'sslrootcert',
  'target_session_attrs',
])

interface PostgresToolConnection {
  /** Connection URL without the password, because other users of the machine can read arguments. */
  url: string
  env: NodeJS.ProcessEnv
}

function createToolConnection(databaseUrl: string): PostgresToolConnection {
  const url = new URL(databaseUrl)
  const env = {
    PGCONNECT_TIMEOUT: String(CONNECT_TIMEOUT_SECONDS),
    ...process.env,
    ...(url.password && { PGPASSWORD: decodeURIComponent(url.password) }),
  }
  url.password = ''
  for (const name of [...url.searchParams.keys()])
    if (!LIBPQ_PARAMETERS.has(name)) url.searchParams.delete(name)
  // Node's driver knows this mode, in which certificates are not verified. libpq calls it `require`.
  if (url.searchParams.get('sslmode') === 'no-verify') url.searchParams.set('sslmode', 'require')
  return { url: url.href, env }
}

interface PostgresToolOptions {
  env?: NodeJS.ProcessEnv
  signal?: AbortSignal | undefined
}

const spawnTool = (name: PostgresTool, toolArguments: string[], options: SpawnOptionsWithoutStdio = {}) =>
  spawn(name, toolArguments, options)

/** Resolves with the standard output. Rejects with the end of the standard error output. */
function runTool(
  name: PostgresTool,
  toolArguments: string[],
  { env = process.env, signal }: PostgresToolOptions = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    // The signal is SIGKILL. On SIGTERM, pg_dump would first tell the server to cancel the query, and would wait for
    // ever if the server does not respond.
    const child = spawnTool(name, toolArguments, { env, killSignal: 'SIGKILL', ...(signal && { signal }) })
    let stdout = ''
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk
    })
    waitForTool(name, child).then(() => resolve(stdout), reject)
  })
}

/** Messages of libpq and of the server about a lost connection, and about a server that starts or stops. */
const CONNECTION_LOSS_PATTERN =
  /connection to server|server closed the connection|terminating connection|the database system is/

/**
 * Resolves when the program has ended successfully. Otherwise rejects with the end of its standard error output. The
 * error is a `DatabaseUnavailableError` if the program could not connect to the server or lost the connection.
 */
function waitForTool(name: PostgresTool, child: ChildProcess): Promise<void> {
  let stderr = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk).slice(-2_000)
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) return resolve()
      const message = `${name} exited with code ${code}: ${stderr.trim()}`
      reject(
        CONNECTION_LOSS_PATTERN.test(stderr) ? new DatabaseUnavailableError(message) : new Error(message),
      )
    })
  })
}

/**
 * Calls `writeFile` with a signal that aborts when `signal` does, or when the file at `filePath` has not grown for
 * `stallTimeoutMs`.
 * @throws DatabaseUnavailableError when the file has not grown.
 */
async function abortWriteWhenStalled(
  filePath: string,
  { signal, stallTimeoutMs }: { signal: AbortSignal | undefined; stallTimeoutMs: number },
  writeFile: (signal: AbortSignal) => Promise<unknown>,
): Promise<void> {
  const stallController = new AbortController()
  let lastSizeBytes = -1
  let lastGrowthMs = performance.now()
  const timer = setInterval(async () => {
    const sizeBytes = await stat(filePath).then(
      ({ size }) => size,
      () => lastSizeBytes,
    )
    if (sizeBytes !== lastSizeBytes) {
      lastSizeBytes = sizeBytes
      lastGrowthMs = performance.now()
    } else if (performance.now() - lastGrowthMs > stallTimeoutMs) stallController.abort()
  }, stallTimeoutMs / 10)
  timer.unref()
  try {
    await writeFile(combineSignals(signal, stallController.signal))
  } catch (error) {
    if (!stallController.signal.aborted) throw error
    throw new DatabaseUnavailableError(
      `The dump was ended: the server sent no data for ${stallTimeoutMs / 1_000} seconds.`,
    )
  } finally {
    clearInterval(timer)
  }
}

interface PostgresDumpOptions {
  signal?: AbortSignal | undefined
  stallTimeoutMs?: number
}

/**
 * Writes the database in PostgreSQL's custom format, without the schemas that earlier restores have kept. The file is
 * renamed to its final name only after it was checked, so that an interrupted dump never looks like a backup.
 * @throws Error when the file exists already, or the dump fails. The error is a `DatabaseUnavailableError` when the
 *   server cannot be reached or stops sending data.
 */
export async function dumpPostgres(
  url: string,
  filePath: string,
  { signal, stallTimeoutMs = DUMP_STALL_TIMEOUT_MS }: PostgresDumpOptions = {},
): Promise<void> {
  if (existsSync(filePath)) throw new Error(`${filePath} exists already; backups never overwrite a file.`)
  createPrivateFolder(dirname(filePath))
  const partialPath = getPartialPath(filePath)
  rmSync(partialPath, { force: true })
  // pg_dump keeps the mode of an existing file. The dump contains password hashes.
  closeSync(openSync(partialPath, 'wx', 0o600))
  copyOwner(dirname(filePath), partialPath)
  const connection = createToolConnection(url)
  try {
    const dumpArguments = [
      '--format=custom',
      '--no-owner',
      `--exclude-schema=${PREVIOUS_SCHEMA_PREFIX}*`,
      `--file=${partialPath}`,
      `--dbname=${connection.url}`,
    ]
    await abortWriteWhenStalled(partialPath, { signal, stallTimeoutMs }, (dumpSignal) =>
      runTool('pg_dump', dumpArguments, { env: connection.env, signal: dumpSignal }),
    )
    await checkPostgresDump(partialPath)
    signal?.throwIfAborted()
    completePartialFile(partialPath, filePath)
  } finally {
    rmSync(partialPath, { force: true })
  }
}

/**
 * Reads the table of contents of a dump. Throws if the file is not a dump, or not a dump of a Marquee
 * database.
 */
export async function checkPostgresDump(filePath: string): Promise<void> {
  const archiveListing = await runTool('pg_restore', ['--list', filePath])
  for (const table of ['account', 'profile', 'title', 'kysely_migration']) {
    if (!archiveListing.includes(`TABLE DATA public ${table} `))
      throw new Error(`The dump has no table ${table}.`)
  }
}

/** Reads the number of accounts and the names of the applied migrations of a dump. */
export async function readDumpSummary(
  filePath: string,
): Promise<{ accountCount: number; migrations: string[] }> {
  const [accountRows, migrationRows] = await Promise.all(
    ['account', 'kysely_migration'].map((table) => readDumpTable(filePath, table)),
  )
  return {
    accountCount: accountRows?.length ?? 0,
    migrations: (migrationRows ?? []).map((row) => row.split('\t')[0] ?? ''),
  }
}

/** Returns the rows of a table in PostgreSQL's text format: values separated by tabs. */
async function readDumpTable(filePath: string, table: string): Promise<string[]> {
  const script = await runTool('pg_restore', ['--data-only', `--table=${table}`, '--file=-', filePath])
  const lines = script.split('\n')
  const firstRowIndex = lines.findIndex((line) => line.startsWith('COPY ')) + 1
  return firstRowIndex === 0 ? [] : lines.slice(firstRowIndex, lines.indexOf('\\.', firstRowIndex))
}

/** Returns true while another Marquee process is connected to the database. */
export async function isPostgresInUse(url: string): Promise<boolean> {
  const connection = createToolConnection(url)
  const connectionCount = await runTool(
    'psql',
    [
      '--no-psqlrc',
      '--tuples-only',
      '--no-align',
      `--command=select count(*) from pg_stat_activity where datname = current_database() and application_name = '${APPLICATION_NAME}'`,
      `--dbname=${connection.url}`,
    ],
    { env: connection.env },
  )
  return Number(connectionCount) > 0
}

/**
 * A restore moves the previous tables to a schema. The name of the schema is this prefix and the digits of the date and
 * the time of the restore. The digits include milliseconds, because two restores can take place in one second.
 */
const PREVIOUS_SCHEMA_PREFIX = 'before_restore_'

/**
 * Returns a statement that stores a new log id, as `updateCatalogueLogId` does. The search index of each machine may
 * contain changes that the dump lacks, and the new log id makes each machine rebuild its index. If a dump of an
 * earlier version has no column for the log id, the statement does nothing: the migration at the next start adds the
 * column with a value.
 */
const createLogIdStatement = (logId: string) =>
  `do $$ begin update public.catalogue_version set log_id = '${logId}', writer = 0; exception when undefined_column or undefined_table then null; end $$`

/**
 * Replaces the tables of the database with the tables of a dump, in one transaction. Returns the name of the schema
 * with the previous tables. The previous schema is renamed as a whole. `pg_restore --clean` would drop only the tables
 * that the dump contains, and would fail if a table that a later version added refers to a dropped table.
 */
export async function restorePostgres(url: string, filePath: string): Promise<string> {
  const connection = createToolConnection(url)
  const previousSchema = `${PREVIOUS_SCHEMA_PREFIX}${new Date().toISOString().replace(/\D/g, '')}`
  const reader = spawnTool('pg_restore', ['--no-owner', '--file=-', filePath])
  const writer = spawnTool(
    'psql',
    [
      '--no-psqlrc',
      '--quiet',
      '--single-transaction',
      '--set=ON_ERROR_STOP=1',
      `--command=alter schema public rename to ${previousSchema}; create schema public`,
      '--file=-',
      `--command=${createLogIdStatement(randomUUID())}`,
      '--output=/dev/null',
      `--dbname=${connection.url}`,
    ],
    { env: connection.env },
  )
  writer.stdout.resume()
  // After an error, psql no longer reads, and writing to its input then fails too. waitForTool reports the first error.
  writer.stdin.on('error', () => {})
  reader.stdout.pipe(writer.stdin, { end: false })
  const writePromise = waitForTool('psql', writer)
  try {
    await Promise.race([waitForTool('pg_restore', reader), writePromise])
    // psql commits at the end of its input, so the input ends only after the whole dump was read.
    writer.stdin.end()
    await writePromise
  } catch (error) {
    reader.kill('SIGKILL')
    writer.kill('SIGKILL')
    await writePromise.catch(() => {})
    throw error
  }
  return previousSchema
}

/**
 * Dumps the database before migrations. `filePath` has the extension `.dump`. Returns false, without a dump, if
 * `pg_dump` or `pg_restore` is not installed.
 */
export async function dumpPostgresIfPossible(url: string, filePath: string): Promise<boolean> {
  if (!hasPostgresTool('pg_dump') || !hasPostgresTool('pg_restore')) return false
  await dumpPostgres(url, filePath)
  return true
}
