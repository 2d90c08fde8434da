/** Notes to viewings contain plain text. Only the profile that wrote a note can read the note. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DATABASES } from '../../support/server.ts'
import { TestClient } from '../../support/test-client.ts'
import {
  createEditKey,
  createViewingCalls,
  readViewingsProgressAndWatchlist,
  startViewingHousehold,
  type ViewingHousehold,
} from './viewing-series.ts'

const NOTE = 'Seen with Ada.\nThe end is better than I remembered.'

describe.each(DATABASES)('notes to viewings on %s', (_name, openTestDatabase) => {
  let household: ViewingHousehold
  beforeEach(async () => {
    household = await startViewingHousehold(await openTestDatabase())
    await markMovie({ date: 'chosen', day: '2024-05-06' })
  })
  afterEach(() => household.server.close())
  const { getPath, markMovie, undoChange, listViewings } = createViewingCalls(() => household)
  const getViewingRef = () => ({
    type: 'movie',
    media_id: household.movieId,
    watched_at: '2024-05-06T12:00:00.000Z',
  })
  const writeNote = (note: unknown, { device = household.device, path = getPath('viewings/note') } = {}) =>
    device.put(path, { key: createEditKey(), viewing: getViewingRef(), note })
  const readNote = async () => (await listViewings()).results[0].note

  it('a note can be added, changed and removed, and each change can be undone', async () => {
    expect(await readNote()).toBeNull()
    const rowsBefore = await readViewingsProgressAndWatchlist(household)
    const firstNoteReply = await writeNote(` ${NOTE}\n`)
    expect([firstNoteReply.status, firstNoteReply.body.viewings]).toEqual([200, 1])
    expect(await readNote()).toBe(NOTE)
    const changeReply = await writeNote('Shorter.')
    const noteRemovalReply = await writeNote(null)
    expect(await readNote()).toBeNull()
    for (const [{ body }, expectedNote] of [
      [noteRemovalReply, 'Shorter.'],
      [changeReply, NOTE],
      [firstNoteReply, null],
    ] as const) {
      expect((await undoChange(body.key)).status).toBe(204)
      expect(await readNote()).toBe(expectedNote)
    }
    expect(await readViewingsProgressAndWatchlist(household)).toBe(rowsBefore)
  })

  it('writing an unchanged note changes no viewing, a request that is sent twice gets the same reply, and writing a blank note removes the note', async () => {
    const body = { key: createEditKey(), viewing: getViewingRef(), note: NOTE }
    expect((await household.device.put(getPath('viewings/note'), body)).body.viewings).toBe(1)
    expect((await household.device.put(getPath('viewings/note'), body)).body.viewings).toBe(1)
    expect((await writeNote(NOTE)).body.viewings).toBe(0)
    expect((await writeNote('   ')).body.viewings).toBe(1)
    expect(await readNote()).toBeNull()
  })

  it.each([
    ['longer than 2,000 characters', 'x'.repeat(2_001)],
    ['with a control character', 'a\u0007b'],
    ['with a tab', 'a\tb'],
    ['with NUL', 'a\0b'],
    ['with a lone surrogate', 'a\uD800b'],
    ['that is no text', 5],
  ])('a note %s is rejected with 422', async (_description, note) => {
    expect((await writeNote(note)).status).toBe(422)
    expect(await readNote()).toBeNull()
  })

  it('a note can have 2,000 UTF-16 code units in any script', async () => {
    const note = `${'ج'.repeat(1_991)}\u{1F600} <b>&'"`
    expect(note).toHaveLength(2_000)
    expect((await writeNote(note)).status).toBe(200)
    expect(await readNote()).toBe(note)
  })

  it('a viewing keeps its note when it is moved to another day, and when it is removed and restored', async () => {
    await writeNote(NOTE)
    const { device } = household
    await device.put(getPath(), { key: createEditKey(), viewing: getViewingRef(), day: '2023-01-02' })
    expect(await readNote()).toBe(NOTE)
    const editKey = createEditKey()
    const viewing = { ...getViewingRef(), watched_at: '2023-01-02T12:00:00.000Z' }
    await device.delete(getPath(), { key: editKey, viewings: [viewing] })
    expect((await listViewings()).results).toEqual([])
    expect((await device.post(getPath(`bin/history/${editKey}/restore`), {})).status).toBeLessThan(300)
    expect(await readNote()).toBe(NOTE)
    await device.delete(getPath('history'), {})
    expect((await listViewings()).results).toEqual([])
    await device.post(getPath('history/undo'), {})
    expect(await readNote()).toBe(NOTE)
  })

  it('when a parent requests the history or the family activity of a child, the replies contain no notes of the child', async () => {
    const kidId = (await household.device.post('/api/profile', { name: 'Kid', kids: true })).body.profile_id
    const kidDevice = new TestClient(household.server)
    await kidDevice.login('alice@example.com')
    kidDevice.profileId = kidId
    const kidPath = `/api/profile/${kidId}/viewings`
    const scopes = [{ type: 'movie', media_id: household.movieId, scope: 'title' }]
    const options = { date: 'chosen', day: '2024-05-06' }
    await kidDevice.post(kidPath, { key: createEditKey(), scopes, ...options })
    const noteReply = await writeNote('My secret.', { device: kidDevice, path: `${kidPath}/note` })
    expect(noteReply.status).toBe(200)
    expect((await kidDevice.get(kidPath)).body.results[0].note).toBe('My secret.')
    for (const path of [kidPath, `/api/profile/${kidId}/family-activity`]) {
      const { status, body } = await household.device.get(path)
      expect(status).toBe(200)
      expect(JSON.stringify(body)).toContain(household.movieId)
      expect(JSON.stringify(body)).not.toContain('My secret.')
    }
    expect(await readNote()).toBeNull()
    expect((await kidDevice.post(`${kidPath}/${noteReply.body.key}/undo`)).status).toBe(204)
    expect((await kidDevice.get(kidPath)).body.results[0].note).toBeNull()
  })

  it('the notes of a deleted profile are deleted', async () => {
    await writeNote(NOTE)
    const { primary } = household.server.database
    const countNotes = async () =>
      (await primary.selectFrom('play').select('note').where('note', 'is not', null).execute()).length
    expect(await countNotes()).toBe(1)
    await primary.deleteFrom('profile').execute()
    expect(await countNotes()).toBe(0)
  })
})
