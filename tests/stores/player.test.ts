/** The player: which title and episode it opens, where it resumes, and the neighbours of an episode. */
import { beforeEach, describe, expect, it } from 'vitest'
import { signInHousehold } from '../support/store-environment.ts'
import { waitFor } from '../support/wait-for.ts'

const { actAs, switchTo, browser, getCard, findAdultRequests, network, otherDevice, profiles, server } =
  await signInHousehold()
const { $episodeProgress, $nextEpisode, $previousEpisode, $upcomingEpisode } = await import(
  '../../src/lib/stores/player-episodes.ts'
)
const {
  $isEpisodeLoading,
  $player,
  chooseAudioTrack,
  chooseBurntInSubtitle,
  closePlayer,
  openPlayer,
  renewStream,
  retryPlayer,
} = await import('../../src/lib/stores/player.ts')
const { saveProgress: savePlayerProgress } = await import('../../src/lib/stores/save-progress.ts')
const { loadSimilarTitles } = await import('../../src/lib/stores/similar-titles.ts')
const { $episodesBySeason } = await import('../../src/lib/stores/player-seasons.ts')

const MOVIE_QUERY = '?type=movie&slug=night-harbour'
const SERIES_QUERY = '?type=tv&slug=iron-ledger'
const EPISODE_QUERY = `${SERIES_QUERY}&season=1&episode=2`
const formatEpisodeCode = (episode: { season_number: number; episode_number: number } | null) =>
  episode && `${episode.season_number}.${episode.episode_number}`
const getReadyPlayer = () => {
  const player = $player.get()
  if (player.status !== 'ready') throw new Error(`The player is ${player.status}`)
  return player
}
const openPlayerAndWait = async (search: string) => {
  await openPlayer(search)
  await network.waitUntilIdle()
}
const saveProgress = (name: string, progressFields: object) => {
  const { type, id } = getCard(name)
  const progressBody = { type, media_id: id, data: { video_duration: 1_800 }, ...progressFields }
  return otherDevice.post(`/api/profile/${profiles.adult}/history`, progressBody)
}
/** Saves a position in Night Harbour from this device. */
const saveReport = (positionSeconds: number) =>
  savePlayerProgress({ title: getCard('Night Harbour'), positionSeconds, durationSeconds: 1_800 })
const formatTimeFromNow = (delayMs: number) => new Date(Date.now() + delayMs).toISOString()
for (const $store of [$nextEpisode, $previousEpisode, $upcomingEpisode]) $store.listen(() => {})

beforeEach(async () => {
  await otherDevice.delete(`/api/profile/${profiles.adult}/history`)
  closePlayer()
  await actAs('adult')
})

