/**
 * Writes the seven files of IMDb's dumps, of any size, with invented titles and with the proportions of the real ones: about
 * eight of ten rows of title.basics are episodes, which bring most of the rows of the others; an eighth of the titles has
 * votes, and few have many. The same arguments give the same files.
 */
import { createWriteStream, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { createGzip, type Gzip } from 'node:zlib'
import { type GeneratedTitle, generateCatalogue, personName, randomFrom } from '../generate/catalogue.ts'

const HEADERS = {
  'title.basics':
    'tconst,titleType,primaryTitle,originalTitle,isAdult,startYear,endYear,runtimeMinutes,genres',
  'title.akas': 'titleId,ordering,title,region,language,types,attributes,isOriginalTitle',
  'title.ratings': 'tconst,averageRating,numVotes',
  'title.episode': 'tconst,parentTconst,seasonNumber,episodeNumber',
  'title.principals': 'tconst,ordering,nconst,category,job,characters',
  'title.crew': 'tconst,directors,writers',
  'name.basics': 'nconst,primaryName,birthYear,deathYear,primaryProfession,knownForTitles',
}
type Name = keyof typeof HEADERS

/** Kinds of what is neither a series nor an episode, and how many of ten thousand; with how many of a hundred have votes. */
const KINDS = [
  ['movie', 3_000, 45],
  ['tvMovie', 600, 35],
  ['video', 1_300, 25],
  ['tvSpecial', 300, 20],
  ['short', 4_800, 15],
] as const
const SERIES_RATED = 35
const EPISODES_RATED = 8
/** P(votes >= v) = (5 / v) ** SHAPE: a quarter of the rated has 100, a tenth 1,000. Films of 2017: .36 and .10. */
const SHAPE = 0.45
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
const REGION: Record<string, string> = {
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
const CAST = 6

class DumpWriter {
  readonly #gzip: Gzip
  readonly #done: Promise<void>
  #text: string
  rows = 0
  constructor(folder: string, name: Name) {
    this.#gzip = createGzip()
    this.#done = finished(this.#gzip.pipe(createWriteStream(join(folder, `${name}.tsv.gz`))))
    this.#text = `${HEADERS[name].replaceAll(',', '\t')}\n`
  }
  row(...fields: (string | number)[]): void {
    this.#text += `${fields.join('\t')}\n`
    this.rows += 1
  }
  async flush(): Promise<void> {
    const text = this.#text
    this.#text = ''
    if (!this.#gzip.write(text)) await new Promise((resolve) => this.#gzip.once('drain', resolve))
  }
  async end(): Promise<void> {
    await this.flush()
    this.#gzip.end()
    await this.#done
  }
}

/** `titles` without episodes, which are some three times as many. Answers how many rows were written, in all files. */
export async function writeDumps(
  folder: string,
  { titles, seed }: { titles: number; seed: number },
): Promise<number> {
  mkdirSync(folder, { recursive: true })
  const files = Object.fromEntries(
    (Object.keys(HEADERS) as Name[]).map((name) => [name, new DumpWriter(folder, name)]),
  ) as Record<Name, DumpWriter>
  const random = randomFrom(seed)
  const people = Math.ceil(titles * 4)
  let id = 1
  for (const title of generateCatalogue({ titles, seed })) {
    id = writeTitle(files, { title, id, random, people })
    if (title.id % 500 === 0) for (const file of Object.values(files)) await file.flush()
  }
  for (let person = 1; person <= people; person++) {
    files['name.basics'].row(nm(person), personName(person), 1900 + (person % 110), '\\N', 'actor', '\\N')
    if (person % 5_000 === 0) await files['name.basics'].flush()
  }
  let rows = 0
  for (const file of Object.values(files)) {
    await file.end()
    rows += file.rows
  }
  return rows
}

const tt = (id: number) => `tt${String(id).padStart(7, '0')}`
const nm = (id: number) => `nm${String(id).padStart(7, '0')}`

interface Writing {
  title: GeneratedTitle
  id: number
  random: () => number
  people: number
}

/** Answers the next free id. */
function writeTitle(files: Record<Name, DumpWriter>, { title, id, random, people }: Writing): number {
  const series = title.type === 'tv' && random() < 0.65
  const [kind, , rated] = series ? ['tvSeries', 0, SERIES_RATED] : kindOf(random() * 10_000)
  const main = title.titles[0]?.text ?? ''
  const original = title.titles.find((name) => name.role === 'original')?.text ?? main
  const genres = title.genre_ids.map((genre) => GENRES[genre % GENRES.length]).join(',')
  const year = title.release_date.slice(0, 4)
  const self = tt(id)
  files['title.basics'].row(
    self,
    kind,
    main,
    original,
    random() < 0.01 ? 1 : 0,
    year,
    '\\N',
    title.runtime_min,
    genres,
  )
  for (const [at, { lang, text }] of title.titles.entries()) {
    files['title.akas'].row(self, at + 1, text, REGION[lang] ?? '\\N', '\\N', 'imdbDisplay', '\\N', 0)
  }
  const maker = writeMakers(files, self, { random, people })
  if (random() * 100 < rated) writeRating(files, self, random)
  let next = id + 1
  for (const [season, count] of series ? title.seasons.slice(0, 2).entries() : []) {
    for (let number = 1; number <= count; number++) {
      const episode = tt(next++)
      files['title.basics'].row(
        episode,
        'tvEpisode',
        `Episode #${season + 1}.${number}`,
        `Episode #${season + 1}.${number}`,
        0,
        year,
        '\\N',
        title.runtime_min,
        genres,
      )
      files['title.episode'].row(episode, self, season + 1, number)
      for (const [at, region] of EPISODE_REGIONS.entries()) {
        files['title.akas'].row(
          episode,
          at + 1,
          `Episodio #${season + 1}.${number}`,
          region,
          '\\N',
          '\\N',
          '\\N',
          0,
        )
      }
      writeMakers(files, episode, { random, people, maker })
      if (random() * 100 < EPISODES_RATED) writeRating(files, episode, random)
    }
  }
  return next
}

function kindOf(draw: number): readonly [string, number, number] {
  let sum = 0
  for (const kind of KINDS) {
    sum += kind[1]
    if (draw < sum) return kind
  }
  return KINDS[0]
}

function writeRating(files: Record<Name, DumpWriter>, self: string, random: () => number): void {
  const votes = Math.min(3_000_000, Math.floor(5 * (1 - random()) ** (-1 / SHAPE)))
  files['title.ratings'].row(self, (3 + 6 * random()).toFixed(1), votes)
}

function writeMakers(
  files: Record<Name, DumpWriter>,
  self: string,
  { random, people, maker }: { random: () => number; people: number; maker?: number },
): number {
  const somebody = () => 1 + Math.floor(random() ** 2.5 * people)
  const director = maker ?? somebody()
  const writer = somebody()
  files['title.crew'].row(self, nm(director), nm(writer))
  for (let place = 1; place <= CAST; place++) {
    files['title.principals'].row(
      self,
      place,
      nm(somebody()),
      place % 2 ? 'actor' : 'actress',
      '\\N',
      `["Role ${place}"]`,
    )
  }
  files['title.principals'].row(self, CAST + 1, nm(director), 'director', '\\N', '\\N')
  files['title.principals'].row(self, CAST + 2, nm(writer), 'writer', 'written by', '\\N')
  return director
}
