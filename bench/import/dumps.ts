/**
 * Writes the seven files of an IMDb dataset with invented titles, of any size and with realistic proportions. About
 * three of four rows of title.basics are episodes, and most alternative titles and credits belong to episodes. An
 * eighth of the titles and episodes have votes, and few of these have many votes. Equal arguments give equal files.
 */
import { createWriteStream, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { createGzip, type Gzip } from 'node:zlib'
import {
  createMulberry32,
  type GeneratedTitle,
  generateCatalogue,
  generatePersonName,
} from '../generate/catalogue.ts'

const HEADERS_BY_DATASET = {
  'title.basics':
    'tconst,titleType,primaryTitle,originalTitle,isAdult,startYear,endYear,runtimeMinutes,genres',
  'title.akas': 'titleId,ordering,title,region,language,types,attributes,isOriginalTitle',
  'title.ratings': 'tconst,averageRating,numVotes',
  'title.episode': 'tconst,parentTconst,seasonNumber,episodeNumber',
  'title.principals': 'tconst,ordering,nconst,category,job,characters',
  'title.crew': 'tconst,directors,writers',
  'name.basics': 'nconst,primaryName,birthYear,deathYear,primaryProfession,knownForTitles',
}
type DatasetName = keyof typeof HEADERS_BY_DATASET

/** Kinds of title other than series and episodes: name, frequency per 10,000 titles, percentage with votes. */
const TITLE_KINDS = [
  ['movie', 3_000, 45],
  ['tvMovie', 600, 35],
  ['video', 1_300, 25],
  ['tvSpecial', 300, 20],
  ['short', 4_800, 15],
] as const
const SERIES_WITH_VOTES_PERCENT = 35
const EPISODES_WITH_VOTES_PERCENT = 8
/**
 * P(votes >= v) = (5 / v) ** VOTES_EXPONENT. A quarter of the titles with votes have 100 or more, a tenth 1,000 or
 * more. For the real movies of 2017, the fractions are 0.36 and 0.10.
 */
const VOTES_EXPONENT = 0.45
const GENRES = [
  'Drama',
  'Comedy',
  'Action',
  'Crime',
  'Horror',
  'Romance',
  'Sci-Fi',
  'Documentary',
  'War',
  'Family',
]
const REGIONS_BY_LANGUAGE: Record<string, string> = {
  en: 'US',
  fr: 'FR',
  es: 'ES',
  de: 'DE',
  ru: 'RU',
  ja: 'JP',
  ko: 'KR',
  ar: 'EG',
}
const EPISODE_REGIONS = ['DE', 'FR', 'ES', 'IT', 'PT', 'IN']
const CAST_SIZE = 6

class DumpWriter {
  readonly #gzip: Gzip
  readonly #done: Promise<void>
  #text: string
  rowCount = 0
  constructor(folder: string, name: DatasetName) {
    this.#gzip = createGzip()
    this.#done = finished(this.#gzip.pipe(createWriteStream(join(folder, `${name}.tsv.gz`))))
    this.#text = `${HEADERS_BY_DATASET[name].replaceAll(',', '\t')}\n`
  }
  writeRow(...fieldValues: (string | number)[]): void {
    this.#text += `${fieldValues.join('\t')}\n`
    this.rowCount += 1
  }
  async flush(): Promise<void> {
    const pendingText = this.#text
    this.#text = ''
    if (!this.#gzip.write(pendingText)) await new Promise((resolve) => this.#gzip.once('drain', resolve))
  }
  async end(): Promise<void> {
    await this.flush()
    this.#gzip.end()
    await this.#done
  }
}

/** Writes `titleCount` titles and about three times as many episodes. Returns the number of rows in all files. */
export async function writeImdbDumps(
  folder: string,
  { titleCount, seed }: { titleCount: number; seed: number },
): Promise<number> {
  mkdirSync(folder, { recursive: true })
  const writersByDataset = Object.fromEntries(
    (Object.keys(HEADERS_BY_DATASET) as DatasetName[]).map((name) => [name, new DumpWriter(folder, name)]),
  ) as Record<DatasetName, DumpWriter>
  const random = createMulberry32(seed)
  const peopleCount = Math.ceil(titleCount * 4)
  let nextTitleId = 1
  for (const title of generateCatalogue({ titleCount, seed })) {
    nextTitleId = writeTitle(writersByDataset, { title, id: nextTitleId, random, peopleCount })
    if (title.id % 500 === 0)
      for (const dumpWriter of Object.values(writersByDataset)) await dumpWriter.flush()
  }
  for (let personId = 1; personId <= peopleCount; personId++) {
    writersByDataset['name.basics'].writeRow(
      formatPersonId(personId),
      generatePersonName(personId),
      1900 + (personId % 110),
      '\\N',
      'actor',
      '\\N',
    )
    if (personId % 5_000 === 0) await writersByDataset['name.basics'].flush()
  }
  let totalRowCount = 0
  for (const dumpWriter of Object.values(writersByDataset)) {
    await dumpWriter.end()
    totalRowCount += dumpWriter.rowCount
  }
  return totalRowCount
}

const formatTitleId = (id: number) => `tt${String(id).padStart(7, '0')}`
const formatPersonId = (id: number) => `nm${String(id).padStart(7, '0')}`

interface TitleToWrite {
  title: GeneratedTitle
  id: number
  random: () => number
  peopleCount: number
}

/** Writes the rows of a title and of its episodes. Returns the next free id. */
function writeTitle(
  writersByDataset: Record<DatasetName, DumpWriter>,
  { title, id, random, peopleCount }: TitleToWrite,
): number {
  const isSeries = title.type === 'tv' && random() < 0.65
  const [kind, , percentWithVotes] = isSeries
    ? ['tvSeries', 0, SERIES_WITH_VOTES_PERCENT]
    : pickTitleKind(random() * 10_000)
  const primaryTitle = title.names[0]?.text ?? ''
  const originalTitle = title.names.find((name) => name.role === 'original')?.text ?? primaryTitle
  const genres = title.genre_ids.map((genre) => GENRES[genre % GENRES.length]).join(',')
  const year = title.release_date.slice(0, 4)
  const titleId = formatTitleId(id)
  writersByDataset['title.basics'].writeRow(
    titleId,
    kind,
    primaryTitle,
    originalTitle,
    random() < 0.01 ? 1 : 0,
    year,
    '\\N',
    title.runtime_min,
    genres,
  )
  for (const [index, { lang, text }] of title.names.entries()) {
    writersByDataset['title.akas'].writeRow(
      titleId,
      index + 1,
      text,
      REGIONS_BY_LANGUAGE[lang] ?? '\\N',
      '\\N',
      'imdbDisplay',
      '\\N',
      0,
    )
  }
  const directorId = writeCredits(writersByDataset, titleId, { random, peopleCount })
  if (random() * 100 < percentWithVotes) writeRating(writersByDataset, titleId, random)
  let nextId = id + 1
  for (const [seasonIndex, episodeCount] of isSeries ? title.seasons.slice(0, 2).entries() : []) {
    for (let episodeNumber = 1; episodeNumber <= episodeCount; episodeNumber++) {
      const episodeId = formatTitleId(nextId++)
      writersByDataset['title.basics'].writeRow(
        episodeId,
        'tvEpisode',
        `Episode #${seasonIndex + 1}.${episodeNumber}`,
        `Episode #${seasonIndex + 1}.${episodeNumber}`,
        0,
        year,
        '\\N',
        title.runtime_min,
        genres,
      )
      writersByDataset['title.episode'].writeRow(episodeId, titleId, seasonIndex + 1, episodeNumber)
      for (const [index, region] of EPISODE_REGIONS.entries()) {
        writersByDataset['title.akas'].writeRow(
          episodeId,
          index + 1,
          `Episodio #${seasonIndex + 1}.${episodeNumber}`,
          region,
          '\\N',
          '\\N',
          '\\N',
          0,
        )
      }
      writeCredits(writersByDataset, episodeId, { random, peopleCount, directorId })
      if (random() * 100 < EPISODES_WITH_VOTES_PERCENT) writeRating(writersByDataset, episodeId, random)
    }
  }
  return nextId
}

function pickTitleKind(randomNumber: number): readonly [string, number, number] {
  let cumulativeFrequency = 0
  for (const kind of TITLE_KINDS) {
    cumulativeFrequency += kind[1]
    if (randomNumber < cumulativeFrequency) return kind
  }
  return TITLE_KINDS[0]
}

function writeRating(
  writersByDataset: Record<DatasetName, DumpWriter>,
  titleId: string,
  random: () => number,
): void {
  const voteCount = Math.min(3_000_000, Math.floor(5 * (1 - random()) ** (-1 / VOTES_EXPONENT)))
  writersByDataset['title.ratings'].writeRow(titleId, (3 + 6 * random()).toFixed(1), voteCount)
}

function writeCredits(
  writersByDataset: Record<DatasetName, DumpWriter>,
  titleId: string,
  { random, peopleCount, directorId }: { random: () => number; peopleCount: number; directorId?: number },
): number {
  const pickPerson = () => 1 + Math.floor(random() ** 2.5 * peopleCount)
  const director = directorId ?? pickPerson()
  const writer = pickPerson()
  writersByDataset['title.crew'].writeRow(titleId, formatPersonId(director), formatPersonId(writer))
  for (let ordering = 1; ordering <= CAST_SIZE; ordering++) {
    writersByDataset['title.principals'].writeRow(
      titleId,
      ordering,
      formatPersonId(pickPerson()),
      ordering % 2 ? 'actor' : 'actress',
      '\\N',
      `["Role ${ordering}"]`,
    )
  }
  writersByDataset['title.principals'].writeRow(
    titleId,
    CAST_SIZE + 1,
    formatPersonId(director),
    'director',
    '\\N',
    '\\N',
  )
  writersByDataset['title.principals'].writeRow(
    titleId,
    CAST_SIZE + 2,
    formatPersonId(writer),
    'writer',
    'written by',
    '\\N',
  )
  return director
}
