/** How files are delivered, depending on the container, the codecs and the decoders of the browser. */
import { describe, expect, test } from 'vitest'
import type {
  AudioTrack,
  MediaInformation,
  VideoTrack,
} from '../../../server/providers/ffmpeg/media-probe.ts'
import {
  chooseAudioTrack,
  chooseAudioTracks,
  chooseBurntInTracks,
  chooseDelivery,
  isSameLanguage,
} from '../../../server/services/playback/choose-delivery.ts'
import {
  divideIntoSegments,
  findSegmentIndex,
} from '../../../server/services/playback/conversion/segments.ts'
import {
  BASIC_DECODERS,
  CAPABILITY_CODE_PATTERN,
  DECODERS,
  type Decoder,
  decodeCapabilities,
  encodeCapabilities,
} from '../../../src/lib/rules/playback-capabilities.ts'

const VIDEO_TRACK: VideoTrack = {
  index: 0,
  codec: 'h264',
  profile: 'High',
  level: 40,
  width: 1920,
  height: 1080,
  bitDepth: 8,
  hasHalvedChroma: true,
  hdr: null,
  isInterlaced: false,
  framesPerSecond: 24,
}
const createAudioTrack = (codec: string, fields: Partial<AudioTrack> = {}): AudioTrack => ({
  index: 1,
  codec,
  profile: '',
  channels: 2,
  language: 'en',
  title: '',
  isDefault: true,
  isCommentary: false,
  isDescription: false,
  ...fields,
})
const createMediaInformation = (
  videoFields: Partial<VideoTrack>,
  audioTracks: AudioTrack[],
  format = '',
): MediaInformation => ({
  format,
  durationSeconds: 100,
  startSeconds: 0,
  bitsPerSecond: null,
  video: { ...VIDEO_TRACK, ...videoFields },
  audio: audioTracks,
  subtitles: [],
  chapters: [],
})

const CHROMIUM_DECODERS: Decoder[] = [
  'h264',
  'h264Level5',
  'vp8',
  'vp9',
  'vp9InMp4',
  'av1',
  'av1TenBit',
  'aac',
  'mp3',
  'mp3InMp4',
  'opus',
  'flac',
  'opusInWebm',
  'vorbis',
]
const SAFARI_DECODERS: Decoder[] = [
  'h264',
  'h264Level5',
  'hevc',
  'hevcLevel5',
  'hevcMain10',
  'aac',
  'mp3',
  'ac3',
  'eac3',
  'flac',
]
const DECODERS_BY_BROWSER: Record<string, ReadonlySet<Decoder>> = {
  chromium: new Set(CHROMIUM_DECODERS),
  safari: new Set(SAFARI_DECODERS),
  unknown: BASIC_DECODERS,
}

