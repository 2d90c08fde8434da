/**
 * Reads and writes the `marquee-export` format, version 1: watchlist, progress, viewings, feedback, ratings
 * and lists, as JSON or CSV. Reading a file and writing it again gives the same bytes. The file of a single
 * profile does not identify the profile.
 */

import * as z from 'zod/mini'
import { ACCOUNT_EXPORT_SECTION_NAMES, type AccountExportSection } from '../../queries/account-export.ts'
import { createDateParser, type DateParser } from './column-dates.ts'
import { parseBoolean, readCsvRecords } from './csv.ts'
import type { FileOpener } from './history-row.ts'
import { readJsonElements } from './json.ts'
import {
  EXPORT_ENTRY_SCHEMAS,
  EXPORT_KINDS,
  type ExportEntry,
  type ExportKind,
  timestampOrDateSchema,
} from './marquee-entries.ts'

export const CSV_FORMAT_COLUMN = 'marquee_export_1'

/** JSON key of an account export. Its value is the names of the locked profiles, whose entries are not in the file. */
const LOCKED_PROFILES_KEY = 'locked_profiles'
interface AccountExportContent {
  /** Names of the profiles that are not in the file. */
  lockedProfiles: readonly string[]
  /**
   * Entries of the sections that only an account export has (ACCOUNT_EXPORT_SECTION_NAMES), in the order of these
   * names. Imports ignore them.
   */
  accountOnlyEntries?: AsyncIterable<{ section: AccountExportSection; entry: Record<string, unknown> }>
}

const getFieldNames = (kind: ExportKind) => Object.keys(EXPORT_ENTRY_SCHEMAS[kind].shape)
const CSV_COLUMNS = [...new Set(EXPORT_KINDS.flatMap(getFieldNames))]

export class UnknownExportVersionError extends Error {
  constructor(version: unknown) {
    super(`version ${String(version)} of the marquee-export format is not supported`)
  }
}

/** An entry with the number of the line where it begins. An invalid entry has only this number. */
export type ParsedExportEntry = { line: number; entry: ExportEntry } | { line: number; isInvalid: true }
type ExportEntries = Iterable<ExportEntry> | AsyncIterable<ExportEntry>

/**
 * Yields the chunks of the JSON file. `entries` must be ordered by kind: list, progress, play, feedback,
 * rating, named_list, list_title. Throws if they are in another order, or if an entry does not match its
 * schema.
 */
export async function* writeExportJson(
  entries: ExportEntries,
  account?: AccountExportContent,
): AsyncGenerator<string> {
  yield '{\n  "format": "marquee-export",\n  "version": 1'
  if (account) yield `,\n  "${LOCKED_PROFILES_KEY}": ${JSON.stringify(account.lockedProfiles)}`
  yield* writeArrays(EXPORT_KINDS, entries, (entry: ExportEntry) => {
    const { kind, fields } = validateEntry(entry)
    return [kind, fields]
  })
  if (account?.accountOnlyEntries)
    yield* writeArrays(ACCOUNT_EXPORT_SECTION_NAMES, account.accountOnlyEntries, ({ section, entry }) => [
      section,
      entry,
    ])
  yield '\n}\n'
}

/**
 * Writes one array per name, in the given order; names without entries get an empty array. Throws if the entries are
 * not in the order of the names.
 */
async function* writeArrays<Name extends string, T>(
  names: readonly Name[],
  entries: Iterable<T> | AsyncIterable<T>,
  toNamedEntry: (entry: T) => readonly [Name, unknown],
): AsyncGenerator<string> {
  let currentArrayIndex = -1
  let writtenCount = 0
  const formatBracketsUpTo = (targetIndex: number) => {
    let separatorText = ''
    while (currentArrayIndex < targetIndex) {
      if (currentArrayIndex >= 0) separatorText += writtenCount > 0 ? '\n  ]' : ']'
      currentArrayIndex += 1
      writtenCount = 0
      const arrayName = names[currentArrayIndex]
      if (arrayName) separatorText += `,\n  "${arrayName}": [`
    }
    return separatorText
  }
  for await (const sourceEntry of entries) {
    const [arrayName, entry] = toNamedEntry(sourceEntry)
    const targetIndex = names.indexOf(arrayName)
    if (targetIndex < currentArrayIndex) throw new Error(`${arrayName} after ${names[currentArrayIndex]}`)
    const openingText = formatBracketsUpTo(targetIndex)
    yield `${openingText}${writtenCount > 0 ? ',' : ''}\n    ${JSON.stringify(entry)}`
    writtenCount += 1
  }
  yield formatBracketsUpTo(names.length)
}

/** Yields the lines of the CSV file. An account export has the profile name in the last column. */
export async function* writeExportCsv(
  entries: ExportEntries,
  account?: AccountExportContent,
): AsyncGenerator<string> {
  const columnNames = account ? [...CSV_COLUMNS, 'profile'] : CSV_COLUMNS
  yield `${[CSV_FORMAT_COLUMN, ...columnNames].join(',')}\r\n`
  for await (const entry of entries) {
    const { kind, fields } = validateEntry(entry)
    yield `${[kind, ...columnNames.map((columnName) => toCsvCell(fields[columnName]))].join(',')}\r\n`
  }
}

/** Returns the fields of an entry in the order of its schema. Throws if the entry does not match the schema. */
function validateEntry(entry: ExportEntry): { kind: ExportKind; fields: Record<string, unknown> } {
  const { kind, profile, ...fieldValues } = entry
  const parsedValues = z.parse(EXPORT_ENTRY_SCHEMAS[kind], fieldValues) as Record<string, unknown>
  const fields = Object.fromEntries(
    getFieldNames(kind).map((fieldName) => [fieldName, parsedValues[fieldName]]),
  )
  return { kind, fields: { ...fields, ...(profile !== undefined && { profile }) } }
}

