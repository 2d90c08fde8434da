/**
 * `marquee-export`, version 1: what a profile watched and when, listed and liked, as JSON or as one table. Reading what was written
 * and writing it again gives the same bytes. Nothing in it says who the profile is.
 */
import * as z from 'zod/mini'
import { WATCH_STATES } from '../../../src/lib/rules/limits.ts'
import { csvRecords } from './csv.ts'
import { jsonElements } from './json.ts'

export const FIRST_COLUMN = 'marquee_export_1'

const seconds = z.number().check(z.minimum(0))
const whole = z.int().check(z.minimum(0))
const instant = z.iso.datetime()
/** Imports may know a day only. */
const moment = z.nullable(z.union([instant, z.iso.date()]))
const title = {
  type: z.enum(['movie', 'tv']),
  title: z.string().check(z.minLength(1)),
  year: z.nullable(z.int()),
  imdb_id: z.nullable(z.string().check(z.regex(/^tt\d+$/))),
  tmdb_id: z.nullable(z.int().check(z.minimum(1))),
}
const list = z.strictObject({
  ...title,
  state: z.nullable(z.enum(WATCH_STATES)),
  favorite: z.boolean(),
  added_at: moment,
})
const progress = z.strictObject({
  ...title,
  season: z.nullable(whole),
  episode: z.nullable(whole),
  progress: seconds,
  video_duration: seconds,
  finished: z.boolean(),
  plays: whole,
  updated_at: moment,
})
/** Viewings at their times. The episode is null, and has its title, where its number is not known. */
const play = z.strictObject({
  ...title,
  season: z.nullable(whole),
  episode: z.nullable(whole),
  episode_title: z.nullable(z.string().check(z.minLength(1))),
  watched_at: moment,
})
const feedback = z.strictObject({ ...title, feedback: z.enum(['like', 'dislike']), updated_at: moment })

const SHAPES = { list, progress, play, feedback } as const
type Kind = keyof typeof SHAPES
/** The order in which a file holds them. */
const KINDS = Object.keys(SHAPES) as Kind[]

/** `profile` in the file of a whole account, where entries of several profiles are beside each other. */
export type ExportEntry = { profile?: string } & (
  | ({ kind: 'list' } & z.infer<typeof list>)
  | ({ kind: 'progress' } & z.infer<typeof progress>)
  | ({ kind: 'play' } & z.infer<typeof play>)
  | ({ kind: 'feedback' } & z.infer<typeof feedback>)
)

/** Of a whole account: the names of profiles that are not in the file. */
const LOCKED = 'locked_profiles'
/** What the file of a whole account holds beside history, in its order; imports pass over it. */
const REST = [
  'account',
  'devices',
  'invitations',
  'activity',
  'profiles',
  'signals_off',
  'interactions',
  'muted',
  'notices',
  'imports',
  'import_choices',
] as const
interface Whole {
  locked: readonly string[]
  rest?: AsyncIterable<{ part: (typeof REST)[number]; entry: Record<string, unknown> }>
}

const keysOf = (kind: Kind) => Object.keys(SHAPES[kind].shape)
const COLUMNS = [...new Set(KINDS.flatMap(keysOf))]

export class UnknownVersion extends Error {
  constructor(version: unknown) {
    super(`version ${String(version)} is not known`)
  }
}

export type ReadEntry = { line: number; entry: ExportEntry } | { line: number; bad: true }
type Entries = Iterable<ExportEntry> | AsyncIterable<ExportEntry>

/** Every text of the JSON file. `entries` by kind: list, progress, play, feedback; throws when they are not, or do not fit. */
export async function* writeJson(entries: Entries, whole?: Whole): AsyncGenerator<string> {
  yield '{\n  "format": "marquee-export",\n  "version": 1'
  if (whole) yield `,\n  "${LOCKED}": ${JSON.stringify(whole.locked)}`
  yield* lists(KINDS, entries, (one: ExportEntry) => {
    const { kind, rest } = checked(one)
    return [kind, rest]
  })
  if (whole?.rest) yield* lists(REST, whole.rest, ({ part, entry }) => [part, entry])
  yield '\n}\n'
}