describe('chooseDelivery', () => {
  test.each<[string, string, Partial<VideoTrack>, string, string, string, boolean]>([
    ['film.mp4', 'chromium', {}, 'aac', 'direct', 'playable', true],
    ['film.mp4', 'unknown', {}, 'aac', 'direct', 'playable', true],
    ['film.mp4', 'chromium', {}, 'ac3', 'remux', 'audio_codec', false],
    ['film.mp4', 'safari', {}, 'ac3', 'direct', 'playable', true],
    ['film.mp4', 'chromium', { codec: 'hevc', level: 120 }, 'aac', 'transcode', 'video_codec', true],
    ['film.mp4', 'safari', { codec: 'hevc', level: 120 }, 'aac', 'direct', 'playable', true],
    ['film.mp4', 'safari', { codec: 'hevc', level: 153, bitDepth: 10 }, 'eac3', 'direct', 'playable', true],
    [
      'film.mp4',
      'safari',
      { codec: 'hevc', level: 153, bitDepth: 12 },
      'eac3',
      'transcode',
      'video_codec',
      true,
    ],
    ['film.mp4', 'unknown', { level: 51 }, 'aac', 'transcode', 'video_codec', true],
    ['film.mp4', 'chromium', { level: 51 }, 'aac', 'direct', 'playable', true],
    ['film.mp4', 'chromium', { bitDepth: 10 }, 'aac', 'transcode', 'video_codec', true],
    ['film.mp4', 'chromium', { hasHalvedChroma: false }, 'aac', 'transcode', 'video_codec', true],
    ['film.mkv', 'chromium', {}, 'aac', 'remux', 'container', true],
    ['film.mkv', 'chromium', {}, 'dts', 'remux', 'container', false],
    ['film.mkv', 'chromium', {}, 'mp3', 'remux', 'container', false],
    ['film.mkv', 'safari', {}, 'eac3', 'remux', 'container', true],
    ['film.mkv', 'safari', { codec: 'vp9' }, 'opus', 'transcode', 'video_codec', false],
    ['film.mkv', 'chromium', { codec: 'av1', bitDepth: 10 }, 'opus', 'remux', 'container', true],
    ['film.webm', 'chromium', { codec: 'vp9' }, 'opus', 'direct', 'playable', true],
    ['film.webm', 'chromium', { codec: 'vp8' }, 'vorbis', 'direct', 'playable', false],
    ['film.mkv', 'chromium', { codec: 'vp8' }, 'vorbis', 'transcode', 'container', false],
    ['film.avi', 'chromium', { codec: 'mpeg4' }, 'mp3', 'transcode', 'video_codec', false],
    ['film.ts', 'chromium', {}, 'ac3', 'remux', 'container', false],
  ])(
    'the file %s, requested by the browser %s, with video %o and audio %s, has the delivery %s with the reason %s',
    (path, browser, videoFields, audioCodec, delivery, reason, isAudioCopied) => {
      const plan = chooseDelivery({
        information: createMediaInformation(videoFields, [createAudioTrack(audioCodec)]),
        path,
        decoders: DECODERS_BY_BROWSER[browser] ?? BASIC_DECODERS,
        audioIndex: 1,
        hasKeyframes: true,
      })
      expect(plan).toEqual({ delivery, reason, audioIndex: 1, isAudioCopied })
    },
  )

  const MP4_FORMAT = 'mov,mp4,m4a,3gp,3g2,mj2'
  test.each<[string, string, Partial<VideoTrack>, string, string, string]>([
    ['film.mp4', MP4_FORMAT, {}, 'aac', 'direct', 'playable'],
    ['film.m4v', MP4_FORMAT, {}, 'aac', 'direct', 'playable'],
    ['film.mp4', 'matroska,webm', {}, 'aac', 'remux', 'container'],
    ['film.mp4', 'mpegts', {}, 'aac', 'remux', 'container'],
    ['film.mp4', 'avi', {}, 'aac', 'remux', 'container'],
    ['film.webm', 'matroska,webm', { codec: 'vp9' }, 'opus', 'direct', 'playable'],
    ['film.webm', MP4_FORMAT, { codec: 'vp9' }, 'opus', 'remux', 'container'],
    ['film.mp4', '', {}, 'aac', 'direct', 'playable'],
    ['film.mp4', 'unheard-of', {}, 'aac', 'direct', 'playable'],
    // Jellyfin and Plex state only one name of the container, whereas ffprobe lists all names of a format.
    ['file.mp4', 'mp4', {}, 'aac', 'direct', 'playable'],
    ['file.mp4', 'mov', {}, 'aac', 'direct', 'playable'],
    ['file.m4v', 'M4V', {}, 'aac', 'direct', 'playable'],
    ['file.webm', 'webm', { codec: 'vp9' }, 'opus', 'direct', 'playable'],
  ])(
    'the file %s of the format "%s", with video %o and audio %s, has the delivery %s with the reason %s',
    (path, format, videoFields, audioCodec, delivery, reason) => {
      const plan = chooseDelivery({
        information: createMediaInformation(videoFields, [createAudioTrack(audioCodec)], format),
        path,
        decoders: new Set(CHROMIUM_DECODERS),
        audioIndex: 1,
        hasKeyframes: true,
      })
      expect(plan).toMatchObject({ delivery, reason })
    },
  )

  test('a Matroska file with the extension mkv is delivered unchanged to a browser that plays Matroska', () => {
    const deliveryRequest = {
      path: 'film.mkv',
      decoders: new Set<Decoder>([...CHROMIUM_DECODERS, 'matroska']),
      audioIndex: 1,
      hasKeyframes: true,
    }
    const chooseDeliveryForFormat = (format: string) =>
      chooseDelivery({
        ...deliveryRequest,
        information: createMediaInformation({}, [createAudioTrack('aac')], format),
      }).delivery
    expect(['matroska,webm', 'mkv', MP4_FORMAT].map(chooseDeliveryForFormat)).toEqual([
      'direct',
      'direct',
      'remux',
    ])
  })

  test('a file without known keyframes is encoded, because copied video can be cut into segments only at keyframes', () => {
    const information = createMediaInformation({}, [createAudioTrack('ac3')])
    const deliveryRequest = {
      information,
      path: 'a.ts',
      decoders: DECODERS_BY_BROWSER['chromium'] ?? BASIC_DECODERS,
      audioIndex: 1,
    }
    expect(chooseDelivery({ ...deliveryRequest, hasKeyframes: false })).toMatchObject({
      delivery: 'transcode',
      reason: 'no_index',
    })
  })

  test('chooses a remux for a non-default audio track, and direct delivery for a file without sound', () => {
    const tracks = [createAudioTrack('aac'), createAudioTrack('aac', { index: 2, isDefault: false })]
    const deliveryRequest = { path: 'a.mp4', decoders: BASIC_DECODERS, hasKeyframes: true }
    const information = createMediaInformation({}, tracks)
    expect(chooseDelivery({ ...deliveryRequest, information, audioIndex: 2 })).toMatchObject({
      delivery: 'remux',
      reason: 'audio_track',
    })
    expect(
      chooseDelivery({ ...deliveryRequest, information: createMediaInformation({}, []), audioIndex: null }),
    ).toMatchObject({ delivery: 'direct', audioIndex: null })
  })
})

