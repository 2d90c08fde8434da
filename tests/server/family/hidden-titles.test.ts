/** Titles that a child dislikes are hidden from this child. Only a parent can show a hidden title again. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../../support/server.ts'
import { addTestTitles, createHousehold } from '../security/household.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

it('a parent, but not the child, can list, show and hide the titles that the child has disliked', async () => {
  const { safe: title } = await addTestTitles(server)
  const { adult, kidId, signIn } = await createHousehold(server)
  const kid = Object.assign(await signIn(), { profileId: kidId })
  const hiddenTitlesPath = `/api/profile/${kidId}/hidden-titles`
  const feedbackPath = `/api/profile/${kidId}/feedback/movie/${title.id}`
  const listHiddenIds = async () =>
    (await adult.get(hiddenTitlesPath)).body.results.map(({ id }: { id: string }) => id)
  await kid.put(feedbackPath, { feedback: 'dislike' })
  expect((await kid.put(feedbackPath, { feedback: null })).status).toBe(403)
  expect((await kid.get(hiddenTitlesPath)).status).toBe(403)
  expect((await kid.put(`${hiddenTitlesPath}/movie/${title.id}`, { hidden: false })).status).toBe(403)
  await adult.post(`/api/profile/${kidId}/lock`, { pin: '1357' })
  expect(await listHiddenIds()).toEqual([title.id])
  const setHidden = (hidden: boolean) => adult.put(`${hiddenTitlesPath}/movie/${title.id}`, { hidden })
  expect((await setHidden(false)).body).toEqual({ hidden: false })
  expect((await setHidden(false)).body).toEqual({ hidden: false })
  expect(await listHiddenIds()).toEqual([])
  expect((await setHidden(true)).body).toEqual({ hidden: true })
  expect(await listHiddenIds()).toEqual([title.id])
  expect((await adult.put(`${hiddenTitlesPath}/movie/999999`, { hidden: false })).status).toBe(404)
})
