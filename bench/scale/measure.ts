/** What the parts of the bench have in common: asking, counting processor time, waiting for a quiet machine. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
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

/** User CPU and system CPU of a process so far, in ms (Linux). */
export function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** Of the whole machine so far, idle time apart, in ms: what others do on it is in it. */
export function cpuOfAll(): number {
  return cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0)
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