describe('a movie', () => {
  it('a movie without progress opens with its sources at position 0', async () => {
    const openPromise = openPlayerAndWait(MOVIE_QUERY)
    expect($isEpisodeLoading.get()).toBe(true)
    await openPromise
    expect(getReadyPlayer()).toMatchObject({
      media: { title: 'Night Harbour' },
      episode: null,
      startPosition: { positionSeconds: 0 },
    })
    expect(getReadyPlayer().stream.sources.length).toBeGreaterThan(0)
    expect($isEpisodeLoading.get()).toBe(false)
  })

  it('a movie resumes at the saved position', async () => {
    await saveProgress('Night Harbour', { progress: 900 })
    await openPlayerAndWait(MOVIE_QUERY)
    expect(getReadyPlayer().startPosition).toMatchObject({ durationSeconds: 1_800 })
    expect(getReadyPlayer().startPosition.positionSeconds).toBeGreaterThan(880)
  })

  it('a movie resumes at a position whose report is being sent, and not at the older position on the server', async () => {
    await saveProgress('Night Harbour', { progress: 300, at: formatTimeFromNow(-60_000) })
    const releaseReport = network.hold(/^POST .*\/history$/)
    void saveReport(900)
    await openPlayer(MOVIE_QUERY)
    releaseReport()
    expect(getReadyPlayer().startPosition).toEqual({
      positionSeconds: 900,
      durationSeconds: 1_800,
      isUnsent: true,
    })
  })

  it('a movie resumes at a position that the server has failed to save', async () => {
    network.failNext(/\/history$/, 500)
    await saveReport(900)
    await openPlayerAndWait(MOVIE_QUERY)
    expect(getReadyPlayer().startPosition.positionSeconds).toBe(900)
  })

  it('a movie whose credits were reached starts at its beginning, whether or not the server has stored the report of the last position', async () => {
    const creditsReport = {
      title: getCard('Night Harbour'),
      positionSeconds: 1_510,
      durationSeconds: 1_800,
      creditsAtSeconds: 1_500,
    }
    const releaseReport = network.hold(/^POST .*\/history$/)
    const save = savePlayerProgress(creditsReport)
    await openPlayer(MOVIE_QUERY)
    expect(getReadyPlayer().startPosition).toMatchObject({ positionSeconds: 0, isUnsent: true })
    releaseReport()
    await save
    closePlayer()
    await openPlayerAndWait(MOVIE_QUERY)
    expect(getReadyPlayer().startPosition).toMatchObject({ positionSeconds: 0, isUnsent: false })
  })

  it('if another device has reported a newer position than the report that this device is sending, the movie resumes at the newer position', async () => {
    const releaseReport = network.hold(/^POST .*\/history$/)
    void saveReport(900)
    await saveProgress('Night Harbour', { progress: 300, at: formatTimeFromNow(2_000) })
    await openPlayer(MOVIE_QUERY)
    releaseReport()
    expect(getReadyPlayer().startPosition).toMatchObject({ positionSeconds: 300, isUnsent: false })
  })

  it('a chosen burnt-in subtitle is requested only until another title opens', async () => {
    const listStreamLookups = () => network.requests.filter(({ url }) => url.includes('/stream/'))
    await openPlayerAndWait(MOVIE_QUERY)
    expect(chooseBurntInSubtitle(null)).toBe(false)
    expect(chooseBurntInSubtitle(3)).toBe(true)
    expect(chooseBurntInSubtitle(3)).toBe(false)
    network.clearRequests()
    await renewStream()
    expect(listStreamLookups()[0]?.url).toContain('burnt_in_subtitle=3')
    network.clearRequests()
    await openPlayerAndWait(EPISODE_QUERY)
    expect(listStreamLookups()[0]?.url).not.toContain('burnt_in_subtitle')
    network.clearRequests()
    await openPlayerAndWait(MOVIE_QUERY)
    expect(listStreamLookups()[0]?.url).not.toContain('burnt_in_subtitle')
    expect(chooseBurntInSubtitle(3)).toBe(true)
  })

  it('a movie that is already open is not requested again', async () => {
    await openPlayerAndWait(MOVIE_QUERY)
    network.clearRequests()
    await openPlayerAndWait(MOVIE_QUERY)
    expect(network.requests).toEqual([])
  })

  it('renewing the stream loads new URLs and keeps the title open', async () => {
    await openPlayerAndWait(MOVIE_QUERY)
    const { key, stream: oldStream } = getReadyPlayer()
    server.advanceClock(60_000)
    const stream = await renewStream()
    expect(getReadyPlayer()).toMatchObject({ key, stream })
    const [oldUrls, newUrls] = [oldStream, stream].map((streamInfo) =>
      streamInfo?.sources.map(({ url }) => url),
    )
    expect(newUrls).toHaveLength(oldUrls?.length ?? 0)
    for (const url of newUrls ?? []) expect(oldUrls).not.toContain(url)
  })

  it('a chosen audio track is requested only for the open title, but the language of the track is also requested for the next title', async () => {
    const findStreamLookupUrl = () =>
      network.requests.map(({ url }) => url).find((url) => url.includes('/stream/'))
    await openPlayerAndWait(MOVIE_QUERY)
    expect(findStreamLookupUrl()).toContain('decoders=10')
    chooseAudioTrack({ id: 2, lang: 'fr', kind: 'main' })
    network.clearRequests()
    await renewStream()
    expect(findStreamLookupUrl()).toMatch(/[?&]audio=2(&|$)/)
    expect(findStreamLookupUrl()).toContain('audio_language=fr')
    network.clearRequests()
    await openPlayerAndWait(EPISODE_QUERY)
    expect(findStreamLookupUrl()).toContain('audio_language=fr')
    expect(findStreamLookupUrl()).not.toMatch(/[?&]audio=/)
  })

  it('a chosen audio description is also requested for the next title, until a main track is chosen, but a chosen commentary affects only the open title', async () => {
    const loadAudioQuery = async (query: string) => {
      network.clearRequests()
      await openPlayerAndWait(query)
      const lookup = network.requests.find(({ url }) => url.includes('/stream/'))
      const { searchParams } = new URL(lookup?.url ?? '', 'http://localhost')
      return [searchParams.get('audio_language'), searchParams.get('audio_kind')]
    }
    await openPlayerAndWait(MOVIE_QUERY)
    chooseAudioTrack({ id: 2, lang: 'en', kind: 'description' })
    expect(await loadAudioQuery(EPISODE_QUERY)).toEqual(['en', 'description'])
    chooseAudioTrack({ id: 3, lang: 'fr', kind: 'commentary' })
    expect(await loadAudioQuery(MOVIE_QUERY)).toEqual(['en', 'description'])
    chooseAudioTrack({ id: 4, lang: 'pt-BR', kind: 'main' })
    expect(await loadAudioQuery(EPISODE_QUERY)).toEqual(['pt-BR', 'main'])
    chooseAudioTrack({ id: 5, lang: 'und', kind: 'description' })
    expect(await loadAudioQuery(MOVIE_QUERY)).toEqual(['und', 'description'])
    chooseAudioTrack({ id: 1, lang: 'und', kind: 'main' })
    expect(await loadAudioQuery(EPISODE_QUERY)).toEqual([null, null])
  })

  it('if the stream with the previous audio track arrives after the stream with the latest audio track, the player keeps the latest audio track', async () => {
    await openPlayerAndWait(MOVIE_QUERY)
    const releaseRequest = network.hold(/audio=2/)
    chooseAudioTrack({ id: 2, lang: 'fr', kind: 'main' })
    const earlierRenewalPromise = renewStream()
    await network.waitUntilIdle()
    chooseAudioTrack({ id: 3, lang: 'de', kind: 'main' })
    const latestStream = await renewStream()
    releaseRequest()
    await earlierRenewalPromise
    expect(getReadyPlayer().stream).toBe(latestStream)
  })

  it('similar titles can be loaded for the end of a movie', async () => {
    await openPlayerAndWait(MOVIE_QUERY)
    const similarTitles = await loadSimilarTitles(getReadyPlayer().media)
    expect(similarTitles.map(({ title }) => title)).toContain('Cold Verdict')
  })
})

