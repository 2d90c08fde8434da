/** The recap of a series, which consists of the overviews of seen episodes. */
import { beforeEach, describe, expect, it } from 'vitest'
import { signInHousehold } from '../support/store-environment.ts'

const { actAs, card, network, otherDevice, profiles } = await signInHousehold()
const stores = await import('../../src/lib/stores/titles.ts')
const { loadRecap } = await import('../../src/lib/stores/recap.ts')

for (const $store of [stores.$titleDetails, stores.$titleProgress]) $store.listen(() => {})
const ledger = card('Iron Ledger')
const basePath = `/api/profile/${profiles.adult}`
const postProgress = (season: number, episode: number, progress: number) =>
  otherDevice.post(`${basePath}/history`, {
    type: 'tv',
    media_id: ledger.id,
    season,
    episode,
    progress,
    data: { video_duration: 1_800 },
  })

/** Loads the recap of the series with the progress on the server, and returns the codes of its episodes. */
async function loadCodes(count = 8) {
  await actAs('adult')
  stores.$currentTitle.set({ type: 'tv', slug: ledger.slug })
  await network.waitUntilIdle()
  network.clear()
  const seasons = stores.$titleDetails.get().data?.seasons ?? []
  const progress = stores.$titleProgress.get().data?.episodes ?? []
  const { episodes, hasEarlier } = await loadRecap(seasons, progress, count)
  const codes = episodes.map((episode) => `${episode.season_number}.${episode.episode_number}`)
  expect(episodes.map(({ overview }) => overview)).toEqual(codes.map((code) => `The story of part ${code}.`))
  return { codes, hasEarlier, requestCount: network.requests.length }
}

beforeEach(() => otherDevice.delete(`${basePath}/history`))

describe('the recap', () => {
  it('contains only finished episodes, and requests only their seasons', async () => {
    await postProgress(1, 1, 1_790)
    await postProgress(1, 3, 1_790)
    await postProgress(1, 2, 600)
    expect(await loadCodes()).toEqual({ codes: ['1.1', '1.3'], hasEarlier: false, requestCount: 1 })
  })

  it('starts with the last seen episodes, and reports that there are earlier episodes', async () => {
    for (const [season, episode] of [
      [1, 1],
      [1, 2],
      [2, 1],
      [2, 2],
    ] as const)
      await postProgress(season, episode, 1_800)
    expect(await loadCodes(2)).toEqual({ codes: ['2.1', '2.2'], hasEarlier: true, requestCount: 1 })
    expect(await loadCodes(3)).toEqual({ codes: ['1.2', '2.1', '2.2'], hasEarlier: true, requestCount: 2 })
    expect(await loadCodes(4)).toEqual({
      codes: ['1.1', '1.2', '2.1', '2.2'],
      hasEarlier: false,
      requestCount: 2,
    })
  })

  it('is empty and requests nothing when no episode is finished', async () => {
    await postProgress(1, 1, 600)
    expect(await loadCodes()).toEqual({ codes: [], hasEarlier: false, requestCount: 0 })
  })
})

describe('the overviews of episodes', () => {
  it('are in the language of the profile, and in English when they are not translated', async () => {
    const loadOverview = async () => {
      const { seasons } = (await otherDevice.get(`/api/series/${ledger.id}`)).body
      const { results } = (await otherDevice.get(`/api/seasons/${seasons[0].id}/episodes`)).body
      return results[0].overview
    }
    for (const [language, overview] of [
      ['fr', 'L’histoire de la partie 1.1.'],
      ['ar', 'The story of part 1.1.'],
      ['en', 'The story of part 1.1.'],
    ]) {
      const reply = await otherDevice.put(basePath, { preferences: { language } })
      expect(reply.status).toBe(200)
      expect([language, await loadOverview()]).toEqual([language, overview])
    }
  })
})
