/**
 * What a browser can decode, as a short code that the browser sends with a stream lookup. The server uses the code to
 * choose between the file itself and a conversion (server/services/playback/choose-delivery.ts). No rule depends on the
 * name of a browser.
 */

/**
 * Content types for which the browser is probed. The index of an entry is the number of its bit in the code, so new
 * entries are added at the end.
 */
const CONTENT_TYPES_BY_DECODER = {
  h264: 'video/mp4; codecs="avc1.640029"',
  h264Level5: 'video/mp4; codecs="avc1.640033"',
  h264High10: 'video/mp4; codecs="avc1.6e0033"',
  hevc: 'video/mp4; codecs="hvc1.1.6.L123.b0"',
  hevcLevel5: 'video/mp4; codecs="hvc1.1.6.L153.b0"',
  hevcMain10: 'video/mp4; codecs="hvc1.2.4.L153.b0"',
  vp8: 'video/webm; codecs="vp8"',
  vp9: 'video/webm; codecs="vp09.00.51.08"',
  vp9Profile2: 'video/webm; codecs="vp09.02.51.10"',
  vp9InMp4: 'video/mp4; codecs="vp09.00.51.08"',
  av1: 'video/mp4; codecs="av01.0.12M.08"',
  av1TenBit: 'video/mp4; codecs="av01.0.12M.10"',
  aac: 'audio/mp4; codecs="mp4a.40.2"',
  mp3: 'audio/mpeg',
  mp3InMp4: 'audio/mp4; codecs="mp3"',
  opus: 'audio/mp4; codecs="opus"',
  flac: 'audio/mp4; codecs="flac"',
  ac3: 'audio/mp4; codecs="ac-3"',
  eac3: 'audio/mp4; codecs="ec-3"',
  opusInWebm: 'audio/webm; codecs="opus"',
  vorbis: 'audio/webm; codecs="vorbis"',
  matroska: 'video/x-matroska; codecs="avc1.640029"',
} as const
export type Decoder = keyof typeof CONTENT_TYPES_BY_DECODER
export const DECODERS = Object.keys(CONTENT_TYPES_BY_DECODER) as Decoder[]

/**
 * Pattern of a capability code: `1`, which is the version of CONTENT_TYPES_BY_DECODER, followed by a number in base 32
 * that has one bit for each decoder.
 */
export const CAPABILITY_CODE_PATTERN = /^1[0-9a-v]{1,8}$/

/** Returns the code of the decoders for whose content type `canDecode` returns true. */
export function encodeCapabilities(canDecode: (contentType: string) => boolean): string {
  const decoderBits = DECODERS.reduce(
    (sum, decoder, index) => (canDecode(CONTENT_TYPES_BY_DECODER[decoder]) ? sum + 2 ** index : sum),
    0,
  )
  return `1${decoderBits.toString(32)}`
}

/** What every current browser decodes. Used for a browser that sent no code. */
export const BASIC_DECODERS: ReadonlySet<Decoder> = new Set(['h264', 'aac', 'mp3', 'mp3InMp4'])

/** Returns the decoders in a code; the basic decoders when the code is missing, invalid or empty. */
export function decodeCapabilities(capabilityCode: string | undefined): ReadonlySet<Decoder> {
  if (!capabilityCode || !CAPABILITY_CODE_PATTERN.test(capabilityCode)) return BASIC_DECODERS
  const decoderBits = Number.parseInt(capabilityCode.slice(1), 32)
  const decoders = DECODERS.filter((_, index) => Math.floor(decoderBits / 2 ** index) % 2 === 1)
  return decoders.length > 0 ? new Set(decoders) : BASIC_DECODERS
}

/** Returns the content types to probe with `canPlayType` and `decodingInfo`. */
export const listDecoderContentTypes = (): string[] => Object.values(CONTENT_TYPES_BY_DECODER)
