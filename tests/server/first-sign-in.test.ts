/** The field `first_sign_in`, which is true while the file with the first password exists and nobody has signed in. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { writeFirstSignInFile } from '../../server/providers/first-sign-in.ts'
import { DATABASES, insertTestAccount, startTestServer, TEST_PASSWORD } from '../support/server.ts'
import { TestClient } from '../support/test-client.ts'

const EMAIL = 'admin@example.com'

it.each(DATABASES)(
  'on %s, the response with the sign-in methods has `first_sign_in: true` only while the first password is in its file and nobody has signed in',
  async (_name, openTestDatabase) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'marquee-first-sign-in-'))
    const server = await startTestServer({
      database: await openTestDatabase(),
      env: { DATA_DIR: dataDir },
    })
    try {
      const client = new TestClient(server)
      const isFirstSignIn = async () =>
        (await new TestClient(server).get('/api/auth/sign-in-methods')).body.first_sign_in
      await insertTestAccount(server, EMAIL, 'admin')
      expect(await isFirstSignIn()).toBe(false)
      writeFirstSignInFile(dataDir, { email: EMAIL, password: TEST_PASSWORD })
      expect(await isFirstSignIn()).toBe(true)
      expect((await client.login(EMAIL, 'Lumiere1896')).status).toBe(401)
      expect(await isFirstSignIn()).toBe(true)
      expect((await client.login(EMAIL)).status).toBe(200)
      await client.post('/api/auth/logout')
      expect(await isFirstSignIn()).toBe(false)
    } finally {
      await server.close()
      rmSync(dataDir, { recursive: true, force: true })
    }
  },
)
