/** Combines the published data sets into one catalogue. */
import type { SearchDoc, SearchKind, SearchName } from '../../server/search/types.ts'
import { parseCsvLine, readDataLines } from './data-files.ts'

type SearchDocDraft = Omit<SearchDoc, 'doc_id' | 'visible' | 'kids'>
export type SearchCatalogue = {
  docs: SearchDoc[]
  /** Maps the ids of the query sets (`corpus:id`) to media ids. */
  mediaIdsByCorpusId: Map<string, string>
  titles: TitleFacts[]
}

type MovieRow = {
  id: number
  imdb_id?: string
  title: string
  original_title?: string
  release_date: string
  vote_count: number
  cast?: { id: number; name: string; character?: string; order: number }[]
  cast_names?: string[]
  director_names?: string[]
  crew?: { id: number; name: string; job: string }[]
  keywords?: string[]
  genre_ids?: number[]
  original_language?: string
}

/** A title with the facts from which topic-queries.ts generates queries. */
export type TitleFacts = {
  mediaId: string
  kind: 'movie' | 'tv'
  name: string
  year?: number
  votes: number
  language?: string
  countries: string[]
  genres: string[]
  keywords: string[]
  cast: string[]
  crew: string[]
}

class CatalogueBuilder {
  drafts = new Map<string, SearchDocDraft>()
  mediaIdsByCorpusId = new Map<string, string>()
  popularityByPersonId = new Map<number, number>()
  titles: TitleFacts[] = []

  upsertDraft(
    kind: SearchKind,
    mediaId: string,
    popularity: number,
    names: SearchName[],
    year?: number,
  ): SearchDocDraft {
    let draft = this.drafts.get(mediaId)
    if (!draft) {
      draft = { kind, media_id: mediaId, popularity, names: [], ...(year ? { year } : {}) }
      this.drafts.set(mediaId, draft)
    }
    draft.popularity = Math.max(draft.popularity, popularity)
    for (const name of names)
      if (name.text && !draft.names.some((existingName) => existingName.text === name.text))
        draft.names.push(name)
    return draft
  }
}

const createMainName = (text: string, lang = ''): SearchName => ({ lang, text, role: 'main' })
const createAkaName = (text: string, lang = ''): SearchName => ({ lang, text, role: 'aka' })
const parseYear = (date: string | undefined) => Number((date ?? '').slice(0, 4)) || undefined

function addMovies(builder: CatalogueBuilder): void {
  for (const line of readDataLines('catalogue/movies.jsonl.gz')) {
    const row = JSON.parse(line) as MovieRow
    const mediaId = `tmdb:${row.id}`
    const names = [
      createMainName(row.title),
      ...(row.original_title ? [createAkaName(row.original_title)] : []),
    ]
    const draft = builder.upsertDraft('movie', mediaId, row.vote_count, names, parseYear(row.release_date))
    const people = row.cast?.map((castMember) => castMember.name) ?? row.cast_names
    if (people) draft.people = people
    addMovieTopics(builder, draft, row)
    for (const castMember of row.cast ?? [])
      builder.popularityByPersonId.set(
        castMember.id,
        (builder.popularityByPersonId.get(castMember.id) ?? 0) + row.vote_count / (2 + castMember.order),
      )
    builder.mediaIdsByCorpusId.set(`movies:${row.id}`, mediaId)
    if (row.imdb_id) builder.mediaIdsByCorpusId.set(`imdb2017:${row.imdb_id}`, mediaId)
  }
}

function addMovieTopics(builder: CatalogueBuilder, draft: SearchDocDraft, row: MovieRow): void {
  const leadingCrewMembers = ['Director', 'Writer', 'Screenplay', 'Novel', 'Story'].flatMap((job) =>
    (row.crew ?? []).filter((member) => member.job === job),
  )
  const crewNames = [
    ...new Set(row.crew ? leadingCrewMembers.map((member) => member.name) : (row.director_names ?? [])),
  ]
  for (const id of new Set(leadingCrewMembers.map((member) => member.id)))
    builder.popularityByPersonId.set(id, (builder.popularityByPersonId.get(id) ?? 0) + row.vote_count / 2)
  const genreIds = (row.genre_ids ?? []).map(String)
  const language = row.original_language
  draft.crew = crewNames
  draft.keywords = row.keywords ?? []
  draft.topics = (row.cast ?? []).slice(0, 8).flatMap(({ character }) => character ?? [])
  draft.facets = [
    ...genreIds.map((genreId) => ({ kind: 'genre' as const, value: genreId })),
    ...(language ? [{ kind: 'language' as const, value: language }] : []),
  ]
  builder.titles.push({
    mediaId: draft.media_id,
    kind: 'movie',
    name: row.title,
    ...(draft.year && { year: draft.year }),
    votes: row.vote_count,
    ...(language && { language }),
    countries: [],
    genres: genreIds,
    keywords: row.keywords ?? [],
    cast: draft.people ?? [],
    crew: crewNames,
  })
}

/** Maps genre names of JustWatch to genre ids of TMDB. */
const GENRE_IDS_BY_NAME: Record<string, string> = {
  drama: '18',
  comedy: '35',
  crime: '80',
  scifi: '10765',
  fantasy: '10765',
  action: '10759',
  documentation: '99',
  animation: '16',
  family: '10751',
  war: '10768',
  western: '37',
}

