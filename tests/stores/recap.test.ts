/** The recap of a series, which consists of the overviews of seen episodes. */
import { beforeEach, describe, expect, it } from 'vitest'
import { signInHousehold } from '../support/store-environment.ts'

const { actAs, getCard, network, otherDevice, profiles } = await signInHousehold()
const titleStores = await import('../../src/lib/stores/titles.ts')
const { loadRecap } = await import('../../src/lib/stores/recap.ts')

for (const $store of [titleStores.$titleDetails, titleStores.$titleProgress]) $store.listen(() => {})
const ledger = getCard('Iron Ledger')
const profilePath = `/api/profile/${profiles.adult}`
const postProgress = (season: number, episode: number, progressSeconds: number) =>
  otherDevice.post(`${profilePath}/history`, {
    type: 'tv',
    media_id: ledger.id,
    season,
    episode,
    progress: progressSeconds,
    data: { video_duration: 1_800 },
  })

/**
 * Loads the progress of the series from the server, and then the recap of the series. Returns the codes of the episodes
 * in the recap, whether earlier episodes exist, and the number of requests that the recap needed.
 */
async function loadEpisodeCodes(episodeCount = 8) {
  await actAs('adult')
  titleStores.$currentTitle.set({ type: 'tv', slug: ledger.slug })
  await network.waitUntilIdle()
  network.clearRequests()
  const seasons = titleStores.$titleDetails.get().data?.seasons ?? []
  const episodeProgress = titleStores.$titleProgress.get().data?.episodes ?? []
  const { episodes, hasEarlierEpisodes } = await loadRecap(seasons, episodeProgress, episodeCount)
  const episodeCodes = episodes.map((episode) => `${episode.season_number}.${episode.episode_number}`)
  expect(episodes.map(({ overview }) => overview)).toEqual(
    episodeCodes.map((code) => `The story of part ${code}.`),
  )
  return { codes: episodeCodes, hasEarlierEpisodes, requestCount: network.requests.length }
}

beforeEach(() => otherDevice.delete(`${profilePath}/history`))

describe('the recap', () => {
  it('the recap contains only finished episodes, and requests only the seasons of these episodes', async () => {
    await postProgress(1, 1, 1_790)
    await postProgress(1, 3, 1_790)
    await postProgress(1, 2, 600)
    expect(await loadEpisodeCodes()).toEqual({
      codes: ['1.1', '1.3'],
      hasEarlierEpisodes: false,
      requestCount: 1,
    })
  })

  it('the recap contains the last finished episodes, at most the requested number, and reports whether there are earlier finished episodes', async () => {
    for (const [season, episode] of [
      [1, 1],
      [1, 2],
      [2, 1],
      [2, 2],
    ] as const)
      await postProgress(season, episode, 1_800)
    expect(await loadEpisodeCodes(2)).toEqual({
      codes: ['2.1', '2.2'],
      hasEarlierEpisodes: true,
      requestCount: 1,
    })
    expect(await loadEpisodeCodes(3)).toEqual({
      codes: ['1.2', '2.1', '2.2'],
      hasEarlierEpisodes: true,
      requestCount: 2,
    })
    expect(await loadEpisodeCodes(4)).toEqual({
      codes: ['1.1', '1.2', '2.1', '2.2'],
      hasEarlierEpisodes: false,
      requestCount: 2,
    })
  })

  it('the recap is empty and requests nothing when no episode is finished', async () => {
    await postProgress(1, 1, 600)
    expect(await loadEpisodeCodes()).toEqual({ codes: [], hasEarlierEpisodes: false, requestCount: 0 })
  })
})

describe('the overviews of episodes', () => {
  it('the overview of an episode is in the language of the profile, or in English if the catalogue has no translation', async () => {
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
      const reply = await otherDevice.put(profilePath, { preferences: { language } })
      expect(reply.status).toBe(200)
      expect([language, await loadOverview()]).toEqual([language, overview])
    }
  })
})
