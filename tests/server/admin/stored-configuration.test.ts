/**
 * Settings that the dashboard stores in place of environment variables: they apply without a restart, an environment
 * variable has priority over its setting, and no reply contains a secret.
 */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { applyStoredConfiguration } from '../../../server/services/operations/stored-configuration.ts'
import { startTestServer } from '../../support/server.ts'
import { type AdminTestServer, startAdminTestServer } from './admin-test-server.ts'

const TMDB_TOKEN = 'tmdb-token-1234567890'
let service: AdminTestServer
let tmdb: Server
let smtp: SMTPServer
let receivedSubjects: string[] = []
const saveSetting = (key: string, value: unknown) => service.admin.post('/api/settings', { key, value })
const loadSetting = async (key: string) => (await service.admin.get(`/api/settings/${key}`)).body
const testConnection = async (connectionName: string) =>
  (await service.admin.post(`/api/admin/connections/${connectionName}/test`)).body
const getPort = (server: { address: () => unknown }) => (server.address() as AddressInfo).port

beforeAll(async () => {
  tmdb = createServer((request, response) => {
    const isAuthorized = request.headers.authorization === `Bearer ${TMDB_TOKEN}`
    response.writeHead(isAuthorized ? 200 : 401).end('{}')
  })
  await new Promise<void>((resolve) => tmdb.listen(0, '127.0.0.1', resolve))
  smtp = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    onAuth: ({ password }, _session, callback) =>
      password === 'right' ? callback(null, { user: 'a' }) : callback(new Error('no')),
    onData: (stream, _session, callback) => {
      let messageSource = ''
      stream.on('data', (chunk: Buffer) => {
        messageSource += chunk
      })
      stream.on('end', () => {
        receivedSubjects.push(/^Subject: (.*)/m.exec(messageSource)?.[1] ?? '')
        callback()
      })
    },
  })
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
  service = await startAdminTestServer({ env: { SMTP_FROM: 'films@example.com' } })
})
afterAll(async () => {
  await service.stop()
  tmdb.close()
  await new Promise<void>((resolve) => smtp.close(resolve))
})

it('a saved TMDB token is used immediately, stored encrypted, and not returned', async () => {
  expect((await service.admin.get('/api/admin/overview')).body.health.tmdb).toBe(false)
  await saveSetting('tmdb_api_url', `http://127.0.0.1:${getPort(tmdb)}/3/`)
  expect(await testConnection('tmdb')).toEqual({ result: 'not_configured', email: null })
  const reply = await saveSetting('tmdb_api_token', ` ${TMDB_TOKEN} `)
  expect(reply.body).toMatchObject({ value: '', is_set: true, variable: null })
  expect((await testConnection('tmdb')).result).toBe('ok')
  expect((await service.admin.get('/api/admin/overview')).body.health.tmdb).toBe(true)
  const { results } = (await service.admin.get('/api/settings')).body
  expect(JSON.stringify([results, await loadSetting('tmdb_api_token')])).not.toContain(TMDB_TOKEN)
  const rows = await service.server.database.primary.selectFrom('setting').selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain(TMDB_TOKEN)
  expect(service.server.logLines.join()).not.toContain(TMDB_TOKEN)
  const events = (await service.admin.get('/api/admin/audit?action=setting_change')).body.results
  expect(events[0].target).toBe('tmdb_api_token')
})

it('a saved setting applies in another process with the same encryption keys, and not with other keys', async () => {
  const { server } = service
  const otherServer = await startTestServer({ database: server.database, keys: server.deps.keys })
  await applyStoredConfiguration(otherServer.deps)
  expect(otherServer.deps.config.tmdbApiToken).toBe(TMDB_TOKEN)
  const serverWithOtherKeys = await startTestServer({ database: server.database })
  await applyStoredConfiguration(serverWithOtherKeys.deps)
  expect(serverWithOtherKeys.deps.config.tmdbApiToken).toBeUndefined()
})

it('the TMDB token is kept when the same TMDB address is saved again, even with an added trailing slash or spaces', async () => {
  const address = `http://127.0.0.1:${getPort(tmdb)}/3`
  await saveSetting('tmdb_api_url', address)
  await saveSetting('tmdb_api_token', TMDB_TOKEN)
  for (const equivalentAddress of [address, `${address}/`, ` ${address} `]) {
    expect((await saveSetting('tmdb_api_url', equivalentAddress)).status).toBe(200)
    expect(await loadSetting('tmdb_api_token')).toMatchObject({ is_set: true })
    expect((await testConnection('tmdb')).result).toBe('ok')
  }
})

it('the TMDB token is kept when the default TMDB address is saved as a setting, and is removed when another address is saved', async () => {
  const otherService = await startAdminTestServer()
  const { admin, server } = otherService
  await admin.post('/api/settings', { key: 'tmdb_api_token', value: TMDB_TOKEN })
  const { default: defaultAddress } = (await admin.get('/api/settings/tmdb_api_url')).body
  await admin.post('/api/settings', { key: 'tmdb_api_url', value: defaultAddress })
  expect(server.deps.config.tmdbApiToken).toBe(TMDB_TOKEN)
  await admin.post('/api/settings', { key: 'tmdb_api_url', value: `${defaultAddress}1` })
  expect(server.deps.config.tmdbApiToken).toBeUndefined()
  await otherService.stop()
})

