/**
 * Unusual Unicode text in profile names, searches, blocked keywords and email addresses: the server either accepts the
 * text, and stores it in Unicode NFC, or rejects it with a message.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { selectLibraryFiles, writeLibraryFiles } from '../../../server/queries/library-file.ts'
import { selectMediaServerItems, writeMediaServerItems } from '../../../server/queries/media-server-item.ts'
import { DATABASES } from '../../support/server.ts'
import {
  type AdminTestServer,
  addMovies,
  createMovieRecord,
  startAdminTestServer,
} from '../admin/admin-test-server.ts'

const ARABIC = 'أُمِّي لَيْلَى'
const EMOJI_SEQUENCES = '👩‍👩‍👧‍👦👨🏿‍🚀'
const COMBINING_MARKS = `e${'\u0301'.repeat(40)}`
const DIRECTION_OVERRIDE = 'safe\u202egpj.exe'
const INVISIBLE_CHARACTERS = '\u200b\u200d\u2060\ufeff'
const ONE_MEGABYTE = 'م'.repeat(1_048_576 / 2)
const NUL_CHARACTER = 'a\u0000b'
const LONE_SURROGATE = 'a\ud800b'
const TEXTS = {
  'Arabic vowel marks': ARABIC,
  'emoji sequences': EMOJI_SEQUENCES,
  'combining marks': COMBINING_MARKS,
  'a direction override': DIRECTION_OVERRIDE,
  'invisible characters': INVISIBLE_CHARACTERS,
  'one megabyte of text': ONE_MEGABYTE,
  'a NUL character': NUL_CHARACTER,
  'a lone surrogate': LONE_SURROGATE,
}
const ACCEPTED_TEXTS = ['Arabic vowel marks', 'emoji sequences', 'combining marks']
const REJECTED_STATUSES = [413, 422]

describe.each(DATABASES)('unusual Unicode text on %s', (_name, openTestDatabase) => {
  let service: AdminTestServer
  beforeAll(async () => {
    service = await startAdminTestServer({ database: await openTestDatabase() })
  })
  afterAll(() => service.stop())

  it.each(Object.entries(TEXTS))(
    'a profile name with %s is stored, or rejected with a message',
    async (textName, text) => {
      const { status, body } = await service.admin.post('/api/profile', { name: text })
      if (ACCEPTED_TEXTS.includes(textName)) {
        expect([status, body.name]).toEqual([201, text.normalize('NFC')])
        const savedProfile = await service.admin.get(`/api/profile/${body.profile_id}`)
        expect(savedProfile.body.name).toBe(text.normalize('NFC'))
        await service.admin.delete(`/api/profile/${body.profile_id}`)
        return
      }
      expect(REJECTED_STATUSES).toContain(status)
      expect(body.message).toMatch(/\w/)
    },
  )

  it.each(Object.entries(TEXTS))(
    'a search for %s is answered, or rejected with a message',
    async (textName, text) => {
      const { status, body } = await service.admin.get(
        `/api/search?q=${encodeURIComponent(replaceLoneSurrogates(text))}`,
      )
      if (textName === 'one megabyte of text') return expect([413, 414, 422, 431]).toContain(status)
      expect([200, 422]).toContain(status)
      if (status === 200) expect(body.query).toBe(replaceLoneSurrogates(text).trim())
      else expect(body.message).toMatch(/\w/)
    },
  )

  it.each(Object.entries(TEXTS))(
    'a blocked keyword with %s is stored, or rejected with a message',
    async (textName, text) => {
      const { status, body } = await service.admin.post('/api/blocklist', { type: 'keyword', value: text })
      if (ACCEPTED_TEXTS.includes(textName)) {
        expect([status, body.value]).toEqual([201, text.normalize('NFC')])
        const { results } = (await service.admin.get('/api/blocklist')).body
        expect(results.map((rule: { value: string }) => rule.value)).toContain(text.normalize('NFC'))
        return
      }
      expect([textName, REJECTED_STATUSES.includes(status)]).toEqual([textName, true])
      expect(body.message).toMatch(/\w/)
    },
  )

  it.each([
    ['Амели', 'АМЕЛИ', 'амели'],
    ['Élite', 'ÉLITE', 'élite'],
  ])(
    'the name %s is found by the searches %s and %s in the block list, among media files and among media server items',
    async (name, ...searches) => {
      const { server, admin } = service
      const { primary } = server.database
      const [titleId] = await addMovies(service, [
        createMovieRecord(name.codePointAt(0) ?? 0, { original_title: name, names: [] }),
      ])
      await admin.post('/api/blocklist', { type: 'movie', media_id: titleId })
      const storedMatch = {
        season_number: 0,
        episodes: '[]',
        state: 'unmatched',
        reason: 'no_title',
        title_id: null,
      }
      const file = {
        path: `${name} (2001).mkv`,
        folder: '',
        size_bytes: 1,
        modified_at: 1,
        kind: 'movie',
        named_kind: 'movie',
        candidates: '[]',
        added_at: 1,
        ...storedMatch,
      }
      await writeLibraryFiles(primary, { addedRows: [file], changedRows: [], removedIds: [] })
      const item = {
        server_id: 'jellyfin',
        remote_id: name,
        kind: 'movie',
        name,
        title_season: 0,
        title_episodes: '[]',
        added_at: 1,
        ...storedMatch,
      }
      await writeMediaServerItems(primary, { addedRows: [item], changedRows: [], removedIds: [] })
      for (const search of [name, ...searches]) {
        const { results } = (await admin.get(`/api/blocklist?search=${encodeURIComponent(search)}`)).body
        expect(results).toMatchObject([{ label: name }])
        const page = { page: 1, limit: 10, search }
        expect(await selectLibraryFiles(primary, page)).toMatchObject({
          total: 1,
          rows: [{ path: file.path }],
        })
        expect(await selectMediaServerItems(primary, page)).toMatchObject({ total: 1, rows: [{ name }] })
      }
    },
  )

  it('an optional text without visible characters, such as a note or a reason, counts as absent, and a required name without visible characters is rejected', async () => {
    const { admin, mainProfileId } = service
    const profilePath = `/api/profile/${mainProfileId}`
    const [titleId = ''] = await addMovies(service, [createMovieRecord(7)])
    const day = '2020-02-02'
    const scopes = [{ type: 'movie', media_id: titleId, scope: 'title' }]
    await admin.post(`${profilePath}/viewings`, { key: 'mark', scopes, date: 'chosen', day })
    const listPath = `${profilePath}/viewings?type=movie&media_id=${titleId}`
    const { watched_at } = (await admin.get(listPath)).body.results[0]
    const viewing = { type: 'movie', media_id: titleId, watched_at }
    const setNote = (key: string, note: string) =>
      admin.put(`${profilePath}/viewings/note`, { key, viewing, note })
    expect((await setNote('note-1', `${INVISIBLE_CHARACTERS}Lovely`)).body.viewings).toBe(1)
    expect((await setNote('note-2', INVISIBLE_CHARACTERS)).body.viewings).toBe(1)
    expect((await admin.get(listPath)).body.results[0].note).toBeNull()
    const list = { name: 'Visible', description: `${INVISIBLE_CHARACTERS}\n${INVISIBLE_CHARACTERS}` }
    expect((await admin.post(`${profilePath}/lists`, list)).body.description).toBe('')
    const block = { type: 'keyword', value: 'unwanted', reason: INVISIBLE_CHARACTERS }
    expect((await admin.post('/api/blocklist', block)).body.reason).toBeNull()
    const titleChange = { titles: [{ lang: 'fr', text: INVISIBLE_CHARACTERS }] }
    const editedTitle = (await admin.put(`/api/admin/titles/${titleId}`, titleChange)).body
    expect(editedTitle.titles).toContainEqual({ lang: 'fr', text: null })
    const provider = {
      id: 'stub',
      name: INVISIBLE_CHARACTERS,
      issuer: 'https://login.example.com',
      client_id: 'films',
      registration: 'invitation',
    }
    const providerResponse = await admin.put('/api/admin/identity-providers', { providers: [provider] })
    expect([providerResponse.status, Object.keys(providerResponse.body.errors)]).toEqual([
      422,
      ['providers.0.name'],
    ])
  })

  it.each(Object.entries(TEXTS))('an invitation email address with %s is rejected', async (_kind, text) => {
    for (const email of [text, `${text}@example.com`, `alice@${text}.example`]) {
      const { status, body } = await service.admin.post('/api/auth/register/invite', { email })
      expect(REJECTED_STATUSES).toContain(status)
      expect(body.message).toMatch(/\w/)
    }
  })
})

/** Replaces lone surrogates with U+FFFD, because a URL cannot contain lone surrogates. */
const replaceLoneSurrogates = (text: string) => text.toWellFormed()
