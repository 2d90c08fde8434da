/**
 * Open tabs hear what changed within a second: their own lists and progress, wherever they were changed, and the end of
 * their login. News names what to ask again, never what it is, so a locked profile gives nothing away.
 */
import type { Deps } from '../deps.ts'
import type { Caller } from '../http/caller.ts'
import type { Message } from '../providers/bus.ts'
import { livingLogins } from '../queries/login.ts'

/** How soon a tab whose login has ended hears of it. */
const LOOK_MS = 500
const BEAT_MS = 20_000
/** Streams of one login; further ones are refused by ending the oldest. */
const MOST_PER_LOGIN = 8

interface Stream {
  sid: string
  send: (text: string) => void
  end: () => void
}

const rooms = new WeakMap<Deps['bus'], Room>()

/** A stream of events for a caller, until they leave, their login ends, or the process stops. */
export function openEvents(deps: Deps, caller: Caller): Response {
  const room = rooms.get(deps.bus) ?? new Room(deps)
  rooms.set(deps.bus, room)
  return new Response(room.join(caller), {
    headers: { 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' },
  })
}

export type News = 'list' | 'progress' | 'feedback' | 'notices' | 'profiles'

/** Tells the account's open tabs; after the change is committed. */
export function tellAccount(
  { deps, caller }: { deps: Deps; caller: Pick<Caller, 'account'> & { profile?: { profile_id: string } } },
  kind: News,
): void {
  const profile = caller.profile && { profile_id: caller.profile.profile_id }
  deps.bus.publish(`account:${caller.account.account_id}`, { kind, ...profile })
}

class Room {
  readonly #deps: Deps
  readonly #streams = new Set<Stream>()
  #timer: NodeJS.Timeout | undefined
  #beatenAt = 0

  constructor(deps: Deps) {
    this.#deps = deps
  }

  join({ login, account, acting }: Caller): ReadableStream<Uint8Array> {
    const { bus } = this.#deps
    const encoder = new TextEncoder()
    let leave = () => {}
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          const send = (text: string) => {
            // A tab that does not read is let go; it will come back and ask for everything.
            if ((controller.desiredSize ?? 0) < 0) stream.end()
            else controller.enqueue(encoder.encode(text))
          }
          const say = (message: Message) => send(`data: ${JSON.stringify(message)}\n\n`)
          const admin = account.role === 'admin' && acting?.main === 1
          const ends = [
            bus.subscribe(`account:${account.account_id}`, say),
            bus.subscribe('catalogue', () => say({ kind: 'catalogue' })),
            ...(admin ? [bus.subscribe('jobs', ({ job }) => say({ kind: 'job', job }))] : []),
          ]
          const stream: Stream = {
            sid: login.sid,
            send,
            end: () => {
              if (!this.#streams.delete(stream)) return
              for (const end of ends) end()
              controller.close()
            },
          }
          leave = () => {
            this.#streams.delete(stream)
            for (const end of ends) end()
          }
          this.#add(stream)
          send('retry: 2000\n: welcome\n\n')
        },
        cancel: () => leave(),
      },
      { highWaterMark: 64 * 1024, size: (chunk) => chunk.byteLength },
    )
  }

  #add(stream: Stream): void {
    const mine = [...this.#streams].filter((one) => one.sid === stream.sid)
    if (mine.length >= MOST_PER_LOGIN) mine[0]?.end()
    this.#streams.add(stream)
    this.#timer ??= setInterval(() => void this.#look().catch(() => {}), LOOK_MS)
    this.#timer.unref()
  }

  async #look(): Promise<void> {
    if (this.#deps.stopping()) for (const stream of this.#streams) stream.end()
    if (this.#streams.size === 0) {
      clearInterval(this.#timer)
      this.#timer = undefined
      return
    }
    const sids = [...new Set([...this.#streams].map((stream) => stream.sid))]
    const living = await livingLogins(this.#deps.database.primary, sids, this.#deps.now())
    const beat = Date.now() - this.#beatenAt >= BEAT_MS
    if (beat) this.#beatenAt = Date.now()
    for (const stream of this.#streams) {
      if (!living.has(stream.sid)) {
        stream.send('data: {"kind":"revoked"}\n\n')
        stream.end()
      } else if (beat) stream.send(': here\n\n')
    }
  }
}