it('the response for the setting tmdb_api_url states that a new address removes the TMDB token, but only while a token is stored', async () => {
  const otherService = await startAdminTestServer()
  const { admin } = otherService
  const saveSetting = async (key: string, value: string) =>
    (await admin.post('/api/settings', { key, value })).body
  const loadClearedKey = async () => (await admin.get('/api/settings/tmdb_api_url')).body.clears
  expect(await loadClearedKey()).toBeNull()
  expect(await saveSetting('tmdb_api_url', 'https://gateway.example/3')).toMatchObject({ clears: null })
  await saveSetting('tmdb_api_token', TMDB_TOKEN)
  expect(await loadClearedKey()).toBe('tmdb_api_token')
  expect(await saveSetting('tmdb_api_url', 'https://gateway.example/3/')).toMatchObject({
    clears: 'tmdb_api_token',
  })
  expect(await saveSetting('tmdb_api_url', 'https://elsewhere.example/3')).toMatchObject({ clears: null })
  await saveSetting('tmdb_api_token', TMDB_TOKEN)
  await saveSetting('tmdb_api_token', '')
  expect(await loadClearedKey()).toBeNull()
  await otherService.stop()
})

it('the TMDB token is removed when the TMDB address changes, so that no other server receives the token', async () => {
  await saveSetting('tmdb_api_token', TMDB_TOKEN)
  await saveSetting('tmdb_api_url', 'https://elsewhere.example/3')
  expect(await loadSetting('tmdb_api_token')).toMatchObject({ is_set: false })
  expect(service.server.deps.config.tmdbApiToken).toBeUndefined()
})

it('if an environment variable overrides a setting, the setting is returned with the variable name and cannot be changed', async () => {
  expect(await loadSetting('smtp_from')).toMatchObject({ value: 'films@example.com', variable: 'SMTP_FROM' })
  expect((await saveSetting('smtp_from', 'x@example.com')).body).toMatchObject({
    status_code: 409,
    errors: { setting: ['set_by_variable'] },
  })
  const otherServer = await startAdminTestServer({ env: { TMDB_API_TOKEN: TMDB_TOKEN } })
  expect((await otherServer.admin.get('/api/settings/tmdb_api_token')).body).toMatchObject({
    value: '',
    is_set: true,
    variable: 'TMDB_API_TOKEN',
  })
  const settingChange = { key: 'tmdb_api_url', value: 'https://elsewhere.example/3' }
  expect((await otherServer.admin.post('/api/settings', settingChange)).status).toBe(409)
  expect(otherServer.server.deps.config.tmdbApiUrl).toBe('https://api.themoviedb.org/3')
  await otherServer.stop()
})

it.each([
  [
    'tmdb_api_url',
    [
      'ftp://x.example',
      'https://user:pw@x.example',
      'https://x.example/?q=1',
      'http://[::1',
      'http://x.example:port',
      '',
      5,
    ],
  ],
  ['tmdb_api_token', ['two words', 'x'.repeat(1_001), null]],
  [
    'smtp_url',
    ['http://mail.example', 'mail.example', 'smtp://user:pa#ss@mail.example', 'smtp://user:pw@:25'],
  ],
  ['ffmpeg_path', ['/bin/sh', '../ffmpeg', '']],
])('invalid values of %s are rejected with 422', async (key, values) => {
  for (const value of values) expect([value, (await saveSetting(key, value)).status]).toEqual([value, 422])
})

it('the mail test sends an email to the caller, or returns the reason for the failure', async () => {
  const buildSmtpUrl = (password: string) => `smtp://a:${password}@127.0.0.1:${getPort(smtp.server)}`
  expect((await testConnection('mail')).result).toBe('not_configured')
  await saveSetting('smtp_url', buildSmtpUrl('right'))
  expect(await testConnection('mail')).toEqual({ result: 'ok', email: 'admin@example.com' })
  expect(receivedSubjects).toEqual(['Test email of Marquee'])
  await saveSetting('smtp_url', buildSmtpUrl('wrong'))
  expect((await testConnection('mail')).result).toBe('unauthorized')
  await saveSetting('smtp_url', 'smtp://a:right@127.0.0.1:1')
  expect((await testConnection('mail')).result).toBe('unreachable')
  expect(service.server.logLines.join()).not.toMatch(/a:(right|wrong)/)
  await saveSetting('smtp_url', '')
  expect((await testConnection('mail')).result).toBe('not_configured')
  receivedSubjects = []
})

it('the server looks for ffmpeg again when the setting ffmpeg_path changes', async () => {
  const { streamSources } = service.server.deps
  await saveSetting('ffmpeg_path', 'off')
  expect((await streamSources.ffmpeg.find()).status).toBe('off')
  await saveSetting('ffmpeg_path', 'auto')
  expect((await streamSources.ffmpeg.find()).status).not.toBe('off')
})
