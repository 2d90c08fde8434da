/** Letters through a real SMTP server on this machine. */
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { getTextDirection, LOCALES } from '../../../src/lib/i18n/locales.ts'
import { type Service, startService } from './service.ts'

interface Taken {
  from: string
  to: string[]
  /** As it came over the wire. */
  raw: string
}
const taken: Taken[] = []
let refusing = false
const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onAuth: ({ username, password }, _session, answer) =>
    username === 'marquee' && password === 'p@ss'
      ? answer(null, { user: username })
      : answer(new Error('no')),
  onRcptTo: (_address, _session, answer) => answer(refusing ? new Error('mailbox unavailable') : null),
  onData: (stream, { envelope }, answer) => {
    let raw = ''
    stream.on('data', (data: Buffer) => {
      raw += data
    })
    stream.on('end', () => {
      const from = envelope.mailFrom ? envelope.mailFrom.address : ''
      taken.push({ from, to: envelope.rcptTo.map(({ address }) => address), raw })
      answer()
    })
  },
})
let service: Service
beforeAll(async () => {
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
  const { port } = smtp.server.address() as AddressInfo
  const env = {
    SMTP_URL: `smtp://marquee:p%40ss@127.0.0.1:${port}`,
    PUBLIC_URL: 'https://films.example.com',
    SITE_NAME: 'Lumière & Co',
  }
  service = await startService({ env })
})
afterAll(async () => {
  await service.stop()
  await new Promise<void>((resolve) => smtp.close(resolve))
})

/** The parts of a letter by type, decoded. */
function parts(raw: string): { text: string; html: string } {
  const boundary = /boundary="([^"]+)"/.exec(raw)?.[1] ?? ''
  const of = (type: string) => {
    const part = raw.split(`--${boundary}`).find((one) => one.includes(`Content-Type: ${type}`)) ?? ''
    const [head = '', ...body] = part.split('\r\n\r\n')
    const bytes = body.join('\r\n\r\n')
    if (/base64/i.test(head)) return Buffer.from(bytes, 'base64').toString('utf8')
    if (!/quoted-printable/i.test(head)) return bytes
    const plain = bytes
      .replaceAll('=\r\n', '')
      .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    return Buffer.from(plain, 'latin1').toString('utf8')
  }
  return { text: of('text/plain'), html: of('text/html') }
}
function subject(raw: string): string {
  const line = /^Subject: ((?:.|\r\n[ \t])*)/m.exec(raw)?.[1] ?? ''
  return line
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?UTF-8\?([BQ])\?(.*?)\?=/gi, (_, way: string, word: string) => {
      if (way.toUpperCase() === 'B') return Buffer.from(word, 'base64').toString('utf8')
      const bytes = word
        .replaceAll('_', ' ')
        .replace(/=([0-9A-F]{2})/g, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
      return Buffer.from(bytes, 'latin1').toString('utf8')
    })
}

it.each([
  ['en', 'An invitation to Lumière & Co', 'ltr', 'Accept the invitation'],
  ['fr', 'Une invitation à rejoindre Lumière & Co', 'ltr', 'Accepter l’invitation'],
  ['ar', 'دعوة للانضمام إلى Lumière & Co', 'rtl', 'قبول الدعوة'],
])('writes an invitation in %s, as text and as HTML', async (language, title, direction, accept) => {
  const { status, body } = await service.admin.post('/api/auth/register/invite', {
    email: 'new@example.com',
    language,
  })
  expect([status, body.mail]).toEqual([201, 'sent'])
  const letter = taken.at(-1)
  expect(letter).toMatchObject({ from: 'no-reply@films.example.com', to: ['new@example.com'] })
  expect(subject(letter?.raw ?? '')).toBe(title)
  const { text, html } = parts(letter?.raw ?? '')
  expect(text).toContain(body.url)
  expect(text).toContain('Lumière & Co')
  expect(text).toMatch(/20\d\d/)
  expect(text).not.toContain('{{')
  expect(html).toContain(`<html lang="${language}" dir="${direction}">`)
  expect(html).toContain(`<a href="${body.url}">${accept}</a>`)
  expect(html).toContain('Lumière &amp; Co')
})

it.each(LOCALES)('has all texts of the invitation in %s', async (language) => {
  const texts = JSON.parse(readFileSync(`src/i18n/${language}/mail.json`, 'utf8')) as Record<string, string>
  await service.admin.post('/api/auth/register/invite', { email: 'new@example.com', language })
  const { html } = parts(taken.at(-1)?.raw ?? '')
  expect(html).toContain(`<html lang="${language}" dir="${getTextDirection(language)}">`)
  for (const key of ['hello', 'accept', 'ignore']) expect(html).toContain(texts[key])
})

it('says so when the letter was refused, and the invitation stands', async () => {
  refusing = true
  const { status, body } = await service.admin.post('/api/auth/register/invite', { email: 'new@example.com' })
  refusing = false
  expect([status, body.mail]).toEqual([201, 'failed'])
  expect(service.server.log.join('')).toContain('mailbox unavailable')
  const check = await service.server.request('/api/auth/validate-invitation', {
    method: 'POST',
    headers: { Authorization: `Bearer ${body.token}` },
  })
  expect(check.status).toBe(200)
})

it('sends nothing without an address, or without a server', async () => {
  const before = taken.length
  expect((await service.admin.post('/api/auth/register/invite')).body.mail).toBe('off')
  const plain = await startService()
  expect((await plain.admin.post('/api/auth/register/invite', { email: 'new@example.com' })).body.mail).toBe(
    'off',
  )
  await plain.stop()
  const gone = await startService({ env: { SMTP_URL: 'smtp://127.0.0.1:1' } })
  expect((await gone.admin.post('/api/auth/register/invite', { email: 'new@example.com' })).body.mail).toBe(
    'failed',
  )
  await gone.stop()
  expect(taken).toHaveLength(before)
})
