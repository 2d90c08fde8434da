/** What the parts of the bench have in common: asking, counting processor time, waiting for a quiet machine. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import type { Visitor } from '../../tests/support/visitor.ts'
import type { Orders, Outcome } from './load.ts'

export const say = (name: string, value: unknown): void => {
  process.stdout.write(`${name}: ${JSON.stringify(value)}\n`)
}

/** In a process of its own: what asks must not take the time of what answers. */
export function offer(orders: Orders): Promise<Outcome> {
  const child = spawn(process.execPath, ['bench/scale/load.ts'], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(JSON.stringify(orders))
  return new Promise((resolve, reject) => {
    let text = ''
    child.stdout.on('data', (part) => {
      text += part
    })
    child.on('exit', (code) =>
      code === 0 ? resolve(JSON.parse(text) as Outcome) : reject(new Error(`load ended: ${code}`)),
    )
  })
}

export const headersOf = (visitor: Visitor) => ({
  Authorization: `Bearer ${visitor.accessToken}`,
  'X-Profile-Id': visitor.profileId ?? '',
})

/** Home, lists, details: what a viewer reads, of many titles. */
export async function reads(visitor: Visitor): Promise<Orders['requests']> {
  const { results } = (await visitor.get('/api/movies?limit=50')).body
  const details = results.map(({ id }: { id: string }) => `/api/movies/${id}`)
  const lists = [
    '/api/movies?limit=20',
    '/api/series?limit=20',
    '/api/movies/featured?limit=10',
    '/api/movies?limit=20&sort=rating.desc',
  ]
  return [...details, ...lists, ...lists].map((path) => ({
    method: 'GET',
    path,
    headers: headersOf(visitor),
  }))
}

/** User CPU and system CPU of a process so far, and of its children that ended, in ms (Linux). */
export function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return fields.slice(11, 15).reduce((ticks, one) => ticks + Number(one), 0) * 10
}

/** Of the whole machine so far, idle time and what its host kept from it apart, in ms: what others do on it is in it. */
export function cpuOfAll(): number {
  const [user, nice, system, , , irq, softirq] = statOfAll()
  return [user, nice, system, irq, softirq].reduce<number>((sum, one) => sum + (one ?? 0), 0)
}

/** `/proc/stat`: user nice system idle iowait irq softirq steal, in ms. */
function statOfAll(): number[] {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
  return line
    .split(/\s+/)
    .slice(1)
    .map((ticks) => Number(ticks) * 10)
}

/** A second of work that shares nothing with anybody. */
const COMPUTE = `
  const text = JSON.stringify(Array.from({ length: 50 }, (_, id) => ({ id, title: 'title ' + id })))
  let turns = 0
  for (const end = performance.now() + 1000; performance.now() < end; turns += 1) JSON.stringify(JSON.parse(text))
  process.stdout.write(String(turns))`

/** What two processes that only compute do over one, here and now: 2 on a machine that nobody else uses. */
export async function computing(): Promise<number> {
  const compute = async () => {
    const child = spawn(process.execPath, ['-e', COMPUTE], { stdio: ['ignore', 'pipe', 'inherit'] })
    const parts = await child.stdout.toArray()
    return Number(Buffer.concat(parts).toString())
  }
  await quiet()
  const one = await compute()
  const [first, second] = await Promise.all([compute(), compute()])
  return two((first + second) / one)
}

/** Waits for a second in which the machine has nothing else to do, a few seconds at most; says what it was busy with then (1 is all). */
export async function quiet(): Promise<number> {
  for (let turn = 0; ; turn += 1) {
    const before = cpuOfAll()
    await pause(1_000)
    const busy = two((cpuOfAll() - before) / 1_000 / availableParallelism())
    if (busy < 0.15 || turn === 5) return busy
  }
}

export const two = (value: number) => Math.round(value * 100) / 100
