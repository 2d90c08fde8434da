/** The home row of titles that were added to the library last. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { signInHousehold } from '../support/store-environment.ts'

const mediaFolder = mkdtempSync(join(tmpdir(), 'marquee-newest-'))
afterAll(() => rmSync(mediaFolder, { recursive: true }))
const { actAs, switchTo, getCard, network, server } = await signInHousehold(undefined, {
  MEDIA_DIR: mediaFolder,
})
const { $newestOfLibrary } = await import('../../src/lib/stores/newest-of-library.ts')

async function insertFile(title: string): Promise<void> {
  await server.database.primary
    .insertInto('library_file')
    .values({
      path: `${title}.mkv`,
      folder: '',
      size_bytes: 1,
      modified_at: 0,
      kind: 'movie',
      named_kind: 'movie',
      parsed_title: title,
      parsed_year: null,
      season_number: 0,
      episodes: '[]',
      quality: null,
      state: 'matched',
      reason: null,
      matched_by: 'name',
      candidates: '[]',
      title_id: Number(getCard(title).id),
      added_at: server.deps.now(),
    })
    .execute()
}
const getTitles = () => $newestOfLibrary.get().data?.results.map(({ title }) => title)

it('after a switch from an adult profile to a kids profile, the row of the newest files contains only titles that are safe for kids', async () => {
  await insertFile('Cold Verdict')
  await insertFile('Paper Kites')
  $newestOfLibrary.listen(() => {})
  await actAs('adult')
  await network.waitUntilIdle()
  expect(getTitles()?.sort()).toEqual(['Cold Verdict', 'Paper Kites'])
  await switchTo('kid')
  await network.waitUntilIdle()
  expect(getTitles()).toEqual(['Paper Kites'])
})