/** One list after the other, each under its name, also where it is empty. Throws when one comes after a later one. */
async function* lists<Name extends string, T>(
  names: readonly Name[],
  entries: Iterable<T> | AsyncIterable<T>,
  saidOf: (one: T) => readonly [Name, unknown],
): AsyncGenerator<string> {
  let open = -1
  let count = 0
  const goTo = (wanted: number) => {
    let text = ''
    while (open < wanted) {
      if (open >= 0) text += count > 0 ? '\n  ]' : ']'
      open += 1
      count = 0
      const name = names[open]
      if (name) text += `,\n  "${name}": [`
    }
    return text
  }
  for await (const one of entries) {
    const [name, entry] = saidOf(one)
    const wanted = names.indexOf(name)
    if (wanted < open) throw new Error(`${name} after ${names[open]}`)
    const start = goTo(wanted)
    yield `${start}${count > 0 ? ',' : ''}\n    ${JSON.stringify(entry)}`
    count += 1
  }
  yield goTo(names.length)
}

/** The same as one table, for spreadsheets; of a whole account with the profile in the last column. */
export async function* writeCsv(entries: Entries, whole?: Whole): AsyncGenerator<string> {
  const columns = whole ? [...COLUMNS, 'profile'] : COLUMNS
  yield `${[FIRST_COLUMN, ...columns].join(',')}\r\n`
  for await (const one of entries) {
    const { kind, rest } = checked(one)
    yield `${[kind, ...columns.map((name) => cellOf(rest[name]))].join(',')}\r\n`
  }
}

/** By the keys of its kind, in their order. */
function checked(entry: ExportEntry): { kind: Kind; rest: Record<string, unknown> } {
  const { kind, profile, ...given } = entry
  const parsed = z.parse(SHAPES[kind], given) as Record<string, unknown>
  const rest = Object.fromEntries(keysOf(kind).map((key) => [key, parsed[key]]))
  return { kind, rest: { ...rest, ...(profile !== undefined && { profile }) } }
}

/** What a spreadsheet would take for a formula; an apostrophe before it says that it is text. */
const FORMULA = /^'*[=+\-@\t\r]/

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value !== 'string') return String(value)
  const text = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export async function* entriesOfJson(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ReadEntry> {
  for await (const { key, listed, value, line } of jsonElements(chunks)) {
    if (!listed && key === 'version' && value !== 1) throw new UnknownVersion(value)
    if (!listed || key === LOCKED || REST.some((name) => name === key)) continue
    const kind = KINDS.find((one) => one === key)
    yield kind ? read(kind, value, line) : { line, bad: true }
  }
}

export async function* entriesOfCsv(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ReadEntry> {
  let columns: string[] | null = null
  for await (const { line, fields } of csvRecords(chunks)) {
    if (!columns) {
      columns = fields
      continue
    }
    const kind = KINDS.find((one) => one === fields[0])
    const values = new Map(columns.map((name, i) => [name, fields[i] ?? '']))
    yield kind
      ? read(
          kind,
          {
            ...Object.fromEntries(keysOf(kind).map((key) => [key, cellValue(key, values.get(key) ?? '')])),
            ...(values.get('profile') && { profile: cellValue('profile', values.get('profile') ?? '') }),
          },
          line,
        )
      : { line, bad: true }
  }
}

const NUMBERS = new Set(['year', 'tmdb_id', 'season', 'episode', 'progress', 'video_duration', 'plays'])

const TEXTS = new Set(['title', 'episode_title', 'profile'])

function cellValue(key: string, cell: string): unknown {
  if (cell === '') return null
  if (NUMBERS.has(key)) return Number(cell)
  if (cell === 'true' || cell === 'false') return TEXTS.has(key) ? cell : cell === 'true'
  return FORMULA.test(cell) && cell.startsWith("'") ? cell.slice(1) : cell
}

function read(kind: Kind, value: unknown, line: number): ReadEntry {
  const { profile, ...given } = (typeof value === 'object' && value ? value : {}) as { profile?: unknown }
  const result = z.safeParse(SHAPES[kind], given)
  if (!result.success || (profile !== undefined && typeof profile !== 'string')) return { line, bad: true }
  return { line, entry: { kind, ...result.data, ...(profile !== undefined && { profile }) } as ExportEntry }
}
