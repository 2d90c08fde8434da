/** The home row of titles that were released this week. */
import { expect, it } from 'vitest'
import { signInHousehold } from '../support/store-environment.ts'

const { actAs, switchTo, getCard, network, otherDevice, profiles, server } = await signInHousehold()
const { $newTitles } = await import('../../src/lib/stores/new-titles.ts')
const { addDays, formatLocalDay } = await import('../../src/lib/rules/calendar-days.ts')
$newTitles.listen(() => {})

it('the row of new titles contains new movies and followed series with a new episode, and for a kids profile only safe new movies', async () => {
  const today = formatLocalDay()
  const { primary } = server.database
  const [harbour, verdict, ledger] = [
    getCard('Night Harbour'),
    getCard('Cold Verdict'),
    getCard('Iron Ledger'),
  ]
  const setReleaseDate = (id: string, release_date: string) =>
    primary.updateTable('title').set({ release_date }).where('title_id', '=', Number(id)).execute()
  await setReleaseDate(harbour.id, addDays(today, -2))
  await setReleaseDate(verdict.id, addDays(today, 3))
  await actAs('adult')
  await network.waitUntilIdle()
  expect($newTitles.get().map(({ title }) => title)).toEqual(['Night Harbour'])
  await primary
    .updateTable('episode')
    .set({ air_date: addDays(today, -1) })
    .where('title_id', '=', Number(ledger.id))
    .where('season_number', '=', 1)
    .execute()
  await otherDevice.put(`/api/profile/${profiles.adult}/watchlist/tv/${ledger.id}`)
  await actAs('adult')
  await network.waitUntilIdle()
  expect($newTitles.get().map(({ title }) => title)).toEqual(['Iron Ledger', 'Night Harbour'])
  await setReleaseDate(getCard('Paper Kites').id, addDays(today, -2))
  await switchTo('kid')
  await network.waitUntilIdle()
  expect($newTitles.get().map(({ title }) => title)).toEqual(['Paper Kites'])
})
