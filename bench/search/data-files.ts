/** Reads the published data sets. They are not part of the repository; see docs/measurements/search.md. */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'

const sharedRoot = process.env['MARQUEE_SHARED'] ?? resolve(import.meta.dirname, '../../../shared')
const dataFolder = join(sharedRoot, 'data')
export const hasSearchData = existsSync(join(dataFolder, 'search/queries_derived.tsv.gz'))

export function readDataLines(file: string): string[] {
  const fileBytes = readFileSync(join(dataFolder, file))
  const fileText = file.endsWith('.gz') ? gunzipSync(fileBytes).toString('utf8') : fileBytes.toString('utf8')
  return fileText.split('\n').filter((line) => line !== '')
}

/** Returns the fields of one line of a CSV file (RFC 4180). A field must not contain a line break. */
export function parseCsvLine(line: string): string[] {
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
    (match) => match[1]?.replaceAll('""', '"') ?? match[2] ?? '',
  )
}