function addTitlesByLanguage(builder: CatalogueBuilder): void {
  for (const line of readDataLines('catalogue/titles_by_language.csv.gz').slice(1)) {
    const [id, lang = '', title = '', date] = parseCsvLine(line)
    builder.upsertDraft('movie', `tmdb:${id}`, 0, [createMainName(title, lang)], parseYear(date))
    builder.mediaIdsByCorpusId.set(`titles_${lang}:${id}`, `tmdb:${id}`)
  }
}

function addSeries(builder: CatalogueBuilder): void {
  for (const line of readDataLines('catalogue/tv.jsonl.gz')) {
    const row = JSON.parse(line)
    const mediaId = `tv:${row.id ?? row.imdb_id ?? row.slug ?? row.name}`
    const names = [createMainName(row.name), ...(row.original_name ? [createAkaName(row.original_name)] : [])]
    const voteCount = row.vote_count ?? (row.imdb_votes ?? 0) / 15
    const draft = builder.upsertDraft(
      'tv',
      mediaId,
      voteCount,
      names,
      row.year ?? parseYear(row.first_air_date),
    )
    const genreNames: string[] = row.genres_raw ?? []
    const genres = [
      ...new Set([
        ...(row.genre_ids ?? []).map(String),
        ...genreNames.flatMap((name) => GENRE_IDS_BY_NAME[name] ?? []),
      ]),
    ]
    const countries: string[] = row.countries ?? row.origin_country ?? []
    const language: string | undefined = row.original_language
    draft.facets = [
      ...genres.map((genreId) => ({ kind: 'genre' as const, value: genreId })),
      ...countries.map((country) => ({ kind: 'country' as const, value: country })),
      ...(language ? [{ kind: 'language' as const, value: language }] : []),
    ]
    builder.titles.push({
      mediaId,
      kind: 'tv',
      name: row.name,
      ...(draft.year && { year: draft.year }),
      votes: voteCount,
      ...(language && { language }),
      countries,
      genres,
      keywords: [],
      cast: [],
      crew: [],
    })
  }
}

function addImdbTitles(builder: CatalogueBuilder): void {
  const readTsv = (file: string) =>
    readDataLines(file)
      .slice(1)
      .map((line) => line.split('\t'))
  const voteCountsByImdbId = new Map(
    readTsv('imdb_tsv/title.ratings.tsv.gz').map((row) => [row[0], Number(row[2])]),
  )
  for (const [id = '', , title = '', originalTitle = '', , year] of readTsv('imdb_tsv/title.basics.tsv.gz')) {
    const mediaId = builder.mediaIdsByCorpusId.get(`imdb2017:${id}`) ?? id
    builder.mediaIdsByCorpusId.set(`imdb2017:${id}`, mediaId)
    builder.upsertDraft(
      'movie',
      mediaId,
      (voteCountsByImdbId.get(id) ?? 0) / 15,
      [createMainName(title), createAkaName(originalTitle)],
      parseYear(year),
    )
  }
  for (const [id = '', , title = '', , lang = ''] of readTsv('imdb_tsv/title.akas.tsv.gz')) {
    const mediaId = builder.mediaIdsByCorpusId.get(`imdb2017:${id}`)
    if (mediaId) builder.upsertDraft('movie', mediaId, 0, [createAkaName(title, lang)])
  }
}

function addAnimeMoviesAndPeople(builder: CatalogueBuilder): void {
  for (const line of readDataLines('catalogue/anidb_titles.jsonl.gz')) {
    const row = JSON.parse(line) as { aid: number; titles: { lang: string; type: string; text: string }[] }
    const names = row.titles.map((anidbTitle) =>
      anidbTitle.type === 'main'
        ? createMainName(anidbTitle.text, anidbTitle.lang)
        : createAkaName(anidbTitle.text, anidbTitle.lang),
    )
    builder.upsertDraft('tv', `anidb:${row.aid}`, 0, names)
    builder.mediaIdsByCorpusId.set(`anidb:${row.aid}`, `anidb:${row.aid}`)
  }
  for (const line of readDataLines('catalogue/egyptian_films_ar.csv.gz').slice(1)) {
    const [movieNumber, title = ''] = parseCsvLine(line)
    builder.upsertDraft('movie', `egypt:${movieNumber}`, 0, [createMainName(title, 'ar')])
    builder.mediaIdsByCorpusId.set(`egyptian_films:${movieNumber}`, `egypt:${movieNumber}`)
  }
  for (const line of readDataLines('catalogue/people.csv.gz').slice(1)) {
    const [id, name = ''] = parseCsvLine(line)
    builder.upsertDraft('actor', `person:${id}`, builder.popularityByPersonId.get(Number(id)) ?? 0, [
      createMainName(name),
    ])
    builder.mediaIdsByCorpusId.set(`people:${id}`, `person:${id}`)
  }
}

/** Builds one catalogue from all data sets: movies, series, people and names in other languages. */
export function buildSearchCatalogue(): SearchCatalogue {
  const builder = new CatalogueBuilder()
  addMovies(builder)
  addTitlesByLanguage(builder)
  addSeries(builder)
  addImdbTitles(builder)
  addAnimeMoviesAndPeople(builder)
  const docs = [...builder.drafts.values()].map((draft, index) => ({
    ...draft,
    doc_id: index + 1,
    visible: true,
    kids: index % 5 === 0,
  }))
  return { docs, mediaIdsByCorpusId: builder.mediaIdsByCorpusId, titles: builder.titles }
}
