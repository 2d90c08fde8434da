/** Invitation emails. The server sends the emails to an SMTP server that the test starts. */
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { getTextDirection, LOCALES } from '../../../src/lib/i18n/locales.ts'
import { type AdminTestServer, startAdminTestServer } from './admin-test-server.ts'

interface ReceivedEmail {
  from: string
  to: string[]
  /** The message source as received over SMTP. */
  messageSource: string
}
const receivedEmails: ReceivedEmail[] = []
let shouldRejectRecipients = false
const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onAuth: ({ username, password }, _session, callback) =>
    username === 'marquee' && password === 'p@ss'
      ? callback(null, { user: username })
      : callback(new Error('no')),
  onRcptTo: ({ address }, _session, callback) =>
    callback(shouldRejectRecipients ? new Error(`5.1.1 <${address}>: mailbox unavailable`) : null),
  onData: (stream, { envelope }, callback) => {
    let messageSource = ''
    stream.on('data', (chunk: Buffer) => {
      messageSource += chunk
    })
    stream.on('end', () => {
      const from = envelope.mailFrom ? envelope.mailFrom.address : ''
      receivedEmails.push({
        from,
        to: envelope.rcptTo.map(({ address }) => address),
        messageSource,
      })
      callback()
    })
  },
})
let service: AdminTestServer
beforeAll(async () => {
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
  const { port } = smtp.server.address() as AddressInfo
  const env = {
    SMTP_URL: `smtp://marquee:p%40ss@127.0.0.1:${port}`,
    PUBLIC_URL: 'https://films.example.com',
    SITE_NAME: 'Lumière & Co',
  }
  service = await startAdminTestServer({ env })
})
afterAll(async () => {
  await service.stop()
  await new Promise<void>((resolve) => smtp.close(resolve))
})

