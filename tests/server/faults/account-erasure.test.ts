/**
 * After an account is deleted, no file of the data folder except older backups contains its texts or ids. Restoring an
 * older backup does not restore the account.
 */
import { copyFileSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BACKUP_FOLDER, writeBackup } from '../../../server/db/backup.ts'
import { DATABASE_FILE_NAME, openSqliteDatabase } from '../../../server/db/database.ts'
import { migrateDatabase } from '../../../server/db/migrate.ts'
import { writeFirstSignInFile } from '../../../server/providers/first-sign-in.ts'
import {
  DELETED_ACCOUNTS_FILE_NAME,
  eraseRestoredAccounts,
} from '../../../server/services/accounts/erasure.ts'
import { ATTEMPT_LIMITS } from '../../../server/services/auth/attempt-limit.ts'
import { verifyAuditChain } from '../../../server/services/operations/audit.ts'
import { insertTestAccount, TEST_PASSWORD } from '../../support/server.ts'
import { startSmtpServer, type TestSmtpServer } from '../../support/smtp.ts'
import { TestClient } from '../../support/test-client.ts'
import {
  type AdminTestServer,
  addMovies,
  createMovieRecord,
  startSqliteFileServer,
} from '../admin/admin-test-server.ts'

let service: AdminTestServer
let rejectingSmtp: TestSmtpServer
let mediaId = ''
beforeAll(async () => {
  service = await startSqliteFileServer()
  rejectingSmtp = await startSmtpServer({ rejectsRecipients: true })
  ;[mediaId = ''] = await addMovies(service, [createMovieRecord(1)])
}, 60_000)
afterAll(async () => {
  await service.stop()
  await rejectingSmtp.close()
})

/** Texts and ids that identify one person and that occur in no other data. */
interface PersonalTexts {
  email: string
  profileName: string
  deviceName: string
  fileName: string
  accountId: string
  profileId: string
  loginId: string
  identityName: string
  identitySubject: string
  apiKeyName: string
  newEmail: string
  noteText: string
}

/**
 * Creates an account and uses the features that store texts or ids of people. Returns a device of the account and these
 * texts.
 */
