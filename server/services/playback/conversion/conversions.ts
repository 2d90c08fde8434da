/**
 * Manages the converted streams of this process. Creates them within the limits of the settings. Ends streams
 * that nobody watches, and streams whose viewer may no longer watch the title.
 */
import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Problem } from '../../../core/problem.ts'
import { isProcessRunning } from '../../../core/process-liveness.ts'
import { chooseEncoders } from '../../../providers/ffmpeg/encoders.ts'
import { hasImpreciseSeeking } from '../../../providers/ffmpeg/media-probe.ts'
import type { Deps } from '../../deps.ts'
import { loadSettingValue } from '../../operations/settings.ts'
import { type ExaminedFile, examineFile } from '../media-information.ts'
import type { MediaClaim } from '../media-url.ts'
import { canStillWatch } from '../watch-access.ts'
import {
  computeDiskShareBytes,
  filterActiveEncodings,
  loadProcessConversionLimit,
  STREAM_PAUSED_AFTER_MS,
} from './conversion-limit.ts'
import { type ConversionPlan, parseConversionPlan } from './conversion-plan.ts'
import { ConversionSession } from './conversion-session.ts'
import { divideIntoSegments, type SegmentTimes } from './segments.ts'

/**
 * A stream ends after this time without requests. When a paused player continues, its next request starts the
 * stream again.
 */
const IDLE_TIMEOUT_MS = 60_000
/** When a login starts an encoding, its other encodings end if they have had no request for this long. */
const OWN_SESSION_IDLE_TIMEOUT_MS = 5_000
const IDLE_CHECK_INTERVAL_MS = 2_000
const CONVERSION_FOLDER = 'transcode'

interface ConversionRegistry {
  folderPath: string
  sessionsByKey: Map<string, ConversionSession>
  /**
   * Settles when the last requested session has been created. Sessions are created one at a time, so that simultaneous
   * requests for a stream share one session and do not exceed the limit.
   */
  creationPromise: Promise<unknown>
  timer: NodeJS.Timeout | null
  isClosed: boolean
}
const registriesByDeps = new WeakMap<Deps, ConversionRegistry>()

function getRegistry(deps: Deps): ConversionRegistry {
  const existingRegistry = registriesByDeps.get(deps)
  if (existingRegistry) return existingRegistry
  const folderPath = join(
    deps.config.dataDir,
    CONVERSION_FOLDER,
    `${process.pid}-${randomBytes(6).toString('hex')}`,
  )
  const registry: ConversionRegistry = {
    folderPath,
    sessionsByKey: new Map(),
    creationPromise: Promise.resolve(),
    timer: null,
    isClosed: false,
  }
  registriesByDeps.set(deps, registry)
  return registry
}

/**
 * Deletes the segments of processes that no longer run. The name of each folder starts with a process ID. Called at
 * start, so a folder with the ID of this process belongs to an earlier process with the same ID.
 */
export function deleteLeftoverConversions({ config }: Pick<Deps, 'config'>): void {
  const parentFolder = join(config.dataDir, CONVERSION_FOLDER)
  let folderNames: string[] = []
  try {
    folderNames = readdirSync(parentFolder)
  } catch {
    return
  }
  for (const folderName of folderNames) {
    if (!/^\d+-/.test(folderName)) continue
    const pid = Number.parseInt(folderName, 10)
    if (pid === process.pid || !isProcessRunning(pid))
      rmSync(join(parentFolder, folderName), { recursive: true, force: true })
  }
}

export const listConversionSessions = (deps: Deps): ConversionSession[] => [
  ...getRegistry(deps).sessionsByKey.values(),
]

/**
 * Returns the encodings of other logins if they alone reach the limit, so that this login cannot start an encoding;
 * otherwise an empty list. Encodings of this login do not count, because the oldest of them ends when the login starts
 * a new video.
 */
export async function listBlockingSessions(deps: Deps, sid: string): Promise<ConversionSession[]> {
  const conversionLimit = await loadProcessConversionLimit(deps)
  const { otherSessions } = divideActiveEncodings(deps, sid)
  return otherSessions.length >= conversionLimit ? otherSessions : []
}

/** Returns the encodings that count against the limit, divided into those of this login and those of other logins. */
function divideActiveEncodings(
  deps: Deps,
  sid: string,
): { ownSessions: ConversionSession[]; otherSessions: ConversionSession[] } {
  const activeSessions = filterActiveEncodings(deps, listConversionSessions(deps))
  return {
    ownSessions: activeSessions.filter(({ watchIdentity }) => watchIdentity.sid === sid),
    otherSessions: activeSessions.filter(({ watchIdentity }) => watchIdentity.sid !== sid),
  }
}

