/** The limits of converted streams: how many videos are encoded at the same time, and the disk space of segments. */
import { availableParallelism } from 'node:os'
import type { Deps } from '../../deps.ts'
import { loadSettingValue } from '../../operations/settings.ts'
import type { ConversionSession } from './conversion-session.ts'

/**
 * A playing player requests a segment every few seconds. After this time without requests, a stream no longer
 * counts against the limit.
 */
export const STREAM_PAUSED_AFTER_MS = 20_000
const BYTES_PER_MEGABYTE = 1024 * 1024

/**
 * Returns how many videos all processes of the server may encode at the same time. Copied video is not limited, because
 * copying needs little processor time.
 */
export async function loadConversionLimit(deps: Deps): Promise<number> {
  const configuredLimit = await loadSettingValue(deps.database.reader, 'conversion_limit')
  return configuredLimit === 0 ? Math.max(1, Math.floor(availableParallelism() / 2)) : configuredLimit
}

/** Returns how many videos this process may encode at the same time: its share of the limit, but at least one. */
export const loadProcessConversionLimit = async (deps: Deps): Promise<number> =>
  Math.max(1, Math.floor((await loadConversionLimit(deps)) / deps.config.workerCount))

/** Returns the encodings that count against the limit. */
export function filterActiveEncodings(
  { monotonicNow }: Pick<Deps, 'monotonicNow'>,
  sessions: readonly ConversionSession[],
): ConversionSession[] {
  const activeSinceMs = monotonicNow() - STREAM_PAUSED_AFTER_MS
  return sessions.filter(
    ({ plan, lastRequestMonotonicMs }) =>
      plan.maxHeightPixels !== null && lastRequestMonotonicMs >= activeSinceMs,
  )
}

/** Returns the space for the segments of one stream in bytes: an equal share of the space of this process. */
export const computeDiskShareBytes = (
  { config }: { config: Pick<Deps['config'], 'workerCount'> },
  diskMegabytes: number,
  sessionCount: number,
): number => (diskMegabytes * BYTES_PER_MEGABYTE) / config.workerCount / Math.max(1, sessionCount)
