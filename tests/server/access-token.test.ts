import { expect, it } from 'vitest'
import { createKeys } from '../../server/providers/keys.ts'
import {
  ACCESS_TOKEN_LIFETIME_SECONDS,
  createAccessToken,
  readAccessToken,
} from '../../server/services/auth/access-token.ts'
import type { Deps } from '../../server/services/deps.ts'

const START_MS = 1_800_000_000_000
const TOKEN_SUBJECT = { accountId: 'account', sid: 'login', generation: 3 }

function createDeps(keys = createKeys()) {
  const clock = { nowMs: START_MS }
  return { clock, deps: { keys, now: () => clock.nowMs } as unknown as Deps }
}

it('readAccessToken returns the same claims each time the same token is read', () => {
  const { deps } = createDeps()
  const token = createAccessToken(TOKEN_SUBJECT, deps)
  const claims = readAccessToken(token, deps)
  expect(claims).toMatchObject({ sub: 'account', sid: 'login', gen: 3 })
  expect(readAccessToken(token, deps)).toEqual(claims)
})

it('an access token is rejected outside its lifetime, even if it was accepted before', () => {
  const { deps, clock } = createDeps()
  const token = createAccessToken(TOKEN_SUBJECT, deps)
  expect(readAccessToken(token, deps)).not.toBeNull()
  clock.nowMs = START_MS + (ACCESS_TOKEN_LIFETIME_SECONDS + 6) * 1_000
  expect(readAccessToken(token, deps)).toBeNull()
  clock.nowMs = START_MS - 6_000
  expect(readAccessToken(token, deps)).toBeNull()
})

it('an access token with any one character changed is rejected, even after the valid token was accepted', () => {
  const { deps } = createDeps()
  const token = createAccessToken(TOKEN_SUBJECT, deps)
  expect(readAccessToken(token, deps)).not.toBeNull()
  for (let index = 0; index < token.length; index += 1) {
    const replacement = token[index] === 'A' ? 'B' : 'A'
    const changedToken = token.slice(0, index) + replacement + token.slice(index + 1)
    expect(readAccessToken(changedToken, deps)).toBeNull()
  }
})

it('an access token that was signed with the keys of another server is rejected', () => {
  const [server, otherServer] = [createDeps(), createDeps()]
  const token = createAccessToken(TOKEN_SUBJECT, server.deps)
  expect(readAccessToken(token, server.deps)).not.toBeNull()
  expect(readAccessToken(token, otherServer.deps)).toBeNull()
})

it('readAccessToken returns the login id of each access token, even when its cache is too small for all tokens that are read repeatedly', () => {
  const { deps } = createDeps()
  const tokens = Array.from({ length: 2_100 }, (_, index) =>
    createAccessToken({ ...TOKEN_SUBJECT, sid: `${index}` }, deps),
  )
  for (const round of [0, 1]) {
    const sids = tokens.map((token) => readAccessToken(token, deps)?.sid)
    expect(sids, `round ${round}`).toEqual(tokens.map((_, index) => `${index}`))
  }
})