/**
 * Returns the session of a claim, and creates the session when necessary. With `isPlaylistRequest`, ends a session
 * whose file has changed and creates a new one, because the player starts with a new playlist. Other requests belong to
 * an earlier playlist, so they keep the session even while its file grows.
 * Returns null when the file no longer exists or cannot be converted. Throws 503 when the limit is reached, the server
 * is stopping, or the file cannot be read now.
 */
export async function openConversionSession(
  deps: Deps,
  claim: MediaClaim,
  { isPlaylistRequest = false } = {},
): Promise<ConversionSession | null> {
  const registry = getRegistry(deps)
  assertRegistryOpen(registry)
  const { location, sid, profileId, pinGeneration, titleId } = claim
  const sessionKeyParts = [sid, profileId, pinGeneration, titleId, location.name, location.hint]
  const sessionKey = createHash('sha256').update(JSON.stringify(sessionKeyParts)).digest('hex').slice(0, 24)
  const findUsableSession = async () => {
    const session = registry.sessionsByKey.get(sessionKey)
    return session && (!isPlaylistRequest || (await isFileUnchanged(deps, session))) ? session : null
  }
  const existingSession = await findUsableSession()
  if (existingSession) return existingSession
  const sessionPromise = registry.creationPromise.then(async () => {
    const usableSession = await findUsableSession()
    if (usableSession) return usableSession
    await endConversionSession(deps, sessionKey)
    return createSession(deps, claim, sessionKey, { registry, isPlaylistRequest })
  })
  registry.creationPromise = sessionPromise.catch(() => {})
  const session = await sessionPromise
  if (registry.isClosed) await session?.end()
  assertRegistryOpen(registry)
  if (!session) return null
  registry.sessionsByKey.set(sessionKey, session)
  scheduleIdleCheck(deps, registry)
  return session
}

/** True when the file has the size and the modification time that it had when the session was created. */
async function isFileUnchanged(deps: Deps, { path, fileVersion }: ConversionSession): Promise<boolean> {
  const location = await deps.streamSources.library?.locateFile(path)
  return location?.sizeBytes === fileVersion.sizeBytes && location.modifiedAtMs === fileVersion.modifiedAtMs
}

/** Throws 503 when the server is stopping. */
function assertRegistryOpen({ isClosed }: ConversionRegistry): void {
  if (isClosed) throw new Problem('overloaded', { retryAfterSeconds: 5 })
}

async function createSession(
  deps: Deps,
  claim: MediaClaim,
  sessionKey: string,
  { registry, isPlaylistRequest }: { registry: ConversionRegistry; isPlaylistRequest: boolean },
): Promise<ConversionSession | null> {
  const plan = parseConversionPlan(claim.location.hint)
  const examinedFile = plan && (await examineFile(deps, claim.location.name))
  const segmentTimes = examinedFile && getSegmentTimes(plan, examinedFile)
  const ffmpeg = await deps.streamSources.ffmpeg.find()
  if (!segmentTimes || !examinedFile.information || ffmpeg.status !== 'available') return null
  const { information, location } = examinedFile
  await endReplacedSessions(deps, claim, plan)
  if (plan.maxHeightPixels !== null) await makeRoomForEncoding(deps, claim.sid, isPlaylistRequest)
  const encoderChoice = await loadSettingValue(deps.database.reader, 'conversion_encoder')
  const diskMegabytes = await loadSettingValue(deps.database.reader, 'conversion_disk_megabytes')
  const source = {
    ffmpeg: ffmpeg.ffmpeg,
    realPath: location.realPath,
    video: information.video,
    audio: information.audio.find(({ index }) => index === plan.audioIndex) ?? null,
    segmentTimes,
    encoders: plan.maxHeightPixels === null ? [] : await chooseEncoders(ffmpeg.ffmpeg, encoderChoice),
    needsPreroll: hasImpreciseSeeking(information.format),
    entryPoints: information.entryPoints ?? null,
  }
  if (plan.maxHeightPixels !== null && source.encoders.length === 0) return null
  const { sid, profileId, pinGeneration, titleId } = claim
  return new ConversionSession({
    key: sessionKey,
    path: claim.location.name,
    fileVersion: location,
    plan,
    watchIdentity: { sid, profileId, pinGeneration, titleId },
    folder: join(registry.folderPath, sessionKey),
    source,
    now: deps.now,
    monotonicNow: deps.monotonicNow,
    getMaxStoredBytes: () => computeDiskShareBytes(deps, diskMegabytes, registry.sessionsByKey.size),
    onEncoderFailure: (encoder, errorText) => deps.log.warn('encoder_failed', { encoder, error: errorText }),
  })
}