describe('a series', () => {
  it('the URL of an episode opens this episode with its previous and next episode', async () => {
    await openPlayerAndWait(EPISODE_QUERY)
    expect(formatEpisodeCode(getReadyPlayer().episode)).toBe('1.2')
    expect(formatEpisodeCode($previousEpisode.get())).toBe('1.1')
    expect(formatEpisodeCode($nextEpisode.get())).toBe('1.3')
    expect($upcomingEpisode.get()).toBeNull()
  })

  it('after the last episode of a season, the next episode is the first episode of the next season', async () => {
    await openPlayerAndWait(`${SERIES_QUERY}&season=1&episode=3`)
    expect(formatEpisodeCode($nextEpisode.get())).toBe('2.1')
    expect(Object.keys($episodesBySeason.get())).toHaveLength(2)
  })

  it('the next episode is the first episode after the episodes that the played file contains', async () => {
    await openPlayerAndWait(EPISODE_QUERY)
    const player = getReadyPlayer()
    $player.set({ ...player, stream: { ...player.stream, episodes: [2, 3] } })
    expect(formatEpisodeCode($nextEpisode.get())).toBe('2.1')
  })

  it('if the following episode is not available, it is displayed as the upcoming episode but is not played next', async () => {
    await openPlayerAndWait(EPISODE_QUERY)
    const [seasonId = '', episodes = []] = Object.entries($episodesBySeason.get())[0] ?? []
    $episodesBySeason.setKey(
      seasonId,
      episodes.map((episode) => ({ ...episode, available: episode.episode_number !== 3 })),
    )
    expect($nextEpisode.get()).toBeNull()
    expect(formatEpisodeCode($upcomingEpisode.get())).toBe('1.3')
  })

  it('a series opens at the first episode, or at the unfinished episode if there is one', async () => {
    await openPlayerAndWait(SERIES_QUERY)
    expect(formatEpisodeCode(getReadyPlayer().episode)).toBe('1.1')
    closePlayer()
    await saveProgress('Iron Ledger', { season: 2, episode: 1, progress: 600 })
    await openPlayerAndWait(SERIES_QUERY)
    expect(formatEpisodeCode(getReadyPlayer().episode)).toBe('2.1')
    expect($episodeProgress.get()).toMatchObject([{ season: 2, episode: 1 }])
  })
})