/**
 * Matches cells that a spreadsheet would run as a formula (CSV injection). An apostrophe in front marks them as text.
 */
const SPREADSHEET_FORMULA_PATTERN = /^'*[=+\-@\t\r]/

function toCsvCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value !== 'string') return String(value)
  const escapedText = SPREADSHEET_FORMULA_PATTERN.test(value) ? `'${value}` : value
  return /[",\r\n]|^\s|\s$/.test(escapedText) ? `"${escapedText.replaceAll('"', '""')}"` : escapedText
}

/**
 * Yields the entries of a JSON export. Throws `UnknownExportVersionError` for another version of the format, and
 * `JsonError` if the file is broken.
 */
export async function* parseExportJson(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ParsedExportEntry> {
  for await (const { key, isArrayElement, value, line } of readJsonElements(chunks)) {
    if (!isArrayElement && key === 'version' && value !== 1) throw new UnknownExportVersionError(value)
    if (
      !isArrayElement ||
      key === LOCKED_PROFILES_KEY ||
      ACCOUNT_EXPORT_SECTION_NAMES.some((sectionName) => sectionName === key)
    )
      continue
    const exportKind = EXPORT_KINDS.find((kind) => kind === key)
    yield exportKind ? parseEntry(exportKind, value, line) : { line, isInvalid: true }
  }
}

/**
 * Yields the entries of a CSV export, which a spreadsheet may have saved. Reads the file twice. Throws `CsvError` if
 * the file is broken.
 */
export async function* parseExportCsv(
  openFile: FileOpener,
  nowMs: number,
): AsyncGenerator<ParsedExportEntry> {
  const parseDate = await createDateParser(openFile, TIME_FIELDS, nowMs)
  const parseField = (fieldName: string, cell: string) => parseCell(fieldName, cell, parseDate)
  let columnIndexesByName: Map<string, number> | null = null
  for await (const { line, fields } of readCsvRecords(openFile())) {
    if (!columnIndexesByName) {
      columnIndexesByName = new Map(fields.map((columnName, i) => [columnName, i]))
      continue
    }
    const indexesByName = columnIndexesByName
    const getCell = (columnName: string) => fields[indexesByName.get(columnName) ?? -1] ?? ''
    const exportKind = EXPORT_KINDS.find((kind) => kind === fields[0])
    yield exportKind
      ? parseEntry(
          exportKind,
          {
            ...Object.fromEntries(
              getFieldNames(exportKind)
                .filter((fieldName) => !OPTIONAL_FIELDS.has(fieldName) || getCell(fieldName))
                .map((fieldName) => [fieldName, parseField(fieldName, getCell(fieldName))]),
            ),
            ...(getCell('profile') && { profile: parseField('profile', getCell('profile')) }),
          },
          line,
        )
      : { line, isInvalid: true }
  }
}

const NUMBER_FIELDS = new Set([
  'year',
  'tmdb_id',
  'season',
  'episode',
  'progress',
  'video_duration',
  'plays',
  'rating',
])

const BOOLEAN_FIELDS = new Set(['favorite', 'finished', 'shared', 'on_home', 'marked'])
/** Fields in which an empty cell is an empty text. In all other fields, an empty cell is null. */
const NEVER_NULL_FIELDS = new Set(['description'])
/** Fields that an entry omits when they have no value. Other fields without a value are null. */
const OPTIONAL_FIELDS = new Set(['marked', 'note'])
const TIME_FIELDS = ['added_at', 'updated_at', 'watched_at']
/** Fields whose line breaks are line feeds. A spreadsheet may save them as CR or CRLF, which the schema rejects. */
const MULTILINE_FIELDS = new Set(['description', 'note'])

/**
 * Returns the value of a cell. A spreadsheet saves numbers, booleans and dates in the notation of its locale. A date
 * that cannot be read is returned as text, so that the schema rejects the entry.
 */
function parseCell(fieldName: string, cell: string, parseDate: DateParser): unknown {
  if (cell === '') return NEVER_NULL_FIELDS.has(fieldName) ? '' : null
  if (NUMBER_FIELDS.has(fieldName)) return Number(cell.replace(',', '.'))
  if (BOOLEAN_FIELDS.has(fieldName)) return parseBoolean(cell)
  if (TIME_FIELDS.includes(fieldName))
    // A valid time is returned unchanged, because the date parser would drop its fractions of a second.
    return z.safeParse(timestampOrDateSchema, cell).success ? cell : (parseDate(cell) ?? cell)
  const text = SPREADSHEET_FORMULA_PATTERN.test(cell) && cell.startsWith("'") ? cell.slice(1) : cell
  return MULTILINE_FIELDS.has(fieldName) ? text.replace(/\r\n?/g, '\n') : text
}

function parseEntry(kind: ExportKind, value: unknown, line: number): ParsedExportEntry {
  const { profile, ...fieldValues } = (typeof value === 'object' && value ? value : {}) as {
    profile?: unknown
  }
  const parseResult = z.safeParse(EXPORT_ENTRY_SCHEMAS[kind], fieldValues)
  if (!parseResult.success || (profile !== undefined && typeof profile !== 'string'))
    return { line, isInvalid: true }
  return {
    line,
    entry: { kind, ...parseResult.data, ...(profile !== undefined && { profile }) } as ExportEntry,
  }
}
