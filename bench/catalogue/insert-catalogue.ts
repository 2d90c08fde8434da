/**
 * Fills a database with a generated catalogue by plain SQL, without an importer. bench/import measures the importers.
 */
import type { DatabaseSync } from 'node:sqlite'
import { foldSearchText } from '../../src/lib/rules/fold-search-text.ts'
import { getWeightedRating } from '../../src/lib/rules/ranking.ts'
import { getTitleSortKey } from '../../src/lib/rules/slug.ts'
import { type GeneratedTitle, generateCatalogue, generatePersonName } from '../generate/catalogue.ts'

const ROWS_PER_TRANSACTION = 5_000
const AGE_RATINGS = ['All', '7+', '8+', '13+', '14+', '17+', '18+']

/** Inserts titles with names, genres, five cast members, seasons and episodes, and the people in their casts. */
export function insertGeneratedCatalogue(sqlite: DatabaseSync, titleCount: number, seed = 1): void {
  sqlite.exec('pragma synchronous = off; pragma foreign_keys = off')
  const insertStatements = prepareInserts(sqlite)
  let rowCount = 0
  sqlite.exec('begin')
  const commitBatch = () => {
    rowCount += 1
    if (rowCount % ROWS_PER_TRANSACTION === 0) sqlite.exec('commit; begin')
  }
  for (let personId = 1; personId <= titleCount * 0.6; personId++) {
    const personName = generatePersonName(personId)
    insertStatements.person.run(personId, `person-${personId}`, personName)
    insertStatements.personName.run(personId, personName, foldSearchText(personName))
    commitBatch()
  }
  for (const title of generateCatalogue({ titleCount, seed })) {
    insertTitle(insertStatements, title)
    commitBatch()
  }
  sqlite.exec('commit; pragma synchronous = full; pragma foreign_keys = on; analyze')
}

function prepareInserts(sqlite: DatabaseSync) {
  return {
    person: sqlite.prepare('insert into person (person_id, slug, name) values (?, ?, ?)'),
    personName: sqlite.prepare("insert into person_name values (?, 'en', ?, ?)"),
    title:
      sqlite.prepare(`insert into title (title_id, type, slug, imdb_id, original_title, sort_title, language,
      release_date, year, runtime, rated, rating, rating_votes, score, popularity, safe_for_kids, high_quality, newest_season,
      season_count, source, source_hash, created_at, updated_at)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'bench', '', 0, 0)`),
    name: sqlite.prepare(
      'insert or ignore into title_name (title_id, lang, text, role, folded) values (?, ?, ?, ?, ?)',
    ),
    text: sqlite.prepare("insert into title_text values (?, 'en', ?, null)"),
    genre: sqlite.prepare('insert into title_genre values (?, ?)'),
    credit: sqlite.prepare("insert into credit values (?, ?, 'cast', 'Actor', null, ?)"),
    season: sqlite.prepare('insert into season (title_id, season_number, episode_count) values (?, ?, ?)'),
    episode: sqlite.prepare(
      'insert into episode (season_id, title_id, season_number, episode_number, air_date) values (?, ?, ?, ?, ?)',
    ),
  }
}

function insertTitle(insertStatements: ReturnType<typeof prepareInserts>, title: GeneratedTitle): void {
  const { id: titleId } = title
  const mainName = title.names[0]?.text ?? String(titleId)
  const originalName = title.names.find((titleName) => titleName.role === 'original')?.text ?? mainName
  insertStatements.title.run(
    titleId,
    title.type,
    `title-${titleId}`,
    `tt${String(titleId).padStart(8, '0')}`,
    originalName,
    getTitleSortKey(mainName),
    title.original_language,
    title.release_date,
    Number(title.release_date.slice(0, 4)),
    title.runtime_min * 60,
    AGE_RATINGS[titleId % AGE_RATINGS.length] ?? null,
    title.vote_average,
    title.vote_count,
    getWeightedRating(title.vote_average, title.vote_count),
    title.popularity,
    title.safe_for_kids ? 1 : 0,
    titleId % 3 === 0 ? 1 : 0,
    title.seasons.length > 0 ? title.release_date : null,
    title.seasons.length,
  )
  for (const { lang, text, role } of title.names)
    insertStatements.name.run(titleId, lang, text, role, foldSearchText(text))
  insertStatements.text.run(titleId, title.overview)
  for (const genreId of title.genre_ids) insertStatements.genre.run(titleId, genreId)
  for (const [position, personId] of title.cast.slice(0, 5).entries())
    insertStatements.credit.run(titleId, personId, position)
  for (const [index, episodeCount] of title.seasons.entries()) {
    const seasonId = insertStatements.season.run(titleId, index + 1, episodeCount).lastInsertRowid
    for (let episodeNumber = 1; episodeNumber <= episodeCount; episodeNumber++)
      insertStatements.episode.run(seasonId, titleId, index + 1, episodeNumber, title.release_date)
  }
}
