/**
 * Profiles that watch together as a group: who may start a group, which titles the group sees, what the
 * history of each member records, and what ends the group.
 */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../../support/server.ts'
import type { TestClient } from '../../support/test-client.ts'
import { addMovies, createMovieRecord } from '../admin/admin-test-server.ts'
import { createHousehold, HOUR_MS, type Household, PIN, refreshToken } from '../security/household.ts'

const KID_PIN = '1357'

let server: TestServer
let household: Household
let guestId = ''
let movieIds: string[] = []
let device: TestClient
beforeAll(async () => {
  server = await startTestServer()
  movieIds = await addMovies(
    { server },
    Array.from({ length: 8 }, (_, index) => createMovieRecord(index + 1, { safe_for_kids: index < 6 })),
  )
  household = await createHousehold(server)
  guestId = (await household.adult.post('/api/profile', { name: 'Guest', avatar: 1 })).body.profile_id
  await household.adult.post(`/api/profile/${household.kidId}/lock`, { pin: KID_PIN })
  await server.deps.recommender.refresh()
}, 60_000)
afterAll(() => server.close())

beforeEach(async () => {
  device = Object.assign(await household.signIn(), { profileId: guestId })
  await device.get(`/api/profile/${guestId}/watchlist`)
})

const startGroup = (...members: { profile_id: string; pin?: string }[]) =>
  device.post(`/api/profile/${guestId}/group`, { members })
const createKidMember = () => ({ profile_id: household.kidId, pin: KID_PIN })
const loadGroupIds = async () => (await device.get('/api/profile')).body.group
const listTitleIds = async (path: string): Promise<string[]> =>
  (await device.get(path)).body.results.map((title: { id: string }) => title.id)

it('a group requires the PIN of each locked member, and shows only titles that all members may see', async () => {
  expect((await startGroup({ profile_id: household.kidId })).status).toBe(422)
  expect((await startGroup({ profile_id: household.kidId, pin: '0000' })).body.type).toBe('invalid_pin')
  expect(await loadGroupIds()).toEqual([])
  expect((await startGroup(createKidMember())).body).toEqual({ group: [guestId, household.kidId] })
  expect(await loadGroupIds()).toEqual([guestId, household.kidId])
  expect((await device.get('/api/movies')).body.total_results).toBe(6)
})

it('a group on a device with a kids profile requires the exit PIN for a member without a PIN', async () => {
  const { adult, kidId, mainId, signIn } = await createHousehold(server, { pin: null })
  await adult.put('/api/user/family/exit-pin', { pin: '7391' })
  const kid = Object.assign(await signIn(), { profileId: kidId })
  await kid.get(`/api/profile/${kidId}/watchlist`)
  const startKidGroup = (pin?: string) =>
    kid.post(`/api/profile/${kidId}/group`, { members: [{ profile_id: mainId, ...(pin && { pin }) }] })
  expect((await startKidGroup()).body.errors).toEqual({ pin: ['needed'] })
  expect((await startKidGroup('0000')).body.type).toBe('invalid_pin')
  expect((await kid.get('/api/profile')).body.group).toEqual([])
  expect((await startKidGroup('7391')).body).toEqual({ group: [kidId, mainId] })
  expect((await startKidGroup()).body).toEqual({ group: [kidId, mainId] })
})

it('members of a group need not enter their PIN again when another profile joins the group', async () => {
  await startGroup(createKidMember())
  const members = [{ profile_id: household.kidId }, { profile_id: household.mainId, pin: PIN }]
  expect((await startGroup(...members)).body.group).toEqual([guestId, household.kidId, household.mainId])
})

it('a group is rejected if it contains a profile of another account, the acting profile or a profile twice, or has no members', async () => {
  const otherHousehold = await createHousehold(server)
  const invalidMemberLists = [
    [{ profile_id: otherHousehold.kidId }],
    [{ profile_id: guestId }],
    [createKidMember(), createKidMember()],
    [],
  ]
  for (const members of invalidMemberLists) expect((await startGroup(...members)).status).toBe(422)
  expect(await loadGroupIds()).toEqual([])
})

it('creating a profile is rejected with 403 while a kids profile is in the group', async () => {
  expect((await device.get(`/api/profile/${guestId}/export`)).status).not.toBe(403)
  await startGroup(createKidMember())
  expect((await device.post('/api/profile', { name: 'Escape' })).status).toBe(403)
})

