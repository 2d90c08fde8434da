/** Writes folders of dumps in the format that IMDb publishes, with synthetic titles. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll } from 'vitest'

const HEADERS_BY_DUMP = {
  'title.basics':
    'tconst titleType primaryTitle originalTitle isAdult startYear endYear runtimeMinutes genres',
  'title.akas': 'titleId ordering title region language types attributes isOriginalTitle',
  'title.ratings': 'tconst averageRating numVotes',
  'title.episode': 'tconst parentTconst seasonNumber episodeNumber',
  'title.principals': 'tconst ordering nconst category job characters',
  'title.crew': 'tconst directors writers',
  'name.basics': 'nconst primaryName birthYear deathYear primaryProfession knownForTitles',
}
export type ImdbDumps = Partial<Record<keyof typeof HEADERS_BY_DUMP, string[]>>

const temporaryFolders: string[] = []
afterAll(() => {
  for (const folder of temporaryFolders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

export function createTemporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-imdb-'))
  temporaryFolders.push(folder)
  return folder
}

/** Returns a compressed dump. The fields of `rows` are separated by `|`. */
export const compressDump = (dumpName: keyof typeof HEADERS_BY_DUMP, rows: string[]): Buffer =>
  gzipSync(
    `${[HEADERS_BY_DUMP[dumpName].replaceAll(' ', '\t'), ...rows.map((row) => row.replaceAll('|', '\t'))].join('\n')}\n`,
  )

export function writeDumps(dumps: ImdbDumps, folder = createTemporaryFolder()): string {
  for (const [dumpName, rows] of Object.entries(dumps)) {
    writeFileSync(
      join(folder, `${dumpName}.tsv.gz`),
      compressDump(dumpName as keyof typeof HEADERS_BY_DUMP, rows),
    )
  }
  return folder
}

/** A movie, a series of two seasons, a short, an adult movie and a movie with few votes, with their cast and crew. */
export const SMALL_DUMPS: ImdbDumps = {
  'title.ratings': [
    'tt0000101|8.1|52000',
    'tt0000102|7.4|9000',
    'tt0000103|6.0|400',
    'tt0000104|5.0|900',
    'tt0000105|5.5|12',
    'tt0000201|8.8|700',
  ],
  'title.basics': [
    'tt0000101|movie|The Salt Road|La route du sel|0|1999|\\N|112|Drama,Western,Romance',
    'tt0000102|tvSeries|Harbour Lights|Harbour Lights|0|2010|2012|45|Crime,Sci-Fi,War',
    'tt0000103|short|Snail|Snail|0|2001|\\N|7|Animation,Short',
    'tt0000104|movie|Red Room|Red Room|1|2003|\\N|80|Adult',
    'tt0000105|movie|Hardly Seen|Hardly Seen|0|2005|\\N|\\N|\\N',
    'tt0000201|tvEpisode|First Light|First Light|0|2010|\\N|44|Crime',
    'tt0000202|tvEpisode|Second Wind|Second Wind|0|2010|\\N|46|Crime',
    'tt0000203|tvEpisode|Fog|Fog|0|2011|\\N|\\N|Crime',
    'tt0000204|tvEpisode|Lost|Lost|0|2011|\\N|\\N|Crime',
  ],
  'title.akas': [
    'tt0000101|1|La route du sel|\\N|\\N|original|\\N|1',
    'tt0000101|2|La route du sel|FR|\\N|imdbDisplay|\\N|0',
    'tt0000101|3|The Salt Road|US|en|imdbDisplay|\\N|0',
    'tt0000101|4|طريق الملح|EG|\\N|imdbDisplay|\\N|0',
    'tt0000101|5|Tariq al-milh|EG|ar|\\N|transliterated title|0',
    'tt0000101|6|Die Salzstraße|DE|\\N|\\N|\\N|0',
    'tt0000101|7|Salt|XWW|en|working|\\N|0',
    'tt0000101|8|ხმელი გზა|GE|\\N|\\N|\\N|0',
    'tt0000105|1|Gone|US|\\N|\\N|\\N|0',
  ],
  'title.episode': [
    'tt0000201|tt0000102|1|1',
    'tt0000202|tt0000102|1|2',
    'tt0000203|tt0000102|2|1',
    'tt0000204|tt0000102|\\N|\\N',
    'tt0000299|tt0000999|1|1',
  ],
  'title.principals': [
    'tt0000101|1|nm0000001|actress|\\N|["Inès","The Nurse"]',
    'tt0000101|2|nm0000002|actor|\\N|\\N',
    'tt0000101|3|nm0000003|director|\\N|\\N',
    'tt0000101|4|nm0000002|archive_footage|\\N|\\N',
    'tt0000102|1|nm0000002|actor|\\N|["Captain "Hook" Moss"]',
    'tt0000105|1|nm0000009|actor|\\N|\\N',
  ],
  'title.crew': ['tt0000101|nm0000003|nm0000004', 'tt0000102|\\N|nm0000004'],
  'name.basics': [
    'nm0000001|Ada Marsh|1960|\\N|actress|tt0000101',
    'nm0000002|Bo Lind|1955|2001|actor|\\N',
    'nm0000003|Chi Wren|\\N|\\N|director|\\N',
    'nm0000004|Ada Marsh|1970|\\N|writer|\\N',
    'nm0000009|Nobody Here|\\N|\\N|actor|\\N',
  ],
}