describe('a track that the viewer chose for a title with several files', () => {
  const createAudioTracks = (...languages: string[]) =>
    languages.map((language, index) =>
      createAudioTrack('aac', { index: index + 1, language, isDefault: index === 0 }),
    )
  test('in each file that has an audio track in the chosen language, this track is selected, even if the chosen index belongs to another track in that file', () => {
    const files = [createAudioTracks('en'), createAudioTracks('en', 'fr'), createAudioTracks('fr', 'en')]
    const listTrackIndexes = (query: Parameters<typeof chooseAudioTracks>[1]) =>
      chooseAudioTracks(files, query).map((track) => track?.index)
    expect(listTrackIndexes({ index: 2, language: 'fr' })).toEqual([1, 2, 1])
    expect(listTrackIndexes({ index: 1, language: 'fr' })).toEqual([1, 1, 2])
    expect(listTrackIndexes({ language: 'fr' })).toEqual([1, 2, 1])
  })

  test('a chosen picture subtitle is drawn only into files that have a picture subtitle of the same language and kind', () => {
    const createSubtitle = (index: number, language: string, isForced = false) => ({
      ...{ index, codec: 'dvd_subtitle', language, title: '', isForced, isForHardOfHearing: false },
    })
    const files = [
      [createSubtitle(3, 'en'), createSubtitle(4, 'fr')],
      [createSubtitle(3, 'fr'), createSubtitle(4, 'en')],
      [createSubtitle(3, 'en', true)],
    ]
    const listTrackIndexes = (index?: number) =>
      chooseBurntInTracks(files, index).map((track) => track?.index ?? null)
    expect(listTrackIndexes(3)).toEqual([3, 4, null])
    expect(listTrackIndexes(4)).toEqual([4, 3, null])
    expect(listTrackIndexes()).toEqual([null, null, null])
  })
})

