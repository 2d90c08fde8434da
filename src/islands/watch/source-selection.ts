/** Selects the source of a stream by the chosen quality, the codecs of the browser and earlier failures. */
import { atom, computed } from 'nanostores'
import type { StreamInfo } from '../../lib/contract/playback.ts'
import { canPlayNatively, readPlaybackEnvironment } from '../../lib/playback-environment.ts'
import {
  findLowerSource,
  isHls,
  listQualities,
  orderSources,
  type QualityPreference,
} from '../../lib/rules/player-quality.ts'
import { perProfile } from '../../lib/stores/per-profile.ts'
import { $player } from '../../lib/stores/player.ts'
import { $user } from '../../lib/stores/session.ts'
import { getVideoElement } from './video-element.ts'

export type StreamSource = StreamInfo['sources'][number]

/** Quality that the profile selected in the player. If it is null, the preference of the account applies. */
const $qualityOverride = perProfile<QualityPreference | null>(() => null)
export const $selectedQuality = computed(
  [$qualityOverride, $user],
  (qualityOverride, user): QualityPreference => qualityOverride ?? user?.preferences.media_quality ?? 'auto',
)
/** Video heights of an adaptive source, in pixels, highest first. */
export const $adaptiveHeights = atom<number[]>([])
export const $availableQualities = computed([$player, $adaptiveHeights], (player, heights) =>
  player.status !== 'ready'
    ? []
    : heights.length > 1
      ? heights.map((height) => `${height}p`)
      : listQualities(player.stream.sources),
)

export const selectQuality = (quality: QualityPreference) => $qualityOverride.set(quality)

/** Keys of the failed sources of this title. A key consists of quality, MIME type and delivery. */
const failedSourceKeys = new Set<string>()
const getSourceKey = ({ quality, mime_type, delivery }: StreamSource) => quality + mime_type + delivery

export const excludeFailedSource = (source: StreamSource) => failedSourceKeys.add(getSourceKey(source))

export function clearFailedSources(): void {
  failedSourceKeys.clear()
}

function listCandidateSources(): StreamSource[] {
  const player = $player.get()
  if (player.status !== 'ready') return []
  return orderSources(player.stream.sources, $selectedQuality.get(), {
    canPlay: canPlayMimeType,
    ...readPlaybackEnvironment(),
  })
}

/** Returns the best source that has not failed; null if there is none. */
export const findBestSource = () =>
  listCandidateSources().find((source) => !failedSourceKeys.has(getSourceKey(source))) ?? null

/**
 * Returns the playable source with the next lower quality. Returns null if there is no such source, or if a quality was
 * chosen in the player or in the preferences of the account.
 */
export function findLowerQualitySource(source: StreamSource): StreamSource | null {
  const player = $player.get()
  if ($selectedQuality.get() !== 'auto' || player.status !== 'ready') return null
  const playableSources = player.stream.sources.filter(({ mime_type }) => canPlayMimeType(mime_type))
  return findLowerSource(playableSources, source) ?? null
}

const canPlayMimeType = (mimeType: string) =>
  mimeType === '' || isPlayedNatively(mimeType) || (isHls(mimeType) && 'MediaSource' in window)

export function isPlayedNatively(mimeType: string): boolean {
  const video = getVideoElement()
  return video !== null && canPlayNatively(video, mimeType)
}

export const isConvertedSource = (source: StreamSource | null) =>
  source?.delivery === 'remux' || source?.delivery === 'transcode'

/**
 * Returns the URL of a source. The URL of a conversion contains the position in seconds at which the conversion starts,
 * unless it starts at 0.
 */
export const getSourceUrl = (source: StreamSource, startSeconds: number) =>
  isConvertedSource(source) && startSeconds > 0
    ? `${source.url}?start=${Math.floor(startSeconds)}`
    : source.url
