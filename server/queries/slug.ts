/** Finds unused slugs for lists of titles or people. */
import type { Db } from '../db/database.ts'
import { padToPowerOfTwo } from './insert-rows.ts'

interface SlugScope {
  table: 'title' | 'person'
  /** Slugs of titles are unique within a type. */
  type?: 'movie' | 'tv'
}

/**
 * Returns one slug for each list of candidates: the first unused candidate, else the last candidate followed by a
 * hyphen and an unused number (2 or higher). The returned slugs are distinct. Each list must contain at least one
 * candidate.
 */
export async function findFreeSlugs(
  db: Db,
  scope: SlugScope,
  slugCandidateLists: string[][],
): Promise<string[]> {
  const usedSlugs = await selectUsedSlugs(db, scope, [...new Set(slugCandidateLists.flat())])
  const slugs: string[] = []
  for (const candidateSlugs of slugCandidateLists) {
    const unusedSlug = candidateSlugs.find((candidate) => !usedSlugs.has(candidate))
    const slug = unusedSlug ?? (await findNumberedSlug(db, scope, candidateSlugs.at(-1) ?? '', usedSlugs))
    usedSlugs.add(slug)
    slugs.push(slug)
  }
  return slugs
}

/**
 * Returns `stem` with a hyphen and an unused number. Doubles the number until it is unused, then finds a lower unused
 * number by binary search. For a name that 10,000 rows share, about 30 lookups are needed.
 */
async function findNumberedSlug(
  db: Db,
  scope: SlugScope,
  stem: string,
  usedSlugs: Set<string>,
): Promise<string> {
  const isNumberTaken = async (slugNumber: number) => {
    const slug = `${stem}-${slugNumber}`
    return usedSlugs.has(slug) || (await selectUsedSlugs(db, scope, [slug])).size > 0
  }
  let freeNumber = 2
  while (await isNumberTaken(freeNumber)) freeNumber *= 2
  let highestTakenNumber = freeNumber / 2
  while (freeNumber - highestTakenNumber > 1) {
    const middleNumber = (freeNumber + highestTakenNumber) >> 1
    if (await isNumberTaken(middleNumber)) highestTakenNumber = middleNumber
    else freeNumber = middleNumber
  }
  return `${stem}-${freeNumber}`
}

async function selectUsedSlugs(db: Db, { table, type }: SlugScope, slugs: string[]): Promise<Set<string>> {
  if (slugs.length === 0) return new Set()
  let query = db.selectFrom(table).select('slug').where('slug', 'in', padToPowerOfTwo(slugs))
  if (type) query = query.where('type' as never, '=', type as never)
  return new Set((await query.execute()).map((row) => row.slug))
}
