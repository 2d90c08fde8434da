/**
 * `npm run bench:scale`: what docs/scaling.md says, measured. Real PostgreSQL, Redis and nginx on this machine, the load from
 * a process of its own. Parts can be named: `npm run bench:scale -- sqlite reads cost overload kills redis
 * postgres stale`; after `stale`, one or more of its changes (`role`, `PIN`).
 */
import { availableParallelism, cpus } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import {
  adminOf,
  killInTurn,
  newVisitor,
  titleIds,
  untilFine,
  writeDuring,
} from '../../tests/scale/scenarios.ts'
import { changeAndLook, securityChanges } from '../../tests/scale/staleness.ts'
import { type Household, startHousehold } from '../../tests/support/processes.ts'
import { Visitor } from '../../tests/support/visitor.ts'
import { cost } from './cost.ts'
import type { Orders } from './load.ts'
import { headersOf, offer, quiet, reads, say } from './measure.ts'
import { readsOnPostgres, readsOnSqlite } from './reads.ts'

const SECONDS = 8
const TRIALS = 10_000
const CUT_MS = 10_000
const REDIS_PAUSE_MS = 30_000

async function mixed(household: Household, admin: Visitor): Promise<Orders['requests']> {
  const viewers = []
  for (let at = 0; at < 5; at += 1) viewers.push(await newVisitor(admin, `load${Date.now()}x${at}`))
  const ids = await titleIds(admin, 50)
  const writes = viewers.flatMap((viewer) =>
    ids.slice(0, 10).map((media_id, at) => ({
      method: 'POST',
      path: `/api/profile/${viewer.profileId}/history`,
      headers: { ...headersOf(viewer), 'Content-Type': 'application/json' },
      body: JSON.stringify({ type: 'movie', media_id, progress: 60 + at, data: { video_duration: 6_000 } }),
    })),
  )
  const login = {
    method: 'POST',
    path: '/api/auth/login',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: household.admin.email, password: household.admin.password }),
  }
  const plain = [...(await reads(admin)), ...writes]
  return plain.flatMap((one, at) => (at % 20 === 0 ? [login, one] : [one]))
}

/** Finds the knee, offers ten times as much, and looks how long the usual load takes to be answered as before. */
async function overload(household: Household): Promise<void> {
  const admin = await adminOf(household)
  const requests = await mixed(household, admin)
  const urls = household.processes.map(({ url }) => url)
  say('the machine was busy before', await quiet())
  const knee = await offer({ urls, requests, connections: 32, seconds: SECONDS, warmSeconds: 2 })
  say('mixed load at the knee (closed loop, 32 connections)', knee)
  const half = { urls, requests, connections: 32, rate: knee.good / 2 }
  const usual = await offer({ ...half, seconds: 5 })
  say('half of the knee', usual)
  const flood = await offer({
    urls,
    requests,
    connections: 1_500,
    rate: knee.good * 10,
    seconds: 15,
    warmSeconds: 3,
  })
  say('ten times the knee', flood)
  say('goodput kept (bar 0.8)', Math.round((flood.good / knee.good) * 100) / 100)
  for (let second = 0; second < 15; second += 1) {
    const after = await offer({ ...half, seconds: 1 })
    if (
      after.p99 <= Math.max(usual.p99 * 2, 50) &&
      Object.keys(after.statuses).every((status) => status.startsWith('2'))
    ) {
      say('usual again after (bar 10 s)', { seconds: second + 1, p99: after.p99 })
      return
    }
  }
  say('usual again after (bar 10 s)', 'more than 15 s')
}

async function redisGone(household: Household): Promise<void> {
  const admin = await adminOf(household)
  const requests = await reads(admin)
  const urls = household.processes.map(({ url }) => url)
  const orders = { urls, requests, connections: 16, rate: 200, seconds: REDIS_PAUSE_MS / 1_000 }
  say('before Redis is paused', await offer({ ...orders, seconds: 5 }))
  household.redis.pause()
  const run = offer(orders)
  const signed = []
  for (let at = 0; at < 10; at += 1) {
    const { status, ms } = await new Visitor(household.url).login(
      household.admin.email,
      household.admin.password,
    )
    signed.push([status, Math.round(ms)])
    await pause(2_000)
  }
  say('while it is paused', { ...(await run), signIns: signed })
  household.redis.resume()
  await household.redis.down()
  await household.redis.up()
  say('after it came back empty', await offer({ ...orders, seconds: 5 }))
}

async function postgresGone(household: Household): Promise<void> {
  const run = await writeDuring(household, 6, async () => {
    await pause(3_000)
    await household.postgres.down()
    await pause(CUT_MS)
    await household.postgres.up()
    say('ready again after PostgreSQL came back (ms)', await untilFine(household))
    await pause(3_000)
  })
  say('PostgreSQL cut for 10 s', run)
}

async function stale(household: Household): Promise<void> {
  const { changes, admin, viewer, other } = await securityChanges(household)
  const [one, two] = household.processes.map(({ url }) => url) as [string, string]
  // Forbidden and allowed in turn: an even number leaves everything allowed for the next change.
  const each = Math.ceil(TRIALS / changes.length / 2) * 2
  const named = changes.filter(({ name }) => wanted.includes(name))
  for (const change of named.length > 0 ? named : changes) {
    const subject = change.name === 'publish' || change.name === 'block list' ? admin : viewer
    const roles = { on: admin.at(one), from: subject.at(two), by: [subject.at(two)] }
    let left = each
    const sum = { trials: 0, stale: 0, longestMs: 0 }
    while (left > 0) {
      // Access tokens live ten minutes.
      await Promise.all([
        renew(admin, [roles.on]),
        renew(other, []),
        renew(viewer, subject === viewer ? [roles.from, ...roles.by] : []),
      ])
      if (subject === admin) for (const who of [roles.from, ...roles.by]) who.accessToken = admin.accessToken
      const { trials, stale: old, longestMs } = await changeAndLook(change, roles, Math.min(left, 100))
      left -= trials
      sum.trials += trials
      sum.stale += old
      sum.longestMs = Math.max(sum.longestMs, longestMs)
      say(`seen on the other process: ${change.name}`, sum)
    }
  }
}

async function renew(visitor: Visitor, others: Visitor[]): Promise<void> {
  const { status, body } = await visitor.post('/api/auth/refresh')
  if (status !== 200) throw new Error(`no new token: ${status}`)
  visitor.accessToken = body.access_token
  for (const other of others) other.accessToken = visitor.accessToken
}

const PARTS: Record<string, (household: Household) => Promise<void>> = {
  reads: readsOnPostgres,
  cost,
  overload,
  kills: async (household) => {
    say('kill -9 ten times', await writeDuring(household, 6, () => killInTurn(household, 10)))
  },
  redis: redisGone,
  postgres: postgresGone,
  stale,
}

const wanted = process.argv.slice(2)
say('machine', { cores: availableParallelism(), model: cpus()[0]?.model, node: process.version })
if (wanted.length === 0 || wanted.includes('sqlite')) await readsOnSqlite()
if (wanted.length === 1 && wanted[0] === 'sqlite') process.exit(0)
const household = await startHousehold()
try {
  for (const [name, part] of Object.entries(PARTS))
    if (wanted.length === 0 || wanted.includes(name)) await part(household)
} finally {
  await household.stop()
}
process.exit(0)
