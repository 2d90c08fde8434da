import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFileLock } from '../../server/db/file-lock.ts'
import { openSqliteConnection } from '../../server/db/sqlite-connection.ts'
import { openDemoDatabase } from '../support/demo-database.ts'
import { DATABASES, insertTestAccount, startTestServer, type TestServer } from '../support/server.ts'
import { TestClient } from '../support/test-client.ts'
import { addMovies, createMovieRecord } from './admin/admin-test-server.ts'

describe.each(DATABASES)('search and recommendations on %s', () => {
  let server: TestServer
  let admin: TestClient
  let viewer: TestClient
  let mainId = ''
  let kidId = ''

  beforeAll(async () => {
    server = await startTestServer({ database: await openDemoDatabase() })
    await server.deps.recommender.refresh()
    await insertTestAccount(server, 'ada@example.org', 'admin')
    admin = new TestClient(server)
    await admin.login('ada@example.org')
    mainId = await createProfile(admin, 'Ada', false)
    kidId = await createProfile(admin, 'Kit', true)
    viewer = new TestClient(server)
    await viewer.login('ada@example.org')
    admin.profileId = mainId
    viewer.profileId = mainId
  }, 120_000)
  afterAll(() => server.close())

  const createProfile = async (device: TestClient, name: string, isKids: boolean): Promise<string> =>
    (await device.post('/api/profile', { name, kids: isKids, avatar: 1, preferences: { language: 'en' } }))
      .body.profile_id
  // biome-ignore lint/suspicious/noExplicitAny: the test reads responses without types, as an external client does
  const searchTitles = async (query: string, extraQuery = ''): Promise<any> =>
    (await viewer.get(`/api/search?q=${encodeURIComponent(query)}${extraQuery}`)).body
  const searchSlugs = async (query: string, extraQuery = ''): Promise<string[]> =>
    // biome-ignore lint/suspicious/noExplicitAny: the test reads responses without types
    (await searchTitles(query, extraQuery)).results.map((hit: any) => hit.media?.slug ?? hit.actor.slug)
  const getTitleId = async (slug: string, type = 'movies'): Promise<string> =>
    (await viewer.get(`/api/${type}/slug/${slug}`)).body.id
  // biome-ignore lint/suspicious/noExplicitAny: the test reads responses without types
  const loadPicks = async (extraQuery = '', profileId = mainId): Promise<any[]> =>
    (
      await viewer.get(
        `/api/profile/${profileId}/recommend?${extraQuery.includes('limit=') ? '' : 'limit=40'}${extraQuery}`,
      )
    ).body.results

  it('titles are found despite a typo, a missing space or another script', async () => {
    expect((await searchSlugs('inceptoin'))[0]).toBe('inception')
    expect((await searchSlugs('inseption'))[0]).toBe('inception')
    expect((await searchSlugs('انسبشن'))[0]).toBe('inception')
    expect((await searchSlugs('toystory'))[0]).toBe('toy-story')
    expect(await searchSlugs('%')).toEqual([])
  })

  it('while the index is being rebuilt, searches report the rebuild and return results of the existing index', async () => {
    await server.deps.searchIndex.whenIdle()
    // Each search has a different limit, because the server caches the response to an equal search for a short time.
    expect(await searchTitles('inception', '&limit=11')).not.toHaveProperty('index_building')
    // The rebuild waits for the lock of the search index.
    const releaseLock = server.database.searchLock.tryAcquire()
    const rebuildPromise = server.deps.searchIndex.rebuild()
    expect(await searchTitles('inception', '&limit=12')).toMatchObject({
      index_building: true,
      results: [{ media: { slug: 'inception' } }],
    })
    releaseLock?.()
    await rebuildPromise
    expect(await searchTitles('inception', '&limit=13')).not.toHaveProperty('index_building')
  })

  it('publishing, blocking, deleting and restoring a title apply to search and lists immediately', async () => {
    const id = await getTitleId('inception')
    await admin.patch(`/api/movies/${id}/publish`, { published: false })
    expect(await searchSlugs('inception', '&type=movie')).not.toContain('inception')
    await admin.patch(`/api/movies/${id}/publish`, { published: true })
    expect((await searchSlugs('inception'))[0]).toBe('inception')

    const totalBefore = (await viewer.get('/api/movies?limit=1')).body.total_results
    const blockResponse = await admin.post('/api/blocklist', { type: 'movie', media_id: id })
    expect(blockResponse.status).toBe(201)
    expect(await searchSlugs('inception', '&type=movie')).not.toContain('inception')
    expect((await viewer.get('/api/movies?limit=1')).body.total_results).toBe(totalBefore - 1)
    expect((await viewer.get('/api/movies?search=inception')).body.results).not.toContainEqual(
      expect.objectContaining({ slug: 'inception' }),
    )
    await admin.delete(`/api/blocklist/${blockResponse.body.id}`)
    expect((await viewer.get('/api/movies?limit=1')).body.total_results).toBe(totalBefore)
    expect((await viewer.get('/api/movies?search=incepti')).body.results[0].slug).toBe('inception')

    expect((await admin.delete(`/api/movies/${id}`)).status).toBe(204)
    expect(await searchSlugs('inception', '&type=movie')).not.toContain('inception')
    expect((await viewer.get('/api/movies?limit=1')).body.total_results).toBe(totalBefore - 1)
    expect((await admin.post(`/api/admin/titles/${id}/restore`)).status).toBeLessThan(300)
    expect((await searchSlugs('inception'))[0]).toBe('inception')
    expect((await viewer.get('/api/movies?limit=1')).body.total_results).toBe(totalBefore)
  })

  it('an actor is found only if the actor plays in a title that the caller may see', async () => {
    const countActors = async () => (await searchTitles('leonardo dicaprio')).counts.actor
    expect(await countActors()).toBeGreaterThan(0)
    expect((await searchTitles('leonardo dicaprio', '&kids=true')).counts.actor).toBe(0)
  })

  it('a search for the family name of a director returns the director first, followed by titles of this director', async () => {
    const { results, counts } = await searchTitles('nolan')
    expect(results[0].actor).toMatchObject({ slug: 'christopher-nolan' })
    expect(results[0].actor.jobs).toContain('directing')
    const titleHits = results.filter((hit: { media?: unknown }) => hit.media)
    expect(counts.movie).toBeGreaterThan(7)
    expect(titleHits.length).toBeGreaterThanOrEqual(5)
    for (const { media, reason } of titleHits.slice(0, 5)) {
      expect(reason).toEqual({ kind: 'person', value: 'Christopher Nolan', job: 'Director' })
      const { crew } = (await viewer.get(`/api/movies/slug/${media.slug}`)).body
      expect(crew).toContainEqual({
        slug: 'christopher-nolan',
        name: 'Christopher Nolan',
        job: 'Director',
      })
    }
    for (const [query, slug] of [
      ['denis villeneuve', 'denis-villeneuve'],
      ['hayao miyazaki', 'hayao-miyazaki'],
      ['هاياو ميازاكي', 'hayao-miyazaki'],
    ])
      expect((await searchSlugs(query ?? ''))[0]).toBe(slug)
    expect((await searchSlugs('spielberg', '&type=movie')).slice(0, 5)).toContain('jurassic-park')
  })

  it('the filmography of a director lists the jobs of the director for each title, and a kids profile gets only titles that are safe for kids', async () => {
    expect((await viewer.get('/api/actors/slug/hayao-miyazaki')).body.name).toBe('Hayao Miyazaki')
    for (const listName of ['movies', 'series'])
      expect((await viewer.get(`/api/actors/slug/hayao-miyazaki/${listName}`)).body).toMatchObject({
        page: 1,
        limit: 20,
      })
    const { results } = (await viewer.get('/api/actors/slug/hayao-miyazaki/movies?limit=50')).body
    expect(results.length).toBeGreaterThan(5)
    for (const title of results) expect(title.jobs).not.toEqual([])
    expect((await viewer.get('/api/actors/slug/christopher-nolan')).status).toBe(200)
    viewer.profileId = kidId
    const kidResponses = [
      await viewer.get('/api/actors/slug/christopher-nolan'),
      await viewer.get('/api/search?q=nolan'),
    ]
    const kidTitles = (await viewer.get('/api/actors/slug/hayao-miyazaki/movies?limit=50')).body.results
    viewer.profileId = mainId
    expect(kidResponses[0]?.status).toBe(404)
    expect(JSON.stringify(kidResponses[1]?.body.results)).not.toContain('Christopher Nolan')
    expect(kidTitles.length).toBeGreaterThan(0)
    expect(kidTitles.every((title: { safe_for_kids: boolean }) => title.safe_for_kids)).toBe(true)
  })

  it('titles are found by network, genre, language and keyword, and the reason is returned', async () => {
    const findReasons = async (query: string) =>
      (await searchTitles(query)).results.slice(0, 5).map((hit: { reason?: unknown }) => hit.reason)
    const repeatReason = (reason: object) => Array.from({ length: 5 }, () => reason)
    expect(await findReasons('hbo')).toEqual(repeatReason({ kind: 'network', value: 'hbo' }))
    expect(await findReasons('رعب')).toEqual(repeatReason({ kind: 'genre', value: '27' }))
    expect(await findReasons('time travel')).toEqual(repeatReason({ kind: 'keyword', value: 'time travel' }))
    expect((await searchTitles('linguist')).results[0]).toMatchObject({ media: { slug: 'arrival' } })
    const { results, facets } = await searchTitles('Korean  thriller 2019')
    expect(results[0]).toMatchObject({ media: { slug: 'parasite' }, reason: { kind: 'genre' } })
    expect(facets).toEqual([
      { kind: 'language', value: 'ko', query_without: 'thriller 2019' },
      { kind: 'genre', value: '53', query_without: 'Korean 2019' },
      { kind: 'year', value: '2019', query_without: 'Korean thriller' },
    ])
  })

  it('searches by facet or topic find and count only titles that the kids profile may see', async () => {
    const isFound = async (query: string, slug: string) =>
      (await searchSlugs(query, '&limit=100')).includes(slug)
    const countListedTitles = async (genre: number): Promise<number> => {
      const replies = ['movies', 'series'].map((listName) =>
        viewer.get(`/api/${listName}?limit=1&include-genres=${genre}`),
      )
      return (await Promise.all(replies)).reduce((total, { body }) => total + body.total_results, 0)
    }
    const countAnimationTitles = async () => {
      const { counts } = await searchTitles('animation')
      return counts.movie + counts.tv
    }
    const adultAnimationCount = await countAnimationTitles()
    viewer.profileId = kidId
    try {
      // The test does not check the number of people, because the name of a person in a safe title may match the query.
      expect(await searchTitles('horror')).toMatchObject({ facets: [], counts: { movie: 0, tv: 0 } })
      const kidsAnimationCount = await countAnimationTitles()
      expect(kidsAnimationCount).toBe(await countListedTitles(16))
      expect(kidsAnimationCount).toBeLessThan(adultAnimationCount)
      expect(await isFound('jealousy', 'toy-story')).toBe(true)
      const rulePath = `/api/profile/${kidId}/title-rules/movie/${await getTitleId('toy-story')}`
      await admin.put(rulePath, { rule: 'deny' })
      expect(await countAnimationTitles()).toBe(kidsAnimationCount - 1)
      expect(await isFound('animation', 'toy-story')).toBe(false)
      expect(await isFound('jealousy', 'toy-story')).toBe(false)
      await admin.put(rulePath, { rule: null })
    } finally {
      viewer.profileId = mainId
    }
  })

  it('a search on a kids profile returns only the typed words as the reason of a result, and no other text of the plot or keyword', async () => {
    const findNemoReason = async (query: string) =>
      (await searchTitles(query)).results.find(
        (hit: { media?: { slug: string } }) => hit.media?.slug === 'finding-nemo',
      )?.reason
    const adultReasons = [await findNemoReason('forgetful'), await findNemoReason('crosses an OCEAN')]
    viewer.profileId = kidId
    const kidsReasons = [await findNemoReason('forgetful'), await findNemoReason('crosses an OCEAN')]
    viewer.profileId = mainId
    expect(adultReasons[1]).toMatchObject({ kind: 'plot' })
    expect(adultReasons[1].value).toMatch(/…/)
    expect(kidsReasons[1]).toEqual({ kind: 'plot', value: 'crosses OCEAN' })
    expect(kidsReasons[0]?.value).toBe('forgetful')
  })

  it('a query with the name of a series, a season and an episode finds the series, and the reason contains both numbers', async () => {
    const hit = (await searchTitles('game of thrones s01e02')).results[0]
    expect(hit).toMatchObject({
      media: { slug: 'game-of-thrones' },
      reason: { kind: 'episode', value: '1x2' },
    })
    expect((await searchTitles('game of thrones season 40')).results[0].reason).toBeUndefined()
  })

  it('liked titles are reasons of recommendations, and a disabled signal is ignored', async () => {
    const likedTitleId = await getTitleId('toy-story')
    await viewer.put(`/api/profile/${mainId}/feedback/movie/${likedTitleId}`, { feedback: 'like' })
    const picks = await loadPicks()
    expect(picks.map((pick) => pick.id)).not.toContain(likedTitleId)
    const picksExplainedByLike = picks.filter((pick) =>
      pick.reasons.some(
        // biome-ignore lint/suspicious/noExplicitAny: the test reads responses without types
        (reason: any) => reason.signal === `liked:${likedTitleId}` && reason.title === 'Toy Story',
      ),
    )
    expect(picksExplainedByLike.length).toBeGreaterThan(5)
    const disableResponse = await viewer.put(
      `/api/profile/${mainId}/recommend/signals/liked:${likedTitleId}`,
      {
        off: true,
      },
    )
    expect(disableResponse.status).toBe(204)
    const picksWithoutSignal = await loadPicks()
    expect(JSON.stringify(picksWithoutSignal)).not.toContain(`liked:${likedTitleId}`)
    expect(picksWithoutSignal.map((pick) => pick.id)).not.toEqual(picks.map((pick) => pick.id))
    const signals = (await viewer.get(`/api/profile/${mainId}/recommend/signals`)).body.results
    expect(signals).toContainEqual({
      signal: `liked:${likedTitleId}`,
      kind: 'liked',
      off: true,
      media_id: likedTitleId,
      title: 'Toy Story',
    })
    await viewer.put(`/api/profile/${mainId}/recommend/signals/liked:${likedTitleId}`, { off: false })
    expect(await loadPicks()).toEqual(picks)
    // The title is watched to the end and also marked as completed. Both facts together must count as one signal.
    const completedTitleId = await getTitleId('heat')
    const progressInput = {
      type: 'movie',
      media_id: completedTitleId,
      progress: 100,
      data: { video_duration: 100 },
    }
    expect((await viewer.post(`/api/profile/${mainId}/history`, progressInput)).status).toBeLessThan(300)
    await viewer.put(`/api/profile/${mainId}/watchlist/movie/${completedTitleId}`, {
      in_watchlist: true,
      state: 'completed',
    })
    const allSignals = (await viewer.get(`/api/profile/${mainId}/recommend/signals`)).body.results
    expect(
      allSignals.filter((signal: { media_id?: string }) => signal.media_id === completedTitleId),
    ).toMatchObject([{ signal: `completed:${completedTitleId}` }])
    expect((await viewer.put(`/api/profile/${mainId}/recommend/signals/x`, { off: true })).status).toBe(422)
  })

  it.each([
    ['disliked', 'feedback', { feedback: 'dislike' }],
    ['rated with 2', 'ratings', { rating: 2 }],
  ])(
    'no recommendation row is based on a title that was watched to the end and %s',
    async (_description, path, body) => {
      const watchedTitleId = await getTitleId('inception')
      const loadRowTitleIds = async () =>
        (await viewer.get(`/api/profile/${mainId}/recommend/because`)).body.results.map(
          ({ because }: { because: { media_id: string } }) => because.media_id,
        )
      const progressInput = {
        type: 'movie',
        media_id: watchedTitleId,
        progress: 100,
        data: { video_duration: 100 },
      }
      await viewer.post(`/api/profile/${mainId}/history`, progressInput)
      expect(await loadRowTitleIds()).toContain(watchedTitleId)
      await viewer.put(`/api/profile/${mainId}/${path}/movie/${watchedTitleId}`, body)
      expect(await loadRowTitleIds()).not.toContain(watchedTitleId)
      await viewer.put(`/api/profile/${mainId}/${path}/movie/${watchedTitleId}`, {
        [Object.keys(body)[0] ?? '']: null,
      })
    },
  )

  it('disabling or enabling one of two signals of a title also disables or enables the other signal, and picks ignore the title while both are disabled', async () => {
    const titleId = await getTitleId('the-matrix')
    const getSignalPath = (kind: string) => `/api/profile/${mainId}/recommend/signals/${kind}:${titleId}`
    await viewer.put(`/api/profile/${mainId}/feedback/movie/${titleId}`, { feedback: 'like' })
    await viewer.put(`/api/profile/${mainId}/watchlist/movie/${titleId}/state/completed`)
    const loadOffStates = async () =>
      (await viewer.get(`/api/profile/${mainId}/recommend/signals`)).body.results.flatMap(
        ({ media_id, off }: { media_id?: string; off: boolean }) => (media_id === titleId ? [off] : []),
      )
    expect(await loadOffStates()).toEqual([false, false])
    await viewer.put(getSignalPath('liked'), { off: true })
    expect(await loadOffStates()).toEqual([true, true])
    expect(JSON.stringify(await loadPicks())).not.toContain(`:${titleId}"`)
    await viewer.put(getSignalPath('completed'), { off: false })
    expect(await loadOffStates()).toEqual([false, false])
    await viewer.put(`/api/profile/${mainId}/feedback/movie/${titleId}`, { feedback: null })
  })

  it('the recommendation model is trained again after a signal was removed or a profile was moved to the bin, and is kept if nothing has changed', async () => {
    const trainModel = async () => {
      await server.deps.recommender.refresh()
      return server.deps.recommender.getCurrentModel()
    }
    const setFeedback = async (slug: string, feedback: 'like' | 'dislike' | null, profileId = mainId) => {
      const path = `/api/profile/${profileId}/feedback/movie/${await getTitleId(slug)}`
      expect((await viewer.put(path, { feedback })).status).toBeLessThan(300)
    }
    const otherProfileId = await createProfile(viewer, 'Otto', false)
    viewer.profileId = otherProfileId
    await setFeedback('inception', 'like', otherProfileId)
    viewer.profileId = mainId
    await setFeedback('the-matrix', 'dislike')
    await setFeedback('heat', 'like')
    const model = await trainModel()
    expect(await trainModel()).toBe(model)
    await setFeedback('the-matrix', null)
    const modelWithoutDislike = await trainModel()
    expect(modelWithoutDislike).not.toBe(model)
    expect((await viewer.delete(`/api/profile/${otherProfileId}`)).status).toBeLessThan(300)
    expect(await trainModel()).not.toBe(modelWithoutDislike)
    await setFeedback('heat', null)
  })

  it('the recommendation model is trained again when a title is changed after the clock was set back, although an earlier change has a time in the future', async () => {
    const { recommender, database } = server.deps
    await database.primary
      .updateTable('catalogue_change')
      .set({ changed_at: Date.now() + 86_400_000 })
      .where('doc_id', '=', (eb) =>
        // Selects the oldest row, because the search index would treat a changed time of a later row as a sign of a
        // restored database.
        eb.selectFrom('catalogue_change').select('doc_id').orderBy('version').limit(1),
      )
      .execute()
    await recommender.refresh()
    const model = recommender.getCurrentModel()
    await database.primary.updateTable('title').set({ popularity: 1 }).where('slug', '=', 'heat').execute()
    await recommender.refresh()
    expect(recommender.getCurrentModel()).not.toBe(model)
  })

  it('disliked and completed titles are not recommended, and liked titles are recommended only with include-rated', async () => {
    const [dislikedPick, completedPick, likedPick] = (await loadPicks()).map((pick) => pick)
    await viewer.put(`/api/profile/${mainId}/feedback/${dislikedPick.type}/${dislikedPick.id}`, {
      feedback: 'dislike',
    })
    await viewer.put(
      `/api/profile/${mainId}/watchlist/${completedPick.type}/${completedPick.id}/state/completed`,
    )
    await viewer.put(`/api/profile/${mainId}/feedback/${likedPick.type}/${likedPick.id}`, {
      feedback: 'like',
    })
    const loadPickIds = async (extraQuery = '') =>
      (await loadPicks(`&limit=100${extraQuery}`)).map((pick) => pick.id)
    expect(await loadPickIds()).not.toContain(dislikedPick.id)
    expect(await loadPickIds()).not.toContain(completedPick.id)
    expect(await loadPickIds()).not.toContain(likedPick.id)
    const pickIdsWithRated = await loadPickIds('&include-rated=true')
    expect(pickIdsWithRated).toContain(likedPick.id)
    expect(pickIdsWithRated).not.toContain(dislikedPick.id)
    const similarTitles = (await viewer.get(`/api/recommend/similar/${likedPick.id}?limit=50`)).body.results
    // biome-ignore lint/suspicious/noExplicitAny: the test reads responses without types
    expect(similarTitles.map((pick: any) => pick.id)).not.toContain(dislikedPick.id)
    expect(similarTitles.length).toBeGreaterThan(10)
  })

  it('only titles that fit the filters are recommended, and to a kids profile only safe titles', async () => {
    const filteredPicks = await loadPicks('&type=tv&rating=8&genres-included=18&genres-excluded=35')
    expect(filteredPicks.length).toBeGreaterThan(5)
    for (const pick of filteredPicks) {
      expect(pick).toMatchObject({ type: 'tv' })
      expect(pick.rating).toBeGreaterThanOrEqual(8)
      expect(pick.genres).toContain(18)
      expect(pick.genres).not.toContain(35)
    }
    viewer.profileId = kidId
    const kidsTitles = [
      ...(await loadPicks('', kidId)),
      ...(await viewer.get(`/api/profile/${kidId}/recommend/top-genres`)).body.results.flatMap(
        // biome-ignore lint/suspicious/noExplicitAny: the test reads responses without types
        (row: any) => row.results,
      ),
      ...(await viewer.get(`/api/recommend/similar/${await getTitleId('toy-story')}`)).body.results,
    ]
    viewer.profileId = mainId
    expect(kidsTitles.length).toBeGreaterThan(60)
    expect(kidsTitles.every((title) => title.safe_for_kids)).toBe(true)
  })

  it('rows of the favourite genres are returned, and each title occurs at most once', async () => {
    const rows = (await viewer.get(`/api/profile/${mainId}/recommend/top-genres`)).body.results
    expect(rows.length).toBe(5)
    // biome-ignore lint/suspicious/noExplicitAny: the test reads responses without types
    const titleIds = rows.flatMap((row: any) => row.results.map((title: any) => title.id))
    expect(new Set(titleIds).size).toBe(titleIds.length)
    for (const row of rows) {
      expect(row.results.length).toBeGreaterThan(0)
      for (const title of row.results) expect(title.genres).toContain(row.genre.id)
    }
  })

  it('the list of similar titles begins with the other parts of a franchise, unseen parts before seen parts', async () => {
    const [firstPartId, secondPartId] = [
      await getTitleId('back-to-the-future'),
      await getTitleId('back-to-the-future-part-ii'),
    ]
    const loadSimilarSlugs = async (): Promise<string[]> =>
      (await viewer.get(`/api/recommend/similar/${firstPartId}?limit=2`)).body.results.map(
        (title: { slug: string }) => title.slug,
      )
    expect(await loadSimilarSlugs()).toEqual(['back-to-the-future-part-ii', 'back-to-the-future-part-iii'])
    await viewer.put(`/api/profile/${mainId}/watchlist/movie/${secondPartId}/state/completed`)
    expect(await loadSimilarSlugs()).toEqual(['back-to-the-future-part-iii', 'back-to-the-future-part-ii'])
  })

  it('a search for a person returns the same counts, whichever type and limit are requested', async () => {
    // Uses another account, because the tests of this file have nearly used up the search quota of the first account.
    await insertTestAccount(server, 'grace@example.org')
    const device = new TestClient(server)
    await device.login('grace@example.org')
    device.profileId = await createProfile(device, 'Grace', false)
    const search = async (query: string, extraQuery = '') =>
      (await device.get(`/api/search?q=${encodeURIComponent(query)}${extraQuery}`)).body
    // The search document of a title contains the names of its first eight actors. A search for the tenth actor finds
    // the title only through its credits.
    const cast = Array.from({ length: 10 }, (_, index) => ({
      person: { name: index === 9 ? 'Zelda Quillfeather' : `Extra ${index}`, tmdb_id: 980_000 + index },
      character: 'Guest',
    }))
    await addMovies({ server }, [
      createMovieRecord(901, { cast }),
      createMovieRecord(902, { cast }),
      createMovieRecord(903, { cast, type: 'tv' }),
    ])
    expect((await search('zelda quillfeather')).counts).toEqual({ all: 4, movie: 2, tv: 1, actor: 1 })
    for (const query of [
      'zelda quillfeather',
      'nolan',
      'tom hanks',
      'hayao miyazaki',
      'phoebe waller-bridge',
    ]) {
      const { counts } = await search(query)
      expect(counts.movie + counts.tv, query).toBeGreaterThan(0)
      for (const type of ['movie', 'tv', 'actor']) {
        const reply = await search(query, `&type=${type}`)
        expect(reply.counts, `${query} ${type}`).toEqual(counts)
        const foundKinds = new Set(reply.results.map((hit: { kind: string }) => hit.kind))
        expect([...foundKinds], `${query} ${type}`).toEqual(counts[type] > 0 ? [type] : [])
      }
      const replyWithOneHit = await search(query, '&limit=1')
      expect(replyWithOneHit.counts, query).toEqual(counts)
      expect(replyWithOneHit.results).toHaveLength(1)
    }
  })

  it('a server does not use search results that another server has cached while the index of that server was incomplete or outdated', async () => {
    const { database, deps } = server
    const searchLock = createFileLock(':memory:')
    const searchDatabase = openSqliteConnection(':memory:')
    const releaseLock = searchLock.tryAcquire()
    const otherServer = await startTestServer({
      database: { ...database, searchDatabase, searchLock, close: async () => searchDatabase.close() },
      keys: deps.keys,
    })
    otherServer.deps.cache = deps.cache
    const otherViewer = new TestClient(otherServer)
    await otherViewer.login('ada@example.org')
    otherViewer.profileId = mainId
    const searchOtherServer = async (query: string) => (await otherViewer.get(`/api/search?q=${query}`)).body

    expect(await searchOtherServer('inception')).toMatchObject({ index_building: true, results: [] })
    const reply = await searchTitles('inception')
    expect(reply).not.toHaveProperty('index_building')
    expect(reply.results[0].media.slug).toBe('inception')

    releaseLock?.()
    await otherServer.deps.searchIndex.whenIdle()
    // The index of the other server is complete. Acquires the lock of that index, as another process could. The index
    // then does not receive the title that is added next.
    searchLock.tryAcquire()
    const names = [{ lang: 'en', text: 'Zorbulax', role: 'main' as const }]
    await addMovies({ server }, [createMovieRecord(77, { original_title: 'Zorbulax', names })])
    const lateReply = await searchOtherServer('zorbulax')
    expect(lateReply).not.toHaveProperty('index_building')
    expect(lateReply.results).toEqual([])
    expect((await searchTitles('zorbulax')).results[0]?.media.title).toBe('Zorbulax')
    await otherServer.close()
  })
})
