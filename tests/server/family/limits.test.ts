/**
 * Limits of profiles, title rules that always show or always hide a title, and who may change these limits and rules.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { importTitles } from '../../../server/importers/import-titles.ts'
import { deleteExpiredRows } from '../../../server/queries/maintenance.ts'
import { canStillWatch } from '../../../server/services/playback/watch-access.ts'
import {
  DATABASES,
  insertTestAccount,
  startTestServer,
  TEST_PASSWORD,
  type TestServer,
} from '../../support/server.ts'
import { TestClient } from '../../support/test-client.ts'
import { addMovies, createMovieRecord } from '../admin/admin-test-server.ts'
import { createHousehold } from '../security/household.ts'

const MINUTE_MS = 60_000

let server: TestServer
let parent: TestClient
let teen: TestClient
const profileIds = { main: '', teen: '', kid: '' }
const movieIdsByRating: Record<'all' | 'thirteen' | 'seventeen' | 'unrated', string> = {
  all: '',
  thirteen: '',
  seventeen: '',
  unrated: '',
}
beforeAll(async () => {
  server = await startTestServer({ env: { DEMO: '1' } })
  const createGuide = (severity: 'None' | 'Severe') => ({
    parental_guide: [{ category: 'Violence & Gore' as const, severity, votes: 1 }],
  })
  const [ratedAllId, rated13Id, rated17Id, unratedId] = await addMovies({ server }, [
    createMovieRecord(1, {
      rated: 'All',
      safe_for_kids: true,
      ...createGuide('None'),
      cast: [
        { person: { name: 'Ada' }, character: 'Self - Narrator' },
        { person: { name: 'Bo' }, character: 'Wanda (voice) / Narrator' },
      ],
    }),
    createMovieRecord(2, {
      rated: '13+',
      safe_for_kids: false,
      ...createGuide('Severe'),
      cast: [
        { person: { name: 'Bo' }, character: 'Grim' },
        { person: { name: 'Ada' }, character: 'Wanda' },
      ],
    }),
    createMovieRecord(3, { rated: '17+', safe_for_kids: false }),
    createMovieRecord(4, { rated: undefined, safe_for_kids: false }),
  ])
  Object.assign(movieIdsByRating, {
    all: ratedAllId,
    thirteen: rated13Id,
    seventeen: rated17Id,
    unrated: unratedId,
  })
  parent = await signIn(true)
  const createProfile = async (name: string, kids = false): Promise<string> => {
    // Profiles are listed in the order of their creation times, so each profile needs its own time.
    server.advanceClock(1)
    return (await parent.post('/api/profile', { name, kids, avatar: 1 })).body.profile_id
  }
  profileIds.main = await createProfile('Main')
  parent.profileId = profileIds.main
  profileIds.teen = await createProfile('Teen')
  profileIds.kid = await createProfile('Kid', true)
  teen = Object.assign(await signIn(), { profileId: profileIds.teen })
}, 60_000)
afterAll(() => server.close())

async function signIn(shouldCreateAccount = false): Promise<TestClient> {
  if (shouldCreateAccount) await insertTestAccount(server, 'parent@example.org')
  const device = new TestClient(server)
  await device.login('parent@example.org')
  return device
}

const NO_LIMITS = { max_age: null, guide: {}, accepts_unknown_guide: false }
const setLimits = (changedLimits: object, profileId = profileIds.teen) =>
  parent.put(`/api/profile/${profileId}/limits`, { ...NO_LIMITS, ...changedLimits })
const setRule = (movieId: string, rule: 'allow' | 'deny' | null, profileId = profileIds.teen) =>
  parent.put(`/api/profile/${profileId}/title-rules/movie/${movieId}`, { rule })
const setTemporaryRule = (movieId: string, expiresAtMs: number) =>
  parent.put(`/api/profile/${profileIds.teen}/title-rules/movie/${movieId}`, {
    rule: 'deny',
    expires_at: new Date(expiresAtMs).toISOString(),
  })
const listMovies = async (device = teen, query = ''): Promise<string[]> =>
  (await device.get(`/api/movies?${query}`)).body.results.map((movie: { id: string }) => movie.id).sort()
const getSortedMovieIds = (...ratings: (keyof typeof movieIdsByRating)[]) =>
  ratings.map((rating) => movieIdsByRating[rating]).sort()

it('each character is listed with the number of titles with this character that the profile may see', async () => {
  const kid = Object.assign(await signIn(), { profileId: profileIds.kid })
  const listCharacters = async (device: TestClient) =>
    (await device.get(`/api/profile/${device.profileId}/recommend/characters`)).body.results.map(
      ({ name, title_count, media }: { name: string; title_count: number; media: { id: string } }) => [
        name,
        title_count,
        media.id,
      ],
    )
  expect(await listCharacters(kid)).toEqual([['Wanda', 1, movieIdsByRating.all]])
  expect(await listCharacters(parent)).toEqual([['Wanda', 2, expect.any(String)]])
})

describe('limits of a profile', () => {
  it('an age limit shows titles up to this age, and no unrated titles', async () => {
    expect((await setLimits({ max_age: 13 })).body).toEqual({ ...NO_LIMITS, max_age: 13 })
    expect(await listMovies()).toEqual(getSortedMovieIds('all', 'thirteen'))
    await setLimits({ max_age: 0 })
    expect(await listMovies()).toEqual(getSortedMovieIds('all'))
    await setLimits({})
    expect(await listMovies()).toEqual(getSortedMovieIds('all', 'thirteen', 'seventeen', 'unrated'))
  })

  it('a guide limit hides titles without a parental guide, unless the parent accepts titles without a guide', async () => {
    await setLimits({ guide: { violence: 'mild' } })
    expect(await listMovies()).toEqual(getSortedMovieIds('all'))
    await setLimits({ guide: { violence: 'mild' }, accepts_unknown_guide: true })
    expect(await listMovies()).toEqual(getSortedMovieIds('all', 'seventeen', 'unrated'))
    await setLimits({})
  })

  it('a guide limit hides titles that the kids rule alone would show', async () => {
    await setLimits({ guide: { profanity: 'none' } }, profileIds.kid)
    const kid = Object.assign(await signIn(), { profileId: profileIds.kid })
    expect(await listMovies(kid)).toEqual([])
    await setLimits({}, profileIds.kid)
    expect(await listMovies(kid)).toEqual(getSortedMovieIds('all'))
  })

  it('a guide limit hides a title as soon as the parental guide of this title has changed', async () => {
    await setLimits({ guide: { violence: 'mild' } })
    const record = createMovieRecord(1, {
      rated: 'All',
      parental_guide: [{ category: 'Violence & Gore', severity: 'Severe', votes: 1 }],
    })
    await importTitles(server.deps, [{ location: '1', record }], { source: 'test' })
    expect(await listMovies()).toEqual([])
    await setLimits({})
  })

  it('a new age limit ends a running stream of a title that the limit hides', async () => {
    const { deps } = server
    const login = await server.database.primary
      .selectFrom('login')
      .select('sid')
      .where('active_profile_id', '=', profileIds.teen)
      .executeTakeFirstOrThrow()
    const titleId = Number(movieIdsByRating.seventeen)
    const watchIdentity = { sid: login.sid, profileId: profileIds.teen, pinGeneration: 0, titleId }
    expect(await canStillWatch(deps, watchIdentity)).toBe(true)
    await setLimits({ max_age: 13 })
    server.advanceClock(2_000)
    expect(await canStillWatch(deps, watchIdentity)).toBe(false)
    await setLimits({})
  })
})

describe('title rules', () => {
  it('title rules have priority over limits and the kids rule', async () => {
    await setLimits({ max_age: 13 })
    await setRule(movieIdsByRating.seventeen, 'allow')
    server.advanceClock(1)
    await setRule(movieIdsByRating.all, 'deny')
    expect(await listMovies()).toEqual(getSortedMovieIds('thirteen', 'seventeen'))
    expect((await teen.get(`/api/movies/${movieIdsByRating.seventeen}`)).status).toBe(200)
    expect((await teen.get(`/api/movies/${movieIdsByRating.all}`)).status).toBe(404)
    const kid = Object.assign(await signIn(), { profileId: profileIds.kid })
    await setRule(movieIdsByRating.thirteen, 'allow', profileIds.kid)
    // Sends kids=true, because clients send this parameter for kids profiles.
    expect(await listMovies(kid, 'kids=true')).toEqual(getSortedMovieIds('all', 'thirteen'))
    await setRule(movieIdsByRating.thirteen, null, profileIds.kid)
    expect(await listMovies(kid)).toEqual(getSortedMovieIds('all'))
  })

  it('title rules are listed for the parent, with the visibility of the title for each profile', async () => {
    const { body } = await parent.get(`/api/profile/${profileIds.teen}/title-rules`)
    expect(body.results).toMatchObject([
      { rule: 'deny', media: { id: movieIdsByRating.all }, expires_at: null },
      { rule: 'allow', media: { id: movieIdsByRating.seventeen } },
    ])
    const profileRules = (await parent.get(`/api/family/titles/${movieIdsByRating.seventeen}`)).body.results
    expect(profileRules).toEqual([
      { profile_id: profileIds.main, rule: null, visible: true },
      { profile_id: profileIds.teen, rule: 'allow', visible: true },
      { profile_id: profileIds.kid, rule: null, visible: false },
    ])
  })

  it('title rules stop applying at their expiry time and are deleted afterwards', async () => {
    const expires_at = server.deps.now() + MINUTE_MS
    await server.database.primary.updateTable('title_rule').set({ expires_at }).execute()
    await setRule(movieIdsByRating.thirteen, 'deny')
    expect(await listMovies()).toEqual(getSortedMovieIds('seventeen'))
    server.advanceClock(MINUTE_MS + 1)
    expect(await listMovies()).toEqual(getSortedMovieIds('all'))
    await deleteExpiredRows(server.database.primary, server.deps.now())
    expect(await server.database.primary.selectFrom('title_rule').selectAll().execute()).toHaveLength(1)
    await setRule(movieIdsByRating.thirteen, null)
    await setLimits({})
  })

  it('a title rule with an expiry time is listed with this time, and applies until this time', async () => {
    const expiresAtMs = server.deps.now() + MINUTE_MS
    expect((await setTemporaryRule(movieIdsByRating.all, expiresAtMs)).status).toBe(200)
    const { body } = await parent.get(`/api/profile/${profileIds.teen}/title-rules`)
    expect(body.results).toMatchObject([
      { rule: 'deny', media: { id: movieIdsByRating.all }, expires_at: new Date(expiresAtMs).toISOString() },
    ])
    expect(await listMovies()).toEqual(getSortedMovieIds('thirteen', 'seventeen', 'unrated'))
    server.advanceClock(MINUTE_MS)
    expect(await listMovies()).toEqual(getSortedMovieIds('all', 'thirteen', 'seventeen', 'unrated'))
    await setRule(movieIdsByRating.all, null)
  })

  it('a title rule is rejected with 422 when its expiry time is not in the future', async () => {
    const { status, body } = await setTemporaryRule(movieIdsByRating.all, server.deps.now())
    expect(status).toBe(422)
    expect(body.errors).toEqual({ expires_at: ['past'] })
    expect((await parent.get(`/api/profile/${profileIds.teen}/title-rules`)).body.results).toEqual([])
  })

  it('title rules are contained in the account export of the main profile', async () => {
    await setRule(movieIdsByRating.seventeen, 'deny')
    const loadExportedRules = async (device: TestClient) =>
      (await device.get('/api/auth/user-account/export')).body?.title_rules
    expect(await loadExportedRules(parent)).toMatchObject([
      { rule: 'deny', profile: 'Teen', title: expect.any(String) },
    ])
    await setRule(movieIdsByRating.seventeen, null)
  })
})

describe.each(DATABASES)('the maximum number of title rules on %s', (_name, openTestDatabase) => {
  it('applies to new rules, but neither to changes of existing rules nor to expired rules', async () => {
    const serverWithManyRules = await startTestServer({ database: await openTestDatabase() })
    try {
      const { adult, kidId } = await createHousehold(serverWithManyRules)
      const records = Array.from({ length: 501 }, (_, index) => createMovieRecord(index + 1))
      const movieIds = await addMovies({ server: serverWithManyRules }, records)
      const nowMs = serverWithManyRules.deps.now()
      const ruleRows = movieIds.slice(0, 500).map((movieId, index) => ({
        profile_id: kidId,
        title_id: Number(movieId),
        rule: 'allow' as const,
        created_at: nowMs,
        expires_at: index === 499 ? nowMs - 1 : null,
      }))
      await serverWithManyRules.database.primary.insertInto('title_rule').values(ruleRows).execute()
      const changeRule = async (movieIndex: number, rule: 'allow' | 'deny' | null) =>
        (await adult.put(`/api/profile/${kidId}/title-rules/movie/${movieIds[movieIndex]}`, { rule })).status
      expect(await changeRule(500, 'allow')).toBe(200)
      expect(await changeRule(499, 'allow')).toBe(422)
      expect(await changeRule(0, 'deny')).toBe(200)
      expect(await changeRule(1, null)).toBe(200)
      expect(await changeRule(499, 'allow')).toBe(200)
    } finally {
      await serverWithManyRules.close()
    }
  }, 60_000)
})

describe('rights of an adult profile', () => {
  it('a limited profile can neither read nor change its limits, but a change with the account password is accepted', async () => {
    await setLimits({ max_age: 13 })
    const path = `/api/profile/${profileIds.teen}/limits`
    expect((await teen.put(path, { max_age: null })).status).toBe(403)
    expect((await teen.get(path)).status).toBe(403)
    expect((await teen.put(path, { max_age: null, password: TEST_PASSWORD })).status).toBe(200)
  })

  it('only a profile without limits is accepted as proof that an adult acts', async () => {
    const createProfile = () => teen.post('/api/profile', { name: `Free ${Math.random()}` })
    expect((await createProfile()).status).toBe(201)
    await setLimits({ max_age: 17 })
    expect((await createProfile()).status).toBe(403)
    const { results } = (await teen.get('/api/profile')).body
    const teenProfile = results.find((candidate: { name: string }) => candidate.name === 'Teen')
    expect(teenProfile).toMatchObject({ restricted: true, kids: false })
    await setLimits({})
    const teenProfileAfter = (await teen.get('/api/profile')).body.results.find(
      (candidate: { name: string }) => candidate.name === 'Teen',
    )
    expect(teenProfileAfter.restricted).toBe(false)
    expect(teenProfileAfter.audience).not.toBe(teenProfile.audience)
  })
})
