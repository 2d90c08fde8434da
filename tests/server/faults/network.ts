/** A network that loses and repeats requests and loses replies, before a device that asks until it is answered. */
import { type Answer, Device } from '../../support/client.ts'

export interface Faults {
  /** A number from 0 to 1, always the same for the same seed. */
  draw: () => number
  lost: number
  repeated: number
  unanswered: number
}

const TRIES = 50

/** Asks again and again, as an outbox does, until an answer comes; a repeated request may come twice and late. */
export class Unlucky extends Device {
  faults: Faults | null = null
  readonly late: Promise<unknown>[] = []

  /** Every deed that was acknowledged, once. */
  async insist(method: string, path: string, body?: unknown): Promise<Answer> {
    const { faults } = this
    if (!faults) return this.send(method, path, body)
    for (let tries = 0; tries < TRIES; tries++) {
      if (faults.draw() < faults.lost) continue
      if (faults.draw() < faults.repeated) this.late.push(this.send(method, path, body))
      const answer = await this.send(method, path, body)
      if (faults.draw() >= faults.unanswered) return answer
    }
    throw new Error('the network gave up')
  }
}

/** Numbers from 0 to 1 that depend on the seed alone (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