describe('the state of the player', () => {
  it('the player has nothing to play when the title or the episode does not exist', async () => {
    await openPlayerAndWait('?type=movie&slug=nothing')
    expect($player.get()).toEqual({ status: 'nothing', media: null })
    await openPlayerAndWait(`${SERIES_QUERY}&season=9&episode=9`)
    expect($player.get()).toMatchObject({ status: 'nothing' })
    await openPlayerAndWait('')
    expect($player.get()).toEqual({ status: 'nothing', media: null })
  })

  it('a server error is reported, and a retry opens the title', async () => {
    network.failNext(/stream/, 500)
    browser.history.replaceState(null, '', `/watch/${MOVIE_QUERY}`)
    await openPlayerAndWait(MOVIE_QUERY)
    expect($player.get()).toMatchObject({ status: 'failed', error: { status: 500 } })
    retryPlayer()
    await network.waitUntilIdle()
    expect(getReadyPlayer().media.title).toBe('Night Harbour')
  })

  it('a reply for the previous title that arrives after another title was opened is discarded', async () => {
    const releaseRequest = network.hold(/night-harbour/)
    void openPlayer(MOVIE_QUERY)
    await network.waitUntilIdle()
    await openPlayerAndWait(EPISODE_QUERY)
    releaseRequest()
    await network.waitUntilIdle()
    expect(getReadyPlayer().media.title).toBe('Iron Ledger')
  })

  it('the episodes and the progress of a closed series are not used when their replies arrive after the next series was opened', async () => {
    await saveProgress('Iron Ledger', { season: 2, episode: 1, progress: 600 })
    const releaseRequests = network.hold(/\/episodes/, 'request', 2)
    void openPlayer(SERIES_QUERY)
    await network.waitUntilIdle()
    closePlayer()
    await openPlayerAndWait('?type=tv&slug=garden-club&season=1&episode=3')
    releaseRequests()
    await network.waitUntilIdle()
    expect(getReadyPlayer().media.title).toBe('Garden Club')
    expect(Object.keys($episodesBySeason.get())).toHaveLength(3)
    expect($nextEpisode.get()).toBeNull()
    expect($upcomingEpisode.get()).toBeNull()
    expect($previousEpisode.get()?.id).toBe(
      $episodesBySeason.get()[getReadyPlayer().media.seasons?.[0]?.id ?? '']?.[1]?.id,
    )
    expect($episodeProgress.get()).toEqual([])
  })

  it('closing the player removes its data', async () => {
    await openPlayerAndWait(EPISODE_QUERY)
    closePlayer()
    expect($player.get()).toEqual({ status: 'pending' })
    expect($episodesBySeason.get()).toEqual({})
    expect($episodeProgress.get()).toEqual([])
  })
})

describe('after a switch to a kids profile', () => {
  it('the player closes the title that the adult profile had opened, and no request is sent for the adult profile', async () => {
    await saveProgress('Iron Ledger', { season: 1, episode: 2, progress: 600 })
    await openPlayerAndWait(EPISODE_QUERY)
    await switchTo('kid')
    expect($player.get()).toEqual({ status: 'pending' })
    expect($episodesBySeason.get()).toEqual({})
    expect($episodeProgress.get()).toEqual([])
    expect($nextEpisode.get()).toBeNull()
    await openPlayerAndWait('?type=movie&slug=paper-kites')
    expect(getReadyPlayer().media.title).toBe('Paper Kites')
    expect(findAdultRequests()).toEqual([])
  })

  it('a reply to a request of the adult profile that arrives after the switch to the kids profile is ignored', async () => {
    const releaseRequest = network.hold(/stream/)
    void openPlayer(MOVIE_QUERY)
    await network.waitUntilIdle()
    await switchTo('kid')
    releaseRequest()
    await network.waitUntilIdle()
    expect($player.get()).toEqual({ status: 'pending' })
    expect($isEpisodeLoading.get()).toBe(false)
  })

  it('the player has nothing to play when a title is not safe for kids', async () => {
    await switchTo('kid')
    await openPlayerAndWait(MOVIE_QUERY)
    expect($player.get()).toEqual({ status: 'nothing', media: null })
  })

  it('the title of the adult can be opened again when the adult returns', async () => {
    await openPlayerAndWait(MOVIE_QUERY)
    await switchTo('kid')
    await switchTo('adult')
    await openPlayerAndWait(MOVIE_QUERY)
    expect(getReadyPlayer().media.title).toBe('Night Harbour')
  })
})

describe('the next season', () => {
  it('the next season is requested again after its first request has failed', async () => {
    const { body } = await otherDevice.get('/api/series/slug/iron-ledger')
    const nextSeason = body.seasons.find((season: { season_number: number }) => season.season_number === 2)
    const seasonPath = `/seasons/${nextSeason.id}/`
    // After 502 or a higher status, the client would use a reply that another test has cached.
    network.failNext(new RegExp(seasonPath), 500)
    await openPlayerAndWait(`${SERIES_QUERY}&season=1&episode=3`)
    await waitFor(() => expect(formatEpisodeCode($nextEpisode.get())).toBe('2.1'))
    expect(network.requests.filter(({ url }) => url.includes(seasonPath))).toHaveLength(2)
  })
})