/** Returns the times of the segments of a converted stream; null when the file cannot be converted. */
function getSegmentTimes(
  plan: ConversionPlan,
  { information, keyframes }: ExaminedFile,
): SegmentTimes | null {
  const durationSeconds = information?.durationSeconds
  const isVideoCopied = plan.maxHeightPixels === null
  if (!durationSeconds || (isVideoCopied && !keyframes)) return null
  return divideIntoSegments(durationSeconds, isVideoCopied ? keyframes : null)
}

/**
 * Ends streams before a login starts a new stream. Other streams of the login for the same file always end,
 * because the login has changed the quality or the audio track.
 * Before an encoding, idle encodings of the login and paused encodings of other logins end as well.
 * Otherwise, a viewer would be rejected because of streams that nobody watches.
 */
async function endReplacedSessions(deps: Deps, claim: MediaClaim, plan: ConversionPlan): Promise<void> {
  const idleSinceMs = deps.monotonicNow() - OWN_SESSION_IDLE_TIMEOUT_MS
  for (const session of listConversionSessions(deps)) {
    if (session.watchIdentity.sid !== claim.sid) {
      const isPaused = session.lastRequestMonotonicMs < deps.monotonicNow() - STREAM_PAUSED_AFTER_MS
      if (plan.maxHeightPixels !== null && session.plan.maxHeightPixels !== null && isPaused)
        await endConversionSession(deps, session.key)
      continue
    }
    const isSameFile = session.path === claim.location.name
    const isSessionIdle =
      plan.maxHeightPixels !== null &&
      session.plan.maxHeightPixels !== null &&
      session.lastRequestMonotonicMs < idleSinceMs
    if (isSameFile || isSessionIdle) await endConversionSession(deps, session.key)
  }
}

/**
 * Keeps the encodings within the limit before a login starts another one. A new playlist ends the oldest encodings of
 * the login, because the viewer has opened another video. The player of an ended encoding requests only segments. It
 * gets 503, because otherwise two tabs would end the encodings of each other again and again. Also throws 503 when
 * encodings of other logins reach the limit.
 */
async function makeRoomForEncoding(deps: Deps, sid: string, isPlaylistRequest: boolean): Promise<void> {
  const conversionLimit = await loadProcessConversionLimit(deps)
  const { ownSessions, otherSessions } = divideActiveEncodings(deps, sid)
  const excessCount = ownSessions.length + otherSessions.length + 1 - conversionLimit
  const isBlockedByOthers = otherSessions.length >= conversionLimit
  if (isBlockedByOthers || (excessCount > 0 && !isPlaylistRequest))
    throw new Problem('overloaded', { retryAfterSeconds: 15 })
  const sessionsOldestFirst = ownSessions.sort((a, b) => a.startedAtMs - b.startedAtMs)
  for (const { key } of sessionsOldestFirst.slice(0, Math.max(excessCount, 0)))
    await endConversionSession(deps, key)
}

/** Ends a session. Returns false when no session has this key. */
export async function endConversionSession(deps: Deps, sessionKey: string): Promise<boolean> {
  const { sessionsByKey } = getRegistry(deps)
  const session = sessionsByKey.get(sessionKey)
  sessionsByKey.delete(sessionKey)
  await session?.end()
  return session !== undefined
}

/** Ends all sessions when the server stops. */
export async function closeConversions(deps: Deps): Promise<void> {
  const registry = getRegistry(deps)
  registry.isClosed = true
  if (registry.timer) clearTimeout(registry.timer)
  await Promise.all(
    [...registry.sessionsByKey.keys()].map((sessionKey) => endConversionSession(deps, sessionKey)),
  )
  rmSync(registry.folderPath, { recursive: true, force: true })
}

function scheduleIdleCheck(deps: Deps, registry: ConversionRegistry): void {
  if (registry.timer || registry.isClosed) return
  registry.timer = setTimeout(async () => {
    registry.timer = null
    for (const session of listConversionSessions(deps)) {
      const isSessionIdle = session.lastRequestMonotonicMs < deps.monotonicNow() - IDLE_TIMEOUT_MS
      const isAllowed = !isSessionIdle && (await canStillWatch(deps, session.watchIdentity).catch(() => true))
      if (!isAllowed) await endConversionSession(deps, session.key)
    }
    if (registry.sessionsByKey.size > 0) scheduleIdleCheck(deps, registry)
  }, IDLE_CHECK_INTERVAL_MS)
  registry.timer.unref()
}
