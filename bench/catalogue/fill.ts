/** Fills a database with a generated catalogue, straight in SQL: benches measure reading, the importers' speed is measured elsewhere. */
import type { DatabaseSync } from 'node:sqlite'
import { fold } from '../../src/lib/rules/fold.ts'
import { weightedScore } from '../../src/lib/rules/ranking.ts'
import { sortTitle } from '../../src/lib/rules/slug.ts'
import { type GeneratedTitle, generateCatalogue, personName } from '../generate/catalogue.ts'

const BATCH = 5_000
const RATED = ['All', '7+', '8+', '13+', '14+', '17+', '18+']

/** Titles with names, genres, five of the cast, seasons and episodes of series; people for them. */
export function fill(sqlite: DatabaseSync, titles: number, seed = 1): void {
  sqlite.exec('pragma synchronous = off; pragma foreign_keys = off')
  const insert = statements(sqlite)
  let open = 0
  sqlite.exec('begin')
  const step = () => {
    open += 1
    if (open % BATCH === 0) sqlite.exec('commit; begin')
  }
  for (let id = 1; id <= titles * 0.6; id++) {
    const name = personName(id)
    insert.person.run(id, `person-${id}`, name)
    insert.personName.run(id, name, fold(name))
    step()
  }
  for (const title of generateCatalogue({ titles, seed })) {
    insertTitle(insert, title)
    step()
  }
  sqlite.exec('commit; pragma synchronous = full; pragma foreign_keys = on; analyze')
}

function statements(sqlite: DatabaseSync) {
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

function insertTitle(insert: ReturnType<typeof statements>, title: GeneratedTitle): void {
  const { id } = title
  const name = title.titles[0]?.text ?? String(id)
  const original = title.titles.find((one) => one.role === 'original')?.text ?? name
  insert.title.run(
    id,
    title.type,
    `title-${id}`,
    `tt${String(id).padStart(8, '0')}`,
    original,
    sortTitle(name),
    title.original_language,
    title.release_date,
    Number(title.release_date.slice(0, 4)),
    title.runtime_min * 60,
    RATED[id % RATED.length] ?? null,
    title.vote_average,
    title.vote_count,
    weightedScore(title.vote_average, title.vote_count),
    title.popularity,
    title.safe_for_kids ? 1 : 0,
    id % 3 === 0 ? 1 : 0,
    title.seasons.length > 0 ? title.release_date : null,
    title.seasons.length,
  )
  for (const { lang, text, role } of title.titles) insert.name.run(id, lang, text, role, fold(text))
  insert.text.run(id, title.overview)
  for (const genre of title.genre_ids) insert.genre.run(id, genre)
  for (const [position, person] of title.cast.slice(0, 5).entries()) insert.credit.run(id, person, position)
  for (const [at, count] of title.seasons.entries()) {
    const season = insert.season.run(id, at + 1, count).lastInsertRowid
    for (let number = 1; number <= count; number++)
      insert.episode.run(season, id, at + 1, number, title.release_date)
  }
}