async function createPerson(personName: string): Promise<{ device: TestClient; texts: PersonalTexts }> {
  const email = `${personName.toLowerCase()}.zebrafinch@example.org`
  const profileName = `${personName} Zebrafinch`
  const deviceName = `${personName}s Wohnzimmergerät`
  const fileName = `${personName}-viewings.csv`
  const account = await insertTestAccount(service.server, email, 'admin')
  writeFirstSignInFile(service.folder, { email, password: TEST_PASSWORD })
  const device = new TestClient(service.server)
  const loginResponse = await device.post('/api/auth/login', {
    email,
    password: TEST_PASSWORD,
    device_name: deviceName,
  })
  device.accessToken = loginResponse.body.access_token
  await new TestClient(service.server).login(email, 'Wrong-Word-1')
  const { profile_id } = (await device.post('/api/profile', { name: profileName })).body
  const profilePath = `/api/profile/${profile_id}`
  const expectSuccess = (status: number) => expect(status).toBeLessThan(300)
  expectSuccess((await device.put(`${profilePath}/watchlist/movie/${mediaId}/toggle`)).status)
  const progressReport = { type: 'movie', media_id: mediaId, progress: 60, data: { video_duration: 600 } }
  expectSuccess((await device.post(`${profilePath}/history`, progressReport)).status)
  device.profileId = profile_id
  const noteText = `${personName} remembers the lanterns`
  const day = '2021-03-04'
  const viewingScopes = [{ type: 'movie', media_id: mediaId, scope: 'title' }]
  expectSuccess(
    (
      await device.post(`${profilePath}/viewings`, {
        key: 'mark',
        scopes: viewingScopes,
        date: 'chosen',
        day,
      })
    ).status,
  )
  const viewingRef = { type: 'movie', media_id: mediaId, watched_at: `${day}T12:00:00.000Z` }
  expectSuccess(
    (await device.put(`${profilePath}/viewings/note`, { key: 'note', viewing: viewingRef, note: noteText }))
      .status,
  )
  expectSuccess((await device.post('/api/settings', { key: 'invitation_days', value: 5 })).status)
  expectSuccess(
    (await device.post('/api/blocklist', { type: 'keyword', value: `${personName} keyword` })).status,
  )
  expectSuccess((await device.post('/api/settings/sync-search-engine')).status)
  expectSuccess((await device.post('/api/auth/register/invite')).status)
  await service.waitForIdleWorker()
  expectSuccess((await device.post(`${profilePath}/lock`, { pin: '4711' })).status)
  const uploadResponse = await service.server.request(`${profilePath}/import?name=${fileName}`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${device.accessToken}`,
      'Content-Type': 'text/csv',
      'X-Profile-Id': profile_id,
    },
    body: `Title,Date\n"Lantern 1","5/2/20"\n"${profileName} at home","5/2/20"\n`,
  })
  expectSuccess(uploadResponse.status)
  const { config } = service.server.deps
  config.smtpUrl = rejectingSmtp.url
  const invitationResponse = await service.admin.post('/api/auth/register/invite', { email, role: 'user' })
  expect([invitationResponse.status, invitationResponse.body.mail]).toEqual([201, 'failed'])
  config.smtpUrl = undefined
  const loginId = (
    await service.server.database.primary
      .selectFrom('login')
      .select('sid')
      .where('account_id', '=', account.account_id)
      .executeTakeFirstOrThrow()
  ).sid
  const videoPath = `/proxy/hls/1/1.1.${loginId}.${profile_id}.signature/index.m3u8`
  for (const [method, path, status] of [
    ['PATCH', profilePath, 405],
    ['GET', `${profilePath}/nothing`, 404],
    ['GET', `/api/profiles/${profile_id}`, 404],
    ['OPTIONS', videoPath, 404],
  ] as const)
    expect([path, (await device.send(method, path)).status]).toEqual([path, status])
  // The audit log records at most one denied call of a kind per login and minute. Therefore a new login of the
  // administrator requests data of this profile.
  const otherAccountDevice = new TestClient(service.server)
  await otherAccountDevice.login('admin@example.com')
  expect((await otherAccountDevice.get(`/api/profile/${profile_id}/continue-watching`)).status).toBe(404)
  const { primary } = service.server.database
  const window_ends_at = service.server.deps.now() + 60_000
  for (const limitName of Object.keys(ATTEMPT_LIMITS))
    for (const ownerId of [account.account_id, loginId])
      await primary
        .insertInto('rate_limit')
        .values({ bucket: `${limitName}:${ownerId}`, count: 1, window_ends_at, blocked_until: 0 })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
  const identityName = `${personName}@provider.example`
  const identitySubject = `subject-of-${personName}`
  const apiKeyName = `${personName}s Hausautomatik`
  const newEmail = `${personName.toLowerCase()}.new@example.org`
  await primary
    .insertInto('identity')
    .values({
      identity_id: `identity-${personName}`,
      account_id: account.account_id,
      issuer: 'https://provider.example',
      subject: identitySubject,
      name: identityName,
      created_at: 1,
    })
    .execute()
  const linkResponse = await service.admin.post(`/api/admin/users/${account.account_id}/password-reset`)
  expectSuccess(linkResponse.status)
  const apiKeyRequest = { name: apiKeyName, scopes: ['admin'], password: TEST_PASSWORD }
  expectSuccess((await device.post('/api/auth/api-keys', apiKeyRequest)).status)
  const emailChange = { new_email: newEmail, password: TEST_PASSWORD }
  expectSuccess((await device.post('/api/auth/email', emailChange)).status)
  await primary
    .insertInto('email_change')
    .values({
      token_hash: `hash-${personName}`,
      account_id: account.account_id,
      old_email: email,
      new_email: newEmail,
      created_at: 1,
      expires_at: Date.now() + 60_000,
    })
    .execute()
  return {
    device,
    texts: {
      email,
      profileName,
      deviceName,
      fileName,
      accountId: account.account_id,
      profileId: profile_id,
      loginId,
      identityName,
      identitySubject,
      apiKeyName,
      newEmail,
      noteText,
    },
  }
}

/**
 * Searches all files of the data folder, except backups, for the texts. Returns each occurrence as `<file path>: <name
 * of the text>`.
 */
function findTexts(texts: PersonalTexts): string[] {
  const filePaths = readdirSync(service.folder, { recursive: true, encoding: 'utf8' }).filter(
    (filePath) => !filePath.startsWith(BACKUP_FOLDER) && statSync(join(service.folder, filePath)).isFile(),
  )
  return filePaths.flatMap((filePath) => {
    const bytes = readFileSync(join(service.folder, filePath))
    return Object.entries(texts).flatMap(([name, text]) =>
      bytes.includes(text) ? [`${filePath}: ${name}`] : [],
    )
  })
}

it.each([
  [
    'its owner',
    (person: Awaited<ReturnType<typeof createPerson>>) =>
      person.device.delete('/api/auth/user-account', { password: TEST_PASSWORD }),
  ],
  [
    'an administrator',
    (person: Awaited<ReturnType<typeof createPerson>>) =>
      service.admin.delete(`/api/auth/user/${person.texts.accountId}`),
  ],
])(
  'no text or id of an account is left in the data folder and the log after %s has deleted the account',
  async (deleter, deletePersonAccount) => {
    const person = await createPerson(deleter === 'its owner' ? 'Wilhelmina' : 'Bartholomew')
    expect(new Set(findTexts(person.texts).map((occurrence) => occurrence.split(': ')[1]))).toEqual(
      new Set(Object.keys(person.texts)),
    )
    expect((await deletePersonAccount(person)).status).toBe(204)
    expect(findTexts(person.texts)).toEqual([])
    const logText = service.server.logLines.join('')
    expect(Object.entries(person.texts).filter(([, text]) => logText.includes(text))).toEqual([])
    expect((await verifyAuditChain(service.server.deps, { fromStart: true })).verified).toBe(true)
  },
)

it('no name of a profile is left in the data folder after the profile was deleted from the bin', async () => {
  const { device, texts } = await createPerson('Hildegard')
  device.profileId = texts.profileId
  const deletedProfileName = 'Rumpelstilzchen'
  const { profile_id } = (await device.post('/api/profile', { name: deletedProfileName })).body
  expect(
    (await device.send('DELETE', `/api/profile/${profile_id}`, { password: TEST_PASSWORD })).status,
  ).toBe(204)
  const binPath = `/api/profile/${texts.profileId}/bin/profile/${profile_id}`
  expect((await device.send('DELETE', binPath, { password: TEST_PASSWORD })).status).toBe(204)
  expect(
    findTexts({ ...texts, profileName: deletedProfileName }).filter((occurrence) =>
      occurrence.endsWith('profileName'),
    ),
  ).toEqual([])
})

it('a deleted account is erased again when an older backup that contains the account is restored', async () => {
  const { device, texts } = await createPerson('Gwendolyn')
  const { deps, database } = service.server
  const backupPath = join(service.folder, BACKUP_FOLDER, 'older.db')
  await writeBackup(database.file ?? '', backupPath)
  expect((await device.delete('/api/auth/user-account', { password: TEST_PASSWORD })).status).toBe(204)
  const deletedAccountsText = readFileSync(
    join(service.folder, BACKUP_FOLDER, DELETED_ACCOUNTS_FILE_NAME),
    'utf8',
  )
  expect(deletedAccountsText).not.toContain(texts.accountId)
  const restoredPath = join(service.folder, `restored-${DATABASE_FILE_NAME}`)
  copyFileSync(backupPath, restoredPath)
  const restoredDatabase = openSqliteDatabase(restoredPath)
  try {
    await migrateDatabase(restoredDatabase)
    const restoredDeps = { ...deps, database: restoredDatabase }
    expect(await eraseRestoredAccounts(restoredDeps)).toBe(1)
    expect(await eraseRestoredAccounts(restoredDeps)).toBe(0)
    const emails = await restoredDatabase.primary.selectFrom('account').select('email').execute()
    expect(emails.map(({ email }) => email)).toContain('admin@example.com')
    expect(emails.map(({ email }) => email)).not.toContain(texts.email)
  } finally {
    await restoredDatabase.close()
  }
  expect(findTexts(texts)).toEqual([])
})
