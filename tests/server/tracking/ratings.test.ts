/** Own ratings of a profile: access, the watchlist, the history, imports and exports, recommendations and erasure. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toIsoDate } from '../../../server/core/dates.ts'
import { loadSignals } from '../../../server/services/recommendations/signals.ts'
import { createTrainingSource } from '../../../server/services/recommendations/training-source.ts'
import { DATABASES } from '../../support/server.ts'
import {
  exportHistory,
  type ImportHousehold,
  importFile,
  startImportHousehold,
} from '../history-import/import-household.ts'

describe.each(DATABASES)('ratings on %s', () => {
  let household: ImportHousehold
  beforeAll(async () => {
    household = await startImportHousehold()
  }, 120_000)
  afterAll(() => household.server.close())

  const getRatingPath = (id: string) => `/api/profile/${household.adult.profileId}/ratings/movie/${id}`
  const rateTitle = (id: string, rating: number | null) => household.adult.put(getRatingPath(id), { rating })
  const loadProfileRow = (profileId: string) =>
    household.server.database.primary
      .selectFrom('profile')
      .select(['profile_id', 'content_genres', 'created_at', 'kids'])
      .where('profile_id', '=', profileId)
      .executeTakeFirstOrThrow()

  it('a rating from 1 to 10 can be saved, replaced and removed', async () => {
    await household.switchToNewProfile('Rates')
    expect((await household.adult.get(getRatingPath('1'))).body).toEqual({ rating: null })
    expect((await rateTitle('1', 8)).body).toEqual({ rating: 8 })
    await rateTitle('1', 3)
    expect((await household.adult.get(getRatingPath('1'))).body).toEqual({ rating: 3 })
    await rateTitle('1', null)
    expect((await household.adult.get(getRatingPath('1'))).body).toEqual({ rating: null })
    for (const rating of [0, 11, 7.5, '8', undefined])
      expect((await household.adult.put(getRatingPath('1'), { rating })).status).toBe(422)
    expect((await rateTitle('999999', 8)).status).toBe(404)
  })

  it('a kids profile can rate only titles that the profile may see', async () => {
    const { kid, kidId, adult } = household
    const titles = (await adult.get('/api/movies?limit=100')).body.results
    const findMovieId = (isSafe: boolean) =>
      titles.find((title: { safe_for_kids: boolean }) => title.safe_for_kids === isSafe).id
    const ratingsPath = `/api/profile/${kidId}/ratings/movie`
    expect((await kid.put(`${ratingsPath}/${findMovieId(true)}`, { rating: 10 })).body).toEqual({
      rating: 10,
    })
    expect((await kid.put(`${ratingsPath}/${findMovieId(true)}`, { rating: null })).status).toBe(200)
    expect((await kid.put(`${ratingsPath}/${findMovieId(false)}`, { rating: 10 })).status).toBe(404)
  })

  it('the watchlist is sorted and filtered by ratings, and the history shows ratings', async () => {
    await household.switchToNewProfile('Sorts')
    const { adult } = household
    const watchlistPath = `/api/profile/${adult.profileId}/watchlist`
    for (const id of ['1', '2', '3']) await adult.put(`${watchlistPath}/movie/${id}`)
    await rateTitle('1', 4)
    await rateTitle('2', 9)
    const listRatings = async (query: string) =>
      (await adult.get(`${watchlistPath}?${query}`)).body.results.map(
        (entry: { media: { id: string; own_rating: number | null } }) => [
          entry.media.id,
          entry.media.own_rating,
        ],
      )
    expect(await listRatings('sort=rating.desc')).toEqual([
      ['2', 9],
      ['1', 4],
      ['3', null],
    ])
    expect(await listRatings('sort=rating.asc')).toEqual([
      ['1', 4],
      ['2', 9],
      ['3', null],
    ])
    expect(await listRatings('min-rating=8')).toEqual([['2', 9]])
    expect(await listRatings('rated=false')).toEqual([['3', null]])
    expect((await adult.get(`${watchlistPath}?rated=true`)).body.total_results).toBe(2)
    await adult.post(`/api/profile/${adult.profileId}/viewings`, {
      key: 'seen',
      scopes: [{ type: 'movie', media_id: '2', scope: 'title' }],
    })
    const { results } = (await adult.get(`/api/profile/${adult.profileId}/viewings`)).body
    expect(results).toMatchObject([{ media: { id: '2' }, rating: 9 }])
  })

  it('IMDb ratings can be imported and exported, and a second import does not restore a removed like', async () => {
    await household.switchToNewProfile('Imports')
    const { adult } = household
    const { imdb_id } = (await adult.get('/api/movies/1')).body
    const csv = `Const,Your Rating,Date Rated,Title,Title Type\n${imdb_id},8,2021-03-04,x,Movie\n`
    await importFile(adult, 'ratings.csv', csv)
    expect((await adult.get(getRatingPath('1'))).body).toEqual({ rating: 8 })
    const feedbackPath = `/api/profile/${adult.profileId}/feedback/movie/1`
    expect((await adult.get(feedbackPath)).body).toEqual({ feedback: 'liked' })
    // The profile removes the like. Importing the file again does not restore the like.
    await adult.put(feedbackPath, { feedback: null })
    expect((await importFile(adult, 'again.csv', `${csv}\n`)).changed).toBe(0)
    await rateTitle('2', 5)
    for (const format of ['json', 'csv']) {
      const exportedFile = await exportHistory(adult, format)
      const sourceProfileId = adult.profileId
      await household.switchToNewProfile(`To ${format}`)
      await importFile(adult, `marquee-export.${format}`, exportedFile)
      expect((await adult.get(getRatingPath('1'))).body).toEqual({ rating: 8 })
      expect(await exportHistory(adult, format)).toBe(exportedFile)
      adult.profileId = sourceProfileId
    }
  })

  it('the weight of a recommendation signal and the value of a training interaction rise with the rating, and a dislike has priority over a rating', async () => {
    await household.switchToNewProfile('Signals')
    const { adult, server } = household
    const { primary } = server.database
    const profile = await loadProfileRow(adult.profileId ?? '')
    const loadSignal = async () =>
      (await loadSignals(primary, profile, toIsoDate(server.deps.now()))).slice(-1)[0]
    const weights: number[] = []
    for (let rating = 1; rating <= 10; rating++) {
      await rateTitle('1', rating)
      weights.push((await loadSignal())?.weight ?? Number.NaN)
    }
    expect(weights).toEqual(weights.toSorted((a, b) => a - b))
    expect([weights[0], weights[9]]).toEqual([-0.5, 1.2])
    // A dislike of the profile has priority over a good rating.
    await adult.put(`/api/profile/${adult.profileId}/feedback/movie/1`, { feedback: 'dislike' })
    expect(await loadSignal()).toMatchObject({ kind: 'disliked' })
    expect((await loadSignal())?.weight).toBeUndefined()
    await adult.put(`/api/profile/${adult.profileId}/feedback/movie/1`, { feedback: 'like' })
    await rateTitle('1', 8)
    expect(await loadSignal()).toMatchObject({ kind: 'liked', weight: 1 })
    const interactionValues = (
      await Array.fromAsync(createTrainingSource(server.database).readInteractions())
    ).map((interaction) => interaction.value)
    expect(interactionValues).toContain(1.05)
  })

  it('a rating of 5 lowers the signal weight of a watched title to 0.3', async () => {
    await household.switchToNewProfile('Middle')
    const { adult, server } = household
    await adult.post(`/api/profile/${adult.profileId}/viewings`, {
      key: 'seen',
      scopes: [{ type: 'movie', media_id: '1', scope: 'title' }],
    })
    await rateTitle('1', 5)
    const signals = await loadSignals(
      server.database.primary,
      await loadProfileRow(adult.profileId ?? ''),
      toIsoDate(server.deps.now()),
    )
    expect(Math.max(...signals.map((signal) => signal.weight ?? 1))).toBe(0.3)
  })

  it('the ratings of a permanently deleted profile are deleted', async () => {
    await household.switchToNewProfile('Gone')
    const { adult, server } = household
    await rateTitle('1', 8)
    const profileId = adult.profileId ?? ''
    adult.profileId = household.adultId
    expect((await adult.delete(`/api/profile/${profileId}`)).status).toBeLessThan(300)
    const binItemPath = `/api/profile/${household.adultId}/bin/profile/${profileId}`
    expect((await adult.delete(binItemPath)).status).toBe(204)
    const rows = await server.database.primary
      .selectFrom('rating')
      .selectAll()
      .where('profile_id', '=', profileId)
      .execute()
    expect(rows).toEqual([])
  })
})
