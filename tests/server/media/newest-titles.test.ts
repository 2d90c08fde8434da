/** The row of the home page with the titles that were added to the library most recently. */
import { rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { getLibrarySync } from '../../../server/services/library/library-sync.ts'
import { createTempFolder, startMediaTestServer } from './media-test-server.ts'

const HOUR_MS = 3_600_000
const folder = createTempFolder()
/** Writes video files that were last modified in the given year. */
function addFiles(modifiedYearsByPath: Record<string, number>): void {
  for (const [path, year] of Object.entries(modifiedYearsByPath)) {
    folder.writeFiles({ [path]: 'x' })
    const modifiedAt = new Date(Date.UTC(year, 0, 1))
    utimesSync(join(folder.path, path), modifiedAt, modifiedAt)
  }
}
addFiles({
  'Heat (1995).mkv': 2020,
  'Bright Morning (2001).mkv': 2022,
  'Fargo/Season 01/Fargo - S01E01.mkv': 2021,
  'Fargo/Season 01/Fargo - S01E02.mkv': 2023,
  'Unknown Words (1999).mkv': 2024,
})
const mediaServer = await startMediaTestServer({ MEDIA_DIR: folder.path }, [
  { title: 'Heat', year: 1995 },
  { title: 'Bright Morning', year: 2001, isSafeForKids: true },
  { title: 'Fargo', year: 2014, episodes: [0, 4] },
  { title: 'Old Copy', year: 1950, isSafeForKids: true },
  { title: 'Without File', year: 2005 },
])
const { adult, adultId, kid, server } = mediaServer
afterAll(async () => {
  await mediaServer.close()
  folder.remove()
})

const listNewestTitles = async (device = adult): Promise<string[]> => {
  const { status, body } = await device.get('/api/library/newest')
  expect(status).toBe(200)
  return body.results.map(({ title }: { title: string }) => title)
}
const scan = () => getLibrarySync(server.deps)?.scan(async () => {})

it('the list of newest titles orders the titles of the first scan by the modification time of their files, and contains each title once', async () => {
  expect(await listNewestTitles()).toEqual(['Fargo', 'Bright Morning', 'Heat'])
})

it('the list of newest titles of a kids profile contains only titles that are safe for kids', async () => {
  expect(await listNewestTitles(kid)).toEqual(['Bright Morning'])
})

it('the list of newest titles begins with the title of a file that a later scan has found, even if the file was modified earlier than all other files', async () => {
  server.advanceClock(2 * HOUR_MS)
  // Signs in again, because the access tokens have expired.
  for (const device of [adult, kid]) await device.login('alice@example.com')
  addFiles({ 'Old Copy (1950).mkv': 1999 })
  await scan()
  expect(await listNewestTitles()).toEqual(['Old Copy', 'Fargo', 'Bright Morning', 'Heat'])
  expect(await listNewestTitles(kid)).toEqual(['Old Copy', 'Bright Morning'])
})

it('a title leaves the list of newest titles when a scan finds that the last file of the title was removed', async () => {
  rmSync(join(folder.path, 'Fargo/Season 01/Fargo - S01E02.mkv'))
  await scan()
  expect(await listNewestTitles()).toEqual(['Old Copy', 'Bright Morning', 'Fargo', 'Heat'])
  rmSync(join(folder.path, 'Fargo'), { recursive: true })
  await scan()
  expect(await listNewestTitles()).toEqual(['Old Copy', 'Bright Morning', 'Heat'])
})

it('the list of newest titles omits titles that the acting profile dislikes and titles that are not published', async () => {
  const cards: { id: string; title: string }[] = (await adult.get('/api/movies?limit=50')).body.results
  const getId = (title: string) => cards.find((card) => card.title === title)?.id
  await adult.put(`/api/profile/${adultId}/feedback/movie/${getId('Heat')}`, { feedback: 'dislike' })
  expect(await listNewestTitles()).toEqual(['Old Copy', 'Bright Morning'])
  await adult.patch(`/api/movies/${getId('Old Copy')}/publish`, { published: false })
  expect(await listNewestTitles()).toEqual(['Bright Morning'])
  expect(await listNewestTitles(kid)).toEqual(['Bright Morning'])
})
