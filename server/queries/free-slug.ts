/** Slugs that nobody has yet, for many rows at once. */
import type { Db } from '../db/open.ts'
import { evened } from './insert-rows.ts'

interface Where {
  table: 'title' | 'person'
  /** Slugs of titles are unique within a type. */
  type?: 'movie' | 'tv'
}

/**
 * One slug per list of wishes: the first wish that is free, else the last one with a number from 2. Inside one call no two
 * are the same. Wishes are never empty.
 */
export async function freeSlugs(db: Db, where: Where, wishes: string[][]): Promise<string[]> {
  const used = await taken(db, where, [...new Set(wishes.flat())])
  const slugs: string[] = []
  for (const list of wishes) {
    const slug = list.find((wish) => !used.has(wish)) ?? (await numbered(db, where, list.at(-1) ?? '', used))
    used.add(slug)
    slugs.push(slug)
  }
  return slugs
}

/** Doubles until a number is free, then halves the gap: a name that ten thousand share costs some thirty look-ups. */
async function numbered(db: Db, where: Where, stem: string, used: Set<string>): Promise<string> {
  const isTaken = async (number: number) => {
    const slug = `${stem}-${number}`
    return used.has(slug) || (await taken(db, where, [slug])).size > 0
  }
  let free = 2
  while (await isTaken(free)) free *= 2
  let full = free / 2
  while (free - full > 1) {
    const middle = (free + full) >> 1
    if (await isTaken(middle)) full = middle
    else free = middle
  }
  return `${stem}-${free}`
}

async function taken(db: Db, { table, type }: Where, slugs: string[]): Promise<Set<string>> {
  if (slugs.length === 0) return new Set()
  let query = db.selectFrom(table).select('slug').where('slug', 'in', evened(slugs))
  if (type) query = query.where('type' as never, '=', type as never)
  return new Set((await query.execute()).map((row) => row.slug))
}
