/**
 * What a second process brings for reads: throughput by the clock, and what a request costs each part of the machine. On
 * PostgreSQL the two cores are shared with the database and with who asks; on SQLite with who asks alone.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { adminOf, newVisitor } from '../../tests/scale/scenarios.ts'
import { childrenOf } from '../../tests/support/children.ts'
import { firstSignIn, type Household, makeProcess } from '../../tests/support/processes.ts'
import type { Visitor } from '../../tests/support/visitor.ts'
import type { Orders } from './load.ts'
import { computing, cpuOf, cpuOfAll, quiet, reads, say, two } from './measure.ts'
import { type Answered, wrk } from './wrk.ts'

const ROUNDS = 3
const SECONDS = 8
const WARM_SECONDS = 2
/** Of each process. */
const CONNECTIONS = 16
/** Whose requests come at once. */
const HOUSEHOLDS = 12

type Pids = () => number[]
/** Who answers: one process or two, and the rest that works for them. */
interface Side {
  urls: string[]
  requests: Orders['requests']
  api: Pids
  others: Record<string, Pids>
}

/** Requests of twelve households, one after the other, as they would come. */
async function ofHouseholds(admin: Visitor): Promise<Orders['requests']> {
  const visitors = [admin]
  while (visitors.length < HOUSEHOLDS)
    visitors.push(await newVisitor(admin, `reads${Date.now()}x${visitors.length}`))
  const each = await Promise.all(visitors.map((visitor) => reads(visitor)))
  return (each[0] ?? []).flatMap((_, at) => each.flatMap((list) => list.slice(at, at + 1)))
}

const sum = (pids: number[]) => pids.reduce((ms, pid) => ms + cpuOf(pid), 0)
const microseconds = (ms: number, { requests }: Answered) => Math.round((ms * 1_000) / requests)

async function measured(name: string, { urls, requests, api, others }: Side) {
  const orders = { urls, requests, connections: CONNECTIONS }
  await wrk({ ...orders, seconds: WARM_SECONDS })
  await quiet()
  const parts = { api, ...others }
  const now = () => Object.entries(parts).map(([part, pids]) => [part, sum(pids())] as const)
  const [before, all] = [now(), cpuOfAll()]
  const answered = await wrk({ ...orders, seconds: SECONDS })
  const [after, machine] = [now(), cpuOfAll() - all]
  if (answered.failed > 0) throw new Error(`${answered.failed} reads failed`)
  const spent = after.map(([part, ms], at) => [part, ms - (before[at]?.[1] ?? 0)] as const)
  const known = spent.reduce((ms, [, one]) => ms + one, answered.cpuMs)
  const apiMs = spent[0]?.[1] ?? 0
  const othersShare = two((machine - known) / 1_000 / answered.seconds / availableParallelism())
  const good = Math.round(answered.requests / answered.seconds)
  say(name, {
    good,
    p50: answered.p50,
    p99: answered.p99,
    othersShare,
    /* Of a request, on each part; `rest` is the kernel's own and whoever else was busy. */
    microseconds: {
      ...Object.fromEntries(spent.map(([part, ms]) => [part, microseconds(ms, answered)])),
      generator: microseconds(answered.cpuMs, answered),
      rest: microseconds(machine - known, answered),
    },
    coresOfApi: two(apiMs / 1_000 / answered.seconds),
  })
  return { good, apiMs: apiMs / answered.requests }
}

async function rounds(name: string, one: Side, both: Side): Promise<void> {
  const found: { clock: number; perCore: number; machine: number }[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const machine = await computing()
    const [alone, together] = [
      await measured(`${name}, one process`, one),
      await measured(`${name}, two`, both),
    ]
    found.push({
      clock: two(together.good / alone.good),
      perCore: two((2 * alone.apiMs) / together.apiMs),
      machine,
    })
  }
  say(`${name}: two over one by the clock (bar 1.7), per core of the API, of the machine itself`, found)
  const median = (list: number[]) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)]
  say(`${name}: medians`, {
    clock: median(found.map(({ clock }) => clock)),
    perCore: median(found.map(({ perCore }) => perCore)),
  })
}

export async function readsOnPostgres(household: Household): Promise<void> {
  const requests = await ofHouseholds(await adminOf(household))
  const others = { postgres: household.postgres.pids, redis: () => [household.redis.pid()] }
  const side = (count: number): Side => {
    const processes = household.processes.slice(0, count)
    return {
      urls: processes.map(({ url }) => url),
      requests,
      api: () => processes.map(({ pid }) => pid()),
      others,
    }
  }
  await rounds('reads on PostgreSQL', side(1), side(2))
}

/** The same catalogue twice, each in a folder of its own: one process serves it, and two workers behind one port. */
export async function readsOnSqlite(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-reads-'))
  const start = async (workers: number) => {
    const dataDir = join(folder, `${workers}`)
    const server = await makeProcess(dataDir, {
      WORKERS: `${workers}`,
      DATABASE_URL: '',
      REDIS_URL: '',
      DEMO: '1',
    })
    await server.up()
    const admin = await adminOf({ admin: firstSignIn([dataDir]), url: server.url })
    const requests = await ofHouseholds(admin)
    const side: Side = {
      urls: Array.from({ length: workers }, () => server.url),
      requests,
      api: () => [server.pid(), ...childrenOf(server.pid())],
      others: {},
    }
    return { side, stop: server.term }
  }
  const [one, both] = [await start(1), await start(2)]
  try {
    await rounds('reads on SQLite', one.side, both.side)
  } finally {
    await Promise.all([one.stop(), both.stop()])
    rmSync(folder, { recursive: true, force: true })
  }
}
