/**
 * Server-sent events for open tabs: changes of the account data and of the catalogue, the end of the login, messages of
 * a paired phone, and jobs for administrators. An event of the account names the kind of data to reload and sometimes a
 * profile id. The event contains no other data, so that it reveals nothing else about a locked profile.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { AccountEventKind } from '../../../src/lib/contract/system.ts'
import type { BusMessage } from '../../providers/event-bus.ts'
import { type ActiveApiKey, selectActiveApiKeys } from '../../queries/api-key.ts'
import { selectActiveLogin } from '../../queries/caller.ts'
import { selectActiveLoginIds, selectAdministratorLoginIds } from '../../queries/login.ts'
import { findActiveProfile, toCaller } from '../auth/acting-profile.ts'
import { findApiKeyId, parseScopes } from '../auth/api-key-access.ts'
import { canAdminister } from '../auth/authorize.ts'
import type { Caller } from '../auth/caller.ts'
import type { Deps } from '../deps.ts'

/**
 * Interval at which the logins and API keys of open streams are checked, so that the tabs of a revoked login are
 * notified soon.
 */
const LOGIN_CHECK_INTERVAL_MS = 500
const HEARTBEAT_INTERVAL_MS = 20_000
/**
 * A stream begins after this time even if Redis, which forwards the events of other processes, does not
 * respond.
 */
const SUBSCRIBE_TIMEOUT_MS = 500
/** Maximum number of open streams per login. Opening another stream closes the oldest. */
const MAX_STREAMS_PER_LOGIN = 8

interface EventStream {
  sid: string
  /** Profiles whose events the stream of an API key receives; null for a login, which receives all events. */
  profileIds: ReadonlySet<string> | null
  sendText: (text: string) => void
  sendMessage: (message: BusMessage) => void
  endStream: () => void
}

const hubsByBus = new WeakMap<Deps['bus'], EventStreamHub>()

/** Event id that every stream sends first. A client that reconnects returns the id in the header `Last-Event-ID`. */
const STREAM_EVENT_ID = 'open'

/**
 * Opens an event stream. The stream ends when the client disconnects or reads too slowly, the login or the API key
 * ends, the process stops, or the login opens more than MAX_STREAMS_PER_LOGIN streams. Events are not stored, so a
 * client that reconnects (`isReconnection`) is told that it may have missed some.
 */