it('playback in a group is recorded for every member, and after the end of the group only for the acting profile', async () => {
  await startGroup(createKidMember(), { profile_id: household.mainId, pin: PIN })
  const progressReport = {
    type: 'movie',
    media_id: movieIds[0],
    progress: 595,
    data: { video_duration: 600 },
  }
  expect((await device.post(`/api/profile/${guestId}/history`, progressReport)).body.finished).toBe(true)
  const playRows = await server.database.primary
    .selectFrom('play')
    .select('profile_id')
    .where('title_id', '=', Number(movieIds[0]))
    .execute()
  const memberIds = [guestId, household.kidId, household.mainId].sort()
  expect(playRows.map((row) => row.profile_id).sort()).toEqual(memberIds)
  await device.delete(`/api/profile/${guestId}/group`)
  expect(await loadGroupIds()).toEqual([])
  await device.post(`/api/profile/${guestId}/history`, { ...progressReport, media_id: movieIds[1] })
  const progressRows = await server.database.primary
    .selectFrom('progress')
    .select('profile_id')
    .where('title_id', '=', Number(movieIds[1]))
    .execute()
  expect(progressRows.map((row) => row.profile_id)).toEqual([guestId])
})

it('a group gets no recommendations of titles that a member has finished or disliked', async () => {
  const path = `/api/profile/${guestId}/recommend?limit=50`
  const kid = Object.assign(await household.signIn(), { profileId: household.kidId })
  await kid.post(`/api/profile/${household.kidId}/unlock`, { pin: KID_PIN })
  await kid.put(`/api/profile/${household.kidId}/feedback/movie/${movieIds[3]}`, { feedback: 'dislike' })
  const progressReport = {
    type: 'movie',
    media_id: movieIds[4],
    progress: 595,
    data: { video_duration: 600 },
  }
  await kid.post(`/api/profile/${household.kidId}/history`, progressReport)
  expect(await listTitleIds(path)).toEqual(expect.arrayContaining([movieIds[3], movieIds[4]]))
  await startGroup(createKidMember())
  const recommendedIds = await listTitleIds(path)
  expect(recommendedIds.length).toBeGreaterThan(0)
  for (const movieId of [movieIds[3], movieIds[4], movieIds[6]]) expect(recommendedIds).not.toContain(movieId)
  expect(await listTitleIds(`/api/recommend/similar/${movieIds[2]}`)).not.toContain(movieIds[3])
})

it('a title that a member has liked influences the recommendations of a group until this member switches this recommendation reason off, and no other member can switch it off', async () => {
  const { adult, mainId } = household
  await adult.put(`/api/profile/${mainId}/feedback/movie/${movieIds[5]}`, { feedback: 'like' })
  const setSignalOff = async (client: TestClient, off: boolean) => {
    const path = `/api/profile/${client.profileId}/recommend/signals/liked:${movieIds[5]}`
    expect((await client.put(path, { off })).status).toBe(204)
  }
  const loadLikeReasons = async (): Promise<{ media_id?: string; signal?: string }[]> =>
    (await device.get(`/api/profile/${guestId}/recommend?limit=50`)).body.results
      .flatMap(({ reasons }: { reasons: object[] }) => reasons)
      .filter((reason: { media_id?: string }) => reason.media_id === movieIds[5])
  await startGroup({ profile_id: mainId, pin: PIN })
  await setSignalOff(device, true)
  const reasons = await loadLikeReasons()
  expect(reasons.length).toBeGreaterThan(0)
  expect(reasons.filter(({ signal }) => signal !== undefined)).toEqual([])
  await setSignalOff(device, false)
  await setSignalOff(adult, true)
  expect(await loadLikeReasons()).toEqual([])
})

const GROUP_ENDINGS_BY_NAME: Record<string, () => Promise<unknown>> = {
  'the profile picker opens': () => device.post('/api/profile/leave'),
  'another profile acts on the device': async () => {
    device.profileId = household.kidId
    await device.post(`/api/profile/${household.kidId}/unlock`, { pin: KID_PIN })
    device.profileId = guestId
    await device.get(`/api/profile/${guestId}/watchlist`)
  },
  'nobody uses the group for twelve hours': async () => {
    server.advanceClock(12 * HOUR_MS + 1)
    await refreshToken(device)
    await refreshToken(household.adult)
    await household.adult.post(`/api/profile/${household.mainId}/unlock`, { pin: PIN })
  },
  'the PIN of a member changes': async () => {
    const path = `/api/profile/${household.kidId}/update-lock`
    await household.adult.put(path, { current_pin: KID_PIN, new_pin: '2468' })
    await household.adult.put(path, { current_pin: '2468', new_pin: KID_PIN })
  },
}
it.each(Object.entries(GROUP_ENDINGS_BY_NAME))('a group ends when %s', async (_name, endGroup) => {
  await startGroup(createKidMember())
  expect(await loadGroupIds()).toHaveLength(2)
  await endGroup()
  expect(await loadGroupIds()).toEqual([])
  expect((await device.get('/api/movies')).body.total_results).toBe(8)
})

it('a group ends when a member is deleted, and the login keeps no id of that member', async () => {
  const { profile_id } = (await household.adult.post('/api/profile', { name: 'Short', avatar: 1 })).body
  await startGroup({ profile_id })
  await household.adult.delete(`/api/profile/${profile_id}`)
  expect(await loadGroupIds()).toEqual([])
  const rows = await server.database.primary.selectFrom('login').select('group_members').execute()
  expect(JSON.stringify(rows)).not.toContain(profile_id)
})