describe('chooseAudioTrack', () => {
  const tracks = [
    createAudioTrack('aac', { index: 1, language: 'en' }),
    createAudioTrack('aac', { index: 2, language: 'fr', isDefault: false, isCommentary: true }),
    createAudioTrack('aac', { index: 3, language: 'fr', isDefault: false }),
  ]
  test.each([
    [{}, 1],
    [{ language: 'fr' }, 3],
    [{ language: 'de' }, 1],
    [{ index: 2, language: 'en' }, 2],
    [{ index: 9, language: 'fr' }, 3],
  ])('the query %o selects the audio track with index %i', (query, index) => {
    expect(chooseAudioTrack(tracks, query)?.index).toBe(index)
  })

  test.each([
    [{ language: 'en', kind: 'description' as const }, 3],
    [{ language: 'fr', kind: 'description' as const }, 4],
    [{ language: 'en', kind: 'main' as const }, 2],
    [{ language: 'en' }, 1],
    [{ language: 'pt-BR', kind: 'main' as const }, 6],
    [{ language: 'pt', kind: 'main' as const }, 5],
    [{ language: 'und', kind: 'description' as const }, 7],
    [{ language: 'de', kind: 'description' as const }, 1],
  ])('the language, region and kind in the query %o select the audio track with index %i', (query, index) => {
    const fields = { isDefault: false }
    const audioTrackVariants = [
      createAudioTrack('aac', { index: 1, language: 'en', isCommentary: true }),
      createAudioTrack('aac', { ...fields, index: 2, language: 'en' }),
      createAudioTrack('aac', { ...fields, index: 3, language: 'en', isDescription: true }),
      createAudioTrack('aac', { ...fields, index: 4, language: 'fr' }),
      createAudioTrack('aac', { ...fields, index: 5, language: 'pt' }),
      createAudioTrack('aac', { ...fields, index: 6, language: 'pt-BR' }),
      createAudioTrack('aac', { ...fields, index: 7, language: 'und', isDescription: true }),
    ]
    expect(chooseAudioTrack(audioTrackVariants, query)?.index).toBe(index)
  })

  test('no audio track is chosen for a file without sound', () => {
    expect(chooseAudioTrack([], { language: 'fr' })).toBeNull()
  })

  test('languages are compared without regions, and unknown languages are never equal', () => {
    expect(isSameLanguage('pt', 'pt-BR')).toBe(true)
    expect(isSameLanguage('und', 'und')).toBe(false)
  })
})

describe('capability codes', () => {
  test('the code of each decoder decodes to that decoder and matches CAPABILITY_CODE_PATTERN', () => {
    for (const decoder of DECODERS) {
      const index = DECODERS.indexOf(decoder)
      let callIndex = -1
      const code = encodeCapabilities(() => {
        callIndex += 1
        return callIndex === index
      })
      expect(code).toMatch(CAPABILITY_CODE_PATTERN)
      expect([...decodeCapabilities(code)]).toEqual([decoder])
    }
    expect(decodeCapabilities(encodeCapabilities(() => true)).size).toBe(DECODERS.length)
  })

  test('an invalid or missing code decodes to the decoders that every browser has', () => {
    for (const code of [undefined, '', '2ff', '1zz', 'x'.repeat(30)])
      expect(decodeCapabilities(code)).toBe(BASIC_DECODERS)
  })
})

describe('segments of a converted video', () => {
  test('encoded video has segments of three seconds, and its last segment is at least half a second long', () => {
    expect(divideIntoSegments(10, null).startsSeconds).toEqual([0, 3, 6, 9])
    expect(divideIntoSegments(9.3, null).startsSeconds).toEqual([0, 3, 6])
    expect(divideIntoSegments(0.2, null).startsSeconds).toEqual([0])
  })

  test('copied video is cut at keyframes that are at least four seconds apart', () => {
    expect(divideIntoSegments(20, [0, 2, 4.5, 5, 9, 19.8]).startsSeconds).toEqual([0, 4.5, 9])
  })

  test('findSegmentIndex returns the index of the last segment that starts at or before a time, with a small tolerance', () => {
    const segmentTimes = divideIntoSegments(20, [0, 4, 8])
    expect(
      [0, 3.9, 3.99, 4, 7.9, 8, 100, -1].map((seconds) => findSegmentIndex(segmentTimes, seconds)),
    ).toEqual([0, 0, 1, 1, 1, 2, 2, 0])
  })
})
