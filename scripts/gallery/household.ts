/** Starts a server with the built site and the demo household in a temporary data folder. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { GalleryHousehold } from './window.ts'

/** A title that the child of the household has asked for. */
export const REQUESTED_TITLE = 'Gravity'
const INVITED_USER = { email: 'guest@example.org', password: 'Guest-of-2026' }

/**
 * Starts the server on `port` and prepares the demo household. Throws if the server does not become ready within a
 * minute. The returned `stop` ends the server and deletes its data.
 */
export async function startGalleryServer(
  port: number,
): Promise<{ household: GalleryHousehold; stop: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-gallery-'))
  const server = spawn(process.execPath, ['server/main.ts'], {
    env: { ...process.env, PORT: String(port), DATA_DIR: folder, LOG_LEVEL: 'error' },
    stdio: 'ignore',
  })
  const stop = async () => {
    await stopServer(server)
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const origin = `http://127.0.0.1:${port}`
    await waitUntilReady(origin, server)
    return { household: await prepareHousehold(origin, folder), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function stopServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return
  const exitPromise = new Promise((resolve) => server.once('exit', resolve))
  server.kill('SIGTERM')
  await exitPromise
}

async function waitUntilReady(origin: string, server: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 240; attempt++) {
    if (server.exitCode !== null) throw new Error('The server did not start.')
    const response = await fetch(`${origin}/api/health/ready`).catch(() => null)
    if (response?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  throw new Error('The server did not become ready.')
}

type CallApi = <T>(method: 'GET' | 'POST' | 'PUT', path: string, body?: object) => Promise<T>

/**
 * Returns a function that calls the API and throws unless the response is successful. `profileId` is the
 * acting profile of calls that need one.
 */
const createApiCaller =
  (origin: string, token: string | null, profileId?: string): CallApi =>
  async <T>(method: string, path: string, body?: object) => {
    const headers: Record<string, string> = { Origin: origin, 'Content-Type': 'application/json' }
    if (token) headers['Authorization'] = `Bearer ${token}`
    if (profileId) headers['X-Profile-Id'] = profileId
    const response = await fetch(`${origin}/api${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${path} responded ${response.status}: ${await response.text()}`)
    return (response.status === 204 ? undefined : await response.json()) as T
  }

/**
 * Limits the viewing time of the child of the household. As the child, asks for two titles, and dislikes two other
 * titles, which are then hidden. The first request is answered: the title is allowed for a week. The second request
 * stays open.
 */
async function prepareFamily(callAsParent: CallApi, callAsChild: CallApi, childId: string): Promise<void> {
  const childPath = `/profile/${childId}`
  await callAsParent('PUT', `${childPath}/child-options`, { may_ask: true, spoken_labels: false })
  await callAsParent('PUT', `${childPath}/viewing-limits`, {
    school_day_minutes: 60,
    weekend_minutes: 120,
    quiet_start: 20 * 60,
    quiet_end: 7 * 60,
  })
  const requestTitle = async (titleName: string, reason: string) => {
    const { results } = await callAsChild<{ results: { type: string; id: string }[] }>(
      'GET',
      `${childPath}/requests?name=${encodeURIComponent(titleName)}`,
    )
    const [requestedTitle] = results
    if (!requestedTitle) throw new Error(`The child may not ask for ${titleName}`)
    const requestBody = { name: titleName, type: requestedTitle.type, media_id: requestedTitle.id, reason }
    return (await callAsChild<{ request_id: string }>('POST', `${childPath}/requests`, requestBody))
      .request_id
  }
  const answeredRequestId = await requestTitle('Little Women', '')
  await callAsParent('PUT', `/user/requests/${answeredRequestId}`, { answer: 'week' })
  const { results: kidsMovies } = await callAsChild<{ results: { id: string }[] }>('GET', '/movies?limit=2')
  for (const { id } of kidsMovies)
    await callAsChild('PUT', `${childPath}/feedback/movie/${id}`, { feedback: 'dislike' })
  await requestTitle(REQUESTED_TITLE, 'We read about space at school and everybody has seen it')
}

/** Creates a list of chosen titles, and a smart list that the household shares. */
async function prepareLists(callApi: CallApi, profileId: string): Promise<void> {
  const listsPath = `/profile/${profileId}/lists`
  const { results } = await callApi<{ results: { id: string }[] }>('GET', '/movies?limit=7')
  const { list_id } = await callApi<{ list_id: string }>('POST', listsPath, {
    name: 'Films for a rainy Sunday with the whole family',
    description: 'Nothing too loud, and nothing that ends after nine.',
  })
  const includedTitles = results.map(({ id }) => ({ type: 'movie', media_id: id, included: true }))
  await callApi('PUT', `${listsPath}/${list_id}/titles`, { titles: includedTitles })
  await callApi('POST', listsPath, {
    name: 'Dramas',
    shared: true,
    filter: { type: 'movie', query: 'include-genres=18' },
  })
}

/**
 * Signs in as the administrator, and adds requests of the child, lists and two invitations. One invitation is accepted,
 * which creates an account without profiles. The other stays open.
 */
async function prepareHousehold(origin: string, folder: string): Promise<GalleryHousehold> {
  const signInNote = readFileSync(join(folder, 'first-sign-in.txt'), 'utf8')
  const admin = {
    email: /Email: (.*)/.exec(signInNote)?.[1] ?? '',
    password: /Password: (.*)/.exec(signInNote)?.[1] ?? '',
  }
  const { access_token: accessToken } = await createApiCaller(origin, null)<{ access_token: string }>(
    'POST',
    '/auth/login',
    admin,
  )
  const { results } = await createApiCaller(origin, accessToken)<{
    results: { profile_id: string; name: string; main: boolean }[]
  }>('GET', '/profile')
  const mainId = results.find((profile) => profile.main)?.profile_id ?? ''
  const callApi = createApiCaller(origin, accessToken, mainId)
  const createInvitation = () => callApi<{ token: string }>('POST', '/auth/register/invite', {})
  await createApiCaller(origin, (await createInvitation()).token)('POST', '/auth/register', INVITED_USER)
  const profileIds = Object.fromEntries(results.map((profile) => [profile.name, profile.profile_id]))
  await prepareFamily(
    callApi,
    createApiCaller(origin, accessToken, profileIds['Sunny']),
    profileIds['Sunny'] ?? '',
  )
  await prepareLists(callApi, mainId)
  return {
    origin,
    admin,
    invitedUser: INVITED_USER,
    profileIds,
    invitationToken: (await createInvitation()).token,
  }
}