export function openEventStream(
  deps: Deps,
  caller: Caller,
  { isReconnection = false }: { isReconnection?: boolean } = {},
): Response {
  const hub = hubsByBus.get(deps.bus) ?? new EventStreamHub(deps)
  hubsByBus.set(deps.bus, hub)
  return new Response(hub.openStream(caller, isReconnection), {
    headers: { 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' },
  })
}

/** Publishes an event to the open tabs of the account; call it after the change is committed. */
export function publishAccountEvent(
  { deps, caller }: { deps: Deps; caller: Pick<Caller, 'account'> & { profile?: { profile_id: string } } },
  kind: AccountEventKind,
): void {
  const profile = caller.profile && { profile_id: caller.profile.profile_id }
  deps.bus.publish(`account:${caller.account.account_id}`, { kind, ...profile })
}

/** Like `publishAccountEvent`, for data that several profiles of the account see. The event names no profile. */
export function publishSharedEvent(
  { deps, caller: { account } }: { deps: Deps; caller: Pick<Caller, 'account'> },
  kind: AccountEventKind,
): void {
  publishAccountEvent({ deps, caller: { account } }, kind)
}

/** Like `publishAccountEvent`, for code without a caller, such as a job. Call it after the change is committed. */
export function publishProfileEvent(
  { bus }: Pick<Deps, 'bus'>,
  { accountId, profileId }: { accountId: string; profileId: string },
  kind: AccountEventKind,
): void {
  bus.publish(`account:${accountId}`, { kind, profile_id: profileId })
}

/** Publishes an event to the open tabs of one login. Unlike an event of the account, this event may contain data. */
export function publishLoginEvent(
  { bus }: Pick<Deps, 'bus'>,
  sid: string,
  event: { kind: string; [field: string]: unknown },
): void {
  bus.publish(`login:${sid}`, event)
}

/** True when the stream may receive an event of the account. */
const receivesEvent = ({ profileIds }: EventStream, { profile_id: profileId }: BusMessage) =>
  profileIds === null || typeof profileId !== 'string' || profileIds.has(profileId)

class EventStreamHub {
  readonly #deps: Deps
  readonly #streams = new Set<EventStream>()
  #timer: NodeJS.Timeout | undefined
  #lastHeartbeatMs = 0
  #isChecking = false
  #unsubscribeJobs: (() => void) | undefined
  /** Job events are sent one after the other, so that they stay in order. */
  #lastJobPromise: Promise<void> = Promise.resolve()
  /**
   * True when the rights for a job event could not be read. When the database responds again, a `gap` event makes the
   * tabs reload their data.
   */
  #hasLostJobEvent = false

  constructor(deps: Deps) {
    this.#deps = deps
    // Events of other processes were lost while Redis was unavailable, so every tab reloads its data.
    deps.bus.onGap(() => this.#sendGap())
  }

  #sendGap(): void {
    for (const stream of this.#streams) stream.sendMessage({ kind: 'gap' })
  }

  openStream(
    { login, account, profiles, apiKeyScopes }: Caller,
    isReconnection: boolean,
  ): ReadableStream<Uint8Array> {
    const { bus } = this.#deps
    const encoder = new TextEncoder()
    let disconnectStream = () => {}
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          const sendText = (text: string) => {
            // A tab that does not read its events is disconnected. The tab then reconnects and reloads
            // everything.
            if ((controller.desiredSize ?? 0) < 0) stream.endStream()
            else controller.enqueue(encoder.encode(text))
          }
          const sendMessage = (message: BusMessage) => sendText(`data: ${JSON.stringify(message)}\n\n`)
          const accountTopic = `account:${account.account_id}` as const
          const loginTopic = `login:${login.sid}` as const
          const unsubscribers = [
            bus.subscribe(accountTopic, (message) => {
              if (receivesEvent(stream, message)) sendMessage(message)
            }),
            bus.subscribe(loginTopic, sendMessage),
            bus.subscribe('catalogue', () => sendMessage({ kind: 'catalogue' })),
          ]
          const stream: EventStream = {
            sid: login.sid,
            profileIds: apiKeyScopes ? new Set(profiles.map(({ profile_id }) => profile_id)) : null,
            sendText,
            sendMessage,
            endStream: () => {
              if (!this.#streams.delete(stream)) return
              for (const unsubscribe of unsubscribers) unsubscribe()
              controller.close()
            },
          }
          disconnectStream = () => {
            this.#streams.delete(stream)
            for (const unsubscribe of unsubscribers) unsubscribe()
          }
          this.#addStream(stream)
          // The first text is sent after the subscription, so a client that has received it also receives all later
          // events. If Redis does not respond, the first text is sent after SUBSCRIBE_TIMEOUT_MS.
          const subscriptionsPromise = Promise.all(
            [accountTopic, loginTopic].map((topic) => bus.whenSubscribed(topic)),
          )
          void Promise.race([
            subscriptionsPromise,
            pause(SUBSCRIBE_TIMEOUT_MS, undefined, { ref: false }),
          ]).then(() => {
            if (!this.#streams.has(stream)) return
            sendText(`retry: 2000\nid: ${STREAM_EVENT_ID}\n: welcome\n\n`)
            if (isReconnection) sendMessage({ kind: 'gap' })
          })
        },
        cancel: () => disconnectStream(),
      },
      { highWaterMark: 64 * 1024, size: (chunk) => chunk.byteLength },
    )
  }

  #addStream(stream: EventStream): void {
    const loginStreams = [...this.#streams].filter((openStream) => openStream.sid === stream.sid)
    if (loginStreams.length >= MAX_STREAMS_PER_LOGIN) loginStreams[0]?.endStream()
    this.#streams.add(stream)
    this.#unsubscribeJobs ??= this.#deps.bus.subscribe('jobs', ({ job }) => {
      this.#lastJobPromise = this.#lastJobPromise
        .then(() => this.#sendJob({ kind: 'job', job }))
        .catch(() => {
          this.#hasLostJobEvent = true
        })
    })
    this.#timer ??= setInterval(() => void this.#checkStreams().catch(() => {}), LOGIN_CHECK_INTERVAL_MS)
    this.#timer.unref()
  }

  /**
   * Sends a job event to administrators. While a stream is open, the account can be blocked or get another role, and
   * another profile can become active. The rights are therefore read again for every event, but only for the logins of
   * administrators: a running job causes several events per second, and thousands of members may have open streams.
   */
  async #sendJob(message: BusMessage): Promise<void> {
    const { database, now } = this.#deps
    const { loginSids } = this.#listSids()
    const adminSids = await selectAdministratorLoginIds(database.primary, loginSids, now())
    const logins = await Promise.all(adminSids.map((sid) => selectActiveLogin(database.primary, sid, now())))
    const activeApiKeys = await this.#loadActiveKeys()
    const allowedSids = new Set(
      logins.flatMap((login) =>
        login && !login.account.blocked && canAdminister(toCaller(login, findActiveProfile(login)))
          ? [login.login.sid]
          : [],
      ),
    )
    for (const stream of this.#streams) {
      const activeApiKey = activeApiKeys.get(findApiKeyId(stream.sid) ?? '')
      const isAdminKey = activeApiKey?.role === 'admin' && parseScopes(activeApiKey).includes('admin')
      if (isAdminKey || allowedSids.has(stream.sid)) stream.sendMessage(message)
    }
  }

  /** Returns the ids of the logins and of the API keys that have open streams. */
  #listSids(): { loginSids: string[]; keyIds: string[] } {
    const sids = [...new Set([...this.#streams].map((stream) => stream.sid))]
    return {
      loginSids: sids.filter((sid) => findApiKeyId(sid) === null),
      keyIds: sids.flatMap((sid) => findApiKeyId(sid) ?? []),
    }
  }

  /** Returns the usable API keys that have open streams, by id. */
  async #loadActiveKeys(): Promise<Map<string, ActiveApiKey>> {
    const { keyIds } = this.#listSids()
    return keyIds.length === 0
      ? new Map()
      : selectActiveApiKeys(this.#deps.database.primary, keyIds, this.#deps.now())
  }

  async #checkStreams(): Promise<void> {
    if (this.#deps.isStopping()) for (const stream of this.#streams) stream.endStream()
    if (this.#streams.size === 0) {
      clearInterval(this.#timer)
      this.#timer = undefined
      this.#unsubscribeJobs?.()
      this.#unsubscribeJobs = undefined
      return
    }
    // While the database does not respond, overlapping checks would use up its connections.
    if (this.#isChecking) return
    this.#isChecking = true
    try {
      await this.#checkLogins()
    } finally {
      this.#isChecking = false
    }
  }

  /** Ends the streams of logins and API keys that can no longer be used, and sends heartbeats to the others. */
  async #checkLogins(): Promise<void> {
    // A stream that opens during the queries is checked the next time.
    const checkedStreams = [...this.#streams]
    const { loginSids } = this.#listSids()
    const activeSids =
      loginSids.length === 0
        ? new Set<string>()
        : await selectActiveLoginIds(this.#deps.database.primary, loginSids, this.#deps.now())
    const activeApiKeys = await this.#loadActiveKeys()
    // A monotonic clock: if the system clock was set back, `Date.now()` would delay heartbeats until proxies end the
    // streams.
    const isHeartbeatDue = performance.now() - this.#lastHeartbeatMs >= HEARTBEAT_INTERVAL_MS
    if (isHeartbeatDue) this.#lastHeartbeatMs = performance.now()
    for (const stream of checkedStreams) {
      if (!this.#streams.has(stream)) continue
      const keyId = findApiKeyId(stream.sid)
      const activeApiKey = keyId === null ? undefined : activeApiKeys.get(keyId)
      if (activeApiKey) stream.profileIds = activeApiKey.profileIds
      if (keyId === null ? !activeSids.has(stream.sid) : !activeApiKey) {
        stream.sendText('data: {"kind":"revoked"}\n\n')
        stream.endStream()
      } else if (isHeartbeatDue) stream.sendText(': here\n\n')
    }
    if (!this.#hasLostJobEvent) return
    this.#hasLostJobEvent = false
    this.#sendGap()
  }
}
