import { expect, it } from 'vitest'
import { createKeys } from '../../server/providers/keys.ts'
import {
  ACCESS_TOKEN_LIFE_SECONDS,
  createAccessToken,
  readAccessToken,
} from '../../server/services/auth/access-token.ts'
import type { Deps } from '../../server/services/deps.ts'

const START = 1_800_000_000_000
const SUBJECT = { accountId: 'account', sid: 'login', generation: 3 }

function depsAt(keys = createKeys()) {
  const clock = { now: START }
  return { clock, deps: { keys, now: () => clock.now } as unknown as Deps }
}

it('reads its own token as often as it is sent', () => {
  const { deps } = depsAt()
  const token = createAccessToken(SUBJECT, deps)
  const first = readAccessToken(token, deps)
  expect(first).toMatchObject({ sub: 'account', sid: 'login', gen: 3 })
  expect(readAccessToken(token, deps)).toEqual(first)
})

it('refuses a token whose time is over, also one that it read before', () => {
  const { deps, clock } = depsAt()
  const token = createAccessToken(SUBJECT, deps)
  expect(readAccessToken(token, deps)).not.toBeNull()
  clock.now = START + (ACCESS_TOKEN_LIFE_SECONDS + 6) * 1_000
  expect(readAccessToken(token, deps)).toBeNull()
  clock.now = START - 6_000
  expect(readAccessToken(token, deps)).toBeNull()
})

it('refuses a token with one sign changed anywhere, also after the right one', () => {
  const { deps } = depsAt()
  const token = createAccessToken(SUBJECT, deps)
  expect(readAccessToken(token, deps)).not.toBeNull()
  for (let at = 0; at < token.length; at += 1) {
    const other = token[at] === 'A' ? 'B' : 'A'
    expect(readAccessToken(token.slice(0, at) + other + token.slice(at + 1), deps)).toBeNull()
  }
})

it('knows the tokens of its own keys alone', () => {
  const [ours, theirs] = [depsAt(), depsAt()]
  const token = createAccessToken(SUBJECT, ours.deps)
  expect(readAccessToken(token, ours.deps)).not.toBeNull()
  expect(readAccessToken(token, theirs.deps)).toBeNull()
})

it('reads right, however many tokens it has read', () => {
  const { deps } = depsAt()
  const tokens = Array.from({ length: 2_100 }, (_, at) =>
    createAccessToken({ ...SUBJECT, sid: `${at}` }, deps),
  )
  for (const turn of [0, 1]) {
    const sids = tokens.map((token) => readAccessToken(token, deps)?.sid)
    expect(sids, `turn ${turn}`).toEqual(tokens.map((_, at) => `${at}`))
  }
})