/** Returns the decoded text and HTML parts of a multipart email. */
function decodeParts(messageSource: string): { text: string; html: string } {
  const boundary = /boundary="([^"]+)"/.exec(messageSource)?.[1] ?? ''
  const decodePart = (contentType: string) => {
    const encodedPart =
      messageSource
        .split(`--${boundary}`)
        .find((candidate) => candidate.includes(`Content-Type: ${contentType}`)) ?? ''
    const [headers = '', ...bodySections] = encodedPart.split('\r\n\r\n')
    const encodedBody = bodySections.join('\r\n\r\n')
    if (/base64/i.test(headers)) return Buffer.from(encodedBody, 'base64').toString('utf8')
    if (!/quoted-printable/i.test(headers)) return encodedBody
    const latin1Text = encodedBody
      .replaceAll('=\r\n', '')
      .replace(/=([0-9A-F]{2})/g, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    return Buffer.from(latin1Text, 'latin1').toString('utf8')
  }
  return { text: decodePart('text/plain'), html: decodePart('text/html') }
}
/** Returns the subject with its encoded words (RFC 2047) decoded. */
function decodeSubject(messageSource: string): string {
  const encodedSubject = /^Subject: ((?:.|\r\n[ \t])*)/m.exec(messageSource)?.[1] ?? ''
  return encodedSubject
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?UTF-8\?([BQ])\?(.*?)\?=/gi, (_match, encoding: string, encodedWord: string) => {
      if (encoding.toUpperCase() === 'B') return Buffer.from(encodedWord, 'base64').toString('utf8')
      const latin1Text = encodedWord
        .replaceAll('_', ' ')
        .replace(/=([0-9A-F]{2})/g, (_escape, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
      return Buffer.from(latin1Text, 'latin1').toString('utf8')
    })
}

it.each([
  ['en', 'An invitation to Lumière & Co', 'ltr', 'Accept the invitation'],
  ['fr', 'Une invitation à rejoindre Lumière & Co', 'ltr', 'Accepter l’invitation'],
  ['ar', 'دعوة للانضمام إلى Lumière & Co', 'rtl', 'قبول الدعوة'],
])(
  'the invitation email in the language %s is sent as text and as HTML',
  async (language, subject, textDirection, buttonText) => {
    const { status, body } = await service.admin.post('/api/auth/register/invite', {
      email: 'new@example.com',
      language,
    })
    expect([status, body.mail]).toEqual([201, 'sent'])
    const email = receivedEmails.at(-1)
    expect(email).toMatchObject({ from: 'no-reply@films.example.com', to: ['new@example.com'] })
    expect(decodeSubject(email?.messageSource ?? '')).toBe(subject)
    const { text, html } = decodeParts(email?.messageSource ?? '')
    expect(text).toContain(body.url)
    expect(text).toContain('Lumière & Co')
    expect(text).toMatch(/20\d\d/)
    expect(text).not.toContain('{{')
    expect(html).toContain(`<html lang="${language}" dir="${textDirection}">`)
    expect(html).toContain(`<a href="${body.url}">${buttonText}</a>`)
    expect(html).toContain('Lumière &#38; Co')
  },
)

it.each(LOCALES)(
  'greeting, button and note of the invitation email are in the language %s',
  async (language) => {
    const textsByKey = JSON.parse(readFileSync(`src/i18n/${language}/mail.json`, 'utf8')) as Record<
      string,
      string
    >
    await service.admin.post('/api/auth/register/invite', { email: 'new@example.com', language })
    const { html } = decodeParts(receivedEmails.at(-1)?.messageSource ?? '')
    expect(html).toContain(`<html lang="${language}" dir="${getTextDirection(language)}">`)
    for (const key of ['hello', 'accept', 'ignore']) expect(html).toContain(textsByKey[key])
  },
)

it('when the mail server rejects an invitation email, the invitation stays valid, and the log contains the SMTP error but not the address', async () => {
  shouldRejectRecipients = true
  const { status, body } = await service.admin.post('/api/auth/register/invite', { email: 'new@example.com' })
  shouldRejectRecipients = false
  expect([status, body.mail]).toEqual([201, 'failed'])
  const logText = service.server.logLines.join('')
  expect(logText).toContain('RCPT TO 550 5.1.1 (EENVELOPE)')
  expect(logText).not.toContain('new@example.com')
  const validationResponse = await service.server.request('/api/auth/validate-invitation', {
    method: 'POST',
    headers: { Authorization: `Bearer ${body.token}` },
  })
  expect(validationResponse.status).toBe(200)
})

it('no invitation is created when the language of its email cannot be loaded', async () => {
  const countInvitations = async () => (await service.admin.get('/api/auth/invitations')).body.total_results
  const invitationCountBefore = await countInvitations()
  const { primary } = service.server.deps.database
  await sql`alter table setting rename to unavailable_setting`.execute(primary)
  const { status } = await service.admin.post('/api/auth/register/invite', {
    email: 'new@example.com',
    expires_in_days: 7,
  })
  await sql`alter table unavailable_setting rename to setting`.execute(primary)
  expect(status).toBe(500)
  expect(await countInvitations()).toBe(invitationCountBefore)
})

it('no invitation email is sent if the request names no recipient, if no SMTP server is configured, or if the SMTP server is unreachable', async () => {
  const emailCountBefore = receivedEmails.length
  expect((await service.admin.post('/api/auth/register/invite')).body.mail).toBe('off')
  const serviceWithoutSmtp = await startAdminTestServer()
  expect(
    (await serviceWithoutSmtp.admin.post('/api/auth/register/invite', { email: 'new@example.com' })).body
      .mail,
  ).toBe('off')
  await serviceWithoutSmtp.stop()
  const serviceWithUnreachableSmtp = await startAdminTestServer({ env: { SMTP_URL: 'smtp://127.0.0.1:1' } })
  expect(
    (await serviceWithUnreachableSmtp.admin.post('/api/auth/register/invite', { email: 'new@example.com' }))
      .body.mail,
  ).toBe('failed')
  await serviceWithUnreachableSmtp.stop()
  expect(receivedEmails).toHaveLength(emailCountBefore)
})
