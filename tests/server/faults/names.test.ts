/** Texts that break careless programs, wherever one may be written: kept as they are (NFC), or refused in clear words. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DATABASES } from '../../support/server.ts'
import { type Service, startService } from '../admin/service.ts'

const ARABIC = 'أُمِّي لَيْلَى'
const FAMILY = '👩‍👩‍👧‍👦👨🏿‍🚀'
const MARKS = `e${'\u0301'.repeat(40)}`
const OVERRIDE = 'safe\u202egpj.exe'
const INVISIBLE = '\u200b\u200d\u2060\ufeff'
const MEGABYTE = 'م'.repeat(1_048_576 / 2)
const NUL = 'a\u0000b'
const LONE = 'a\ud800b'
const TEXTS = { ARABIC, FAMILY, MARKS, OVERRIDE, INVISIBLE, MEGABYTE, NUL, LONE }
const REFUSED = [413, 422]

describe.each(DATABASES)('over %s', (_name, open) => {
  let service: Service
  beforeAll(async () => {
    service = await startService({ database: await open() })
  })
  afterAll(() => service.stop())

  it.each(Object.entries(TEXTS))('profile names: %s', async (name, text) => {
    const { status, body } = await service.admin.post('/api/profile', { name: text })
    if (['ARABIC', 'FAMILY', 'MARKS'].includes(name)) {
      expect([status, body.name]).toEqual([201, text.normalize('NFC')])
      const again = await service.admin.get(`/api/profile/${body.profile_id}`)
      expect(again.body.name).toBe(text.normalize('NFC'))
      await service.admin.delete(`/api/profile/${body.profile_id}`)
      return
    }
    expect(REFUSED).toContain(status)
    expect(body.message).toMatch(/\w/)
  })

  it.each(Object.entries(TEXTS))('searches: %s', async (name, text) => {
    const { status, body } = await service.admin.get(`/api/search?q=${encodeURIComponent(wellFormed(text))}`)
    if (name === 'MEGABYTE') return expect([413, 414, 422, 431]).toContain(status)
    expect([200, 422]).toContain(status)
    if (status === 200) expect(body.query).toBe(wellFormed(text).trim())
    else expect(body.message).toMatch(/\w/)
  })

  it.each(Object.entries(TEXTS))('blocked keywords: %s', async (name, text) => {
    const { status, body } = await service.admin.post('/api/blocklist', { type: 'keyword', value: text })
    if (['ARABIC', 'FAMILY', 'MARKS'].includes(name)) {
      expect([status, body.value]).toEqual([201, text.normalize('NFC')])
      const { results } = (await service.admin.get('/api/blocklist')).body
      expect(results.map((one: { value: string }) => one.value)).toContain(text.normalize('NFC'))
      return
    }
    expect([name, REFUSED.includes(status)]).toEqual([name, true])
    expect(body.message).toMatch(/\w/)
  })

  it.each(Object.entries(TEXTS))('e-mails of invitations: %s', async (_kind, text) => {
    for (const email of [text, `${text}@example.com`, `alice@${text}.example`]) {
      const { status, body } = await service.admin.post('/api/auth/register/invite', { email })
      expect(REFUSED).toContain(status)
      expect(body.message).toMatch(/\w/)
    }
  })
})

/** What of a text an address can carry. */
const wellFormed = (text: string) => text.toWellFormed()
