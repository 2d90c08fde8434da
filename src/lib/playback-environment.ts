/** Properties of browser, screen and connection on which the choice of the source depends (rules/player-quality.ts). */
import type { AudioKind } from './contract/playback.ts'
import {
  CAPABILITY_CODE_PATTERN,
  encodeCapabilities,
  listDecoderContentTypes,
} from './rules/playback-capabilities.ts'
import { isHls, type PlaybackEnvironment } from './rules/player-quality.ts'
import { readStorage, readStoredJson, writeStorage } from './storage.ts'
import { AUDIO_LANGUAGE_KEY_PREFIX, CAPABILITIES_KEY } from './storage-keys.ts'

export function readPlaybackEnvironment(): Omit<PlaybackEnvironment, 'canPlay'> {
  const { saveData, effectiveType } = navigator.connection ?? {}
  return {
    shortScreenSidePx: Math.max(1, Math.round(Math.min(screen.width, screen.height) * devicePixelRatio)),
    saveData: saveData === true,
    connectionType: effectiveType,
  }
}

/** Audio track that the profile prefers: its language, and whether the track describes the picture. */
interface AudioPreference {
  audio_language?: string
  audio_kind?: 'main' | 'description'
}
/** The properties of an audio track on which the stored preference depends. */
export interface AudioTrackChoice {
  lang: string
  kind: AudioKind
}

/** Query of a stream lookup: what this browser decodes, and which audio track the profile prefers. */
interface DeliveryOptions extends AudioPreference {
  decoders: string
}

export const readDeliveryOptions = (profileId: string | null): DeliveryOptions => ({
  decoders: readCapabilityCode(),
  ...readAudioPreference(profileId),
})

/** Returns the language and the kind of the audio track that the profile chose last on this device. */
function readAudioPreference(profileId: string | null): AudioPreference {
  const storedText = profileId && readStorage('localStorage', AUDIO_LANGUAGE_KEY_PREFIX + profileId)
  const [, language, description] =
    /^([a-z]{2,3}(?:-[A-Za-z\d]{2,8})?)( description)?$/.exec(storedText ?? '') ?? []
  return language ? { audio_language: language, audio_kind: description ? 'description' : 'main' } : {}
}

/**
 * Stores the audio track that the profile has chosen. Keeps the stored language if the language of the track is
 * unknown (`und`), unless the track describes the picture. A commentary is a choice for one title, so it is not stored.
 */
export function storeAudioPreference(profileId: string, { lang, kind }: AudioTrackChoice): void {
  if (kind === 'commentary') return
  const language = lang === 'und' && kind === 'main' ? readAudioPreference(profileId).audio_language : lang
  const storedText = kind === 'description' ? `${language} description` : language
  if (storedText !== undefined)
    writeStorage(
      'localStorage',
      AUDIO_LANGUAGE_KEY_PREFIX + profileId,
      storedText === 'und' ? '' : storedText,
    )
}

/** The stored code of what the browser can decode. It is valid only while the user agent equals `browser`. */
interface StoredCapabilities {
  browser: string
  code: string
  /** False until `probeCapabilities` has run. That function checks the formats more strictly than `canPlayType`. */
  isProbed: boolean
}

function readStoredCapabilities(): StoredCapabilities | null {
  const storedCapabilities = readStoredJson(CAPABILITIES_KEY) as Partial<StoredCapabilities> | null
  if (storedCapabilities?.code === undefined || storedCapabilities.browser !== navigator.userAgent)
    return null
  if (!CAPABILITY_CODE_PATTERN.test(storedCapabilities.code)) return null
  return {
    browser: storedCapabilities.browser,
    code: storedCapabilities.code,
    isProbed: storedCapabilities.isProbed === true,
  }
}

function storeCapabilities(capabilityCode: string, isProbed: boolean): void {
  const storedCapabilities: StoredCapabilities = {
    browser: navigator.userAgent,
    code: capabilityCode,
    isProbed,
  }
  writeStorage('localStorage', CAPABILITIES_KEY, JSON.stringify(storedCapabilities))
}

/** Returns the stored code. Without one, computes a code with `canPlayType`, which is synchronous, and stores it. */
function readCapabilityCode(): string {
  const storedCapabilities = readStoredCapabilities()
  if (storedCapabilities) return storedCapabilities.code
  const video = document.createElement('video')
  const capabilityCode = encodeCapabilities((type) => video.canPlayType(type) !== '')
  storeCapabilities(capabilityCode, false)
  return capabilityCode
}

/**
 * Detects once per browser version what the browser can decode, and stores the code for the next lookups. Does nothing
 * in browsers without `navigator.mediaCapabilities`.
 */
export async function probeCapabilities(): Promise<void> {
  if (!('mediaCapabilities' in navigator) || readStoredCapabilities()?.isProbed) return
  const contentTypes = listDecoderContentTypes()
  const decodableFlags = await Promise.all(contentTypes.map(canDecode))
  const decodableTypes = new Set(contentTypes.filter((_, index) => decodableFlags[index]))
  storeCapabilities(
    encodeCapabilities((type) => decodableTypes.has(type)),
    true,
  )
}

async function canDecode(contentType: string): Promise<boolean> {
  if (document.createElement('video').canPlayType(contentType) === '') return false
  // `decodingInfo` rejects Matroska, even in browsers that play it.
  if (contentType.includes('matroska')) return true
  const configuration: MediaDecodingConfiguration = contentType.startsWith('audio')
    ? { type: 'file', audio: { contentType, channels: '2', bitrate: 192_000, samplerate: 48_000 } }
    : {
        type: 'file',
        video: { contentType, width: 1920, height: 1080, bitrate: 8_000_000, framerate: 25 },
      }
  return navigator.mediaCapabilities.decodingInfo(configuration).then(
    ({ supported }) => supported,
    () => true,
  )
}

/**
 * Returns whether the video element plays a type without hls.js. HLS is played without hls.js in browsers that can also
 * send the video to a television (Safari), and in browsers without Media Source Extensions, because hls.js needs them.
 * Other browsers use hls.js even if they support HLS, because hls.js reports errors and seeks more precisely.
 */
export function canPlayNatively(video: HTMLVideoElement, mimeType: string): boolean {
  if (isHls(mimeType) && !('webkitShowPlaybackTargetPicker' in video) && 'MediaSource' in window) return false
  return video.canPlayType(mimeType) !== ''
}
