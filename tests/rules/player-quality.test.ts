/** Order in which the player tries the sources of a title, and the conditions for playing a second, muted video. */
import { describe, expect, test } from 'vitest'
import {
  canPlaySecondVideo,
  findLowerSource,
  findLowestSource,
  listQualities,
  orderSources,
  type PlaybackEnvironment,
} from '../../src/lib/rules/player-quality.ts'

const createSource = (quality: string, mime_type = 'video/mp4') => ({
  url: `/${quality}`,
  mime_type,
  quality,
})
const ALL_SOURCES = ['720p', '2160p', '360p', '1080p'].map((quality) => createSource(quality))
const DESKTOP_ENVIRONMENT: PlaybackEnvironment = {
  canPlay: () => true,
  shortScreenSidePx: 1080,
  saveData: false,
}
const listOrderedQualities = (
  preferredQuality: string,
  environment: Partial<PlaybackEnvironment> = {},
  sources = ALL_SOURCES,
) =>
  orderSources(sources, preferredQuality, { ...DESKTOP_ENVIRONMENT, ...environment }).map(
    ({ quality }) => quality,
  )

test('each available quality is listed once, with the best quality first', () => {
  expect(listQualities([...ALL_SOURCES, createSource('720p', 'video/webm'), createSource('auto')])).toEqual([
    '2160p',
    '1080p',
    '720p',
    '360p',
  ])
})

describe('a chosen quality', () => {
  test.each([
    ['2160p', ['2160p', '1080p', '720p', '360p']],
    ['1080p', ['1080p', '720p', '360p', '2160p']],
    ['720p', ['720p', '360p', '1080p', '2160p']],
    ['480p', ['360p', '720p', '1080p', '2160p']],
  ])(
    'a chosen quality of %s orders the sources as %j: the chosen quality first, then lower, then higher qualities',
    (preferredQuality, expectedQualities) => {
      expect(listOrderedQualities(preferredQuality)).toEqual(expectedQualities)
    },
  )
})

describe('automatic quality', () => {
  test.each([
    ['chooses the resolution of a desktop screen', {}, '1080p'],
    ['chooses 720p for a phone screen', { shortScreenSidePx: 400 }, '720p'],
    ['chooses 2160p for a 4K screen', { shortScreenSidePx: 2160 }, '2160p'],
    ['chooses the lowest quality with data saver', { saveData: true }, '360p'],
    ['chooses the lowest quality on a 3G connection', { connectionType: '3g' }, '360p'],
    ['chooses the lowest quality on a slow 2G connection', { connectionType: 'slow-2g' }, '360p'],
    ['chooses the resolution of the screen on a 4G connection', { connectionType: '4g' }, '1080p'],
  ] as const)('automatic quality %s', (_, environment, firstQuality) =>
    expect(listOrderedQualities('auto', environment)[0]).toBe(firstQuality),
  )

  test('automatic quality prefers an adaptive source', () => {
    const hlsSource = createSource('auto', 'application/vnd.apple.mpegurl')
    expect(listOrderedQualities('auto', {}, [...ALL_SOURCES, hlsSource])[0]).toBe('auto')
  })
})

test('a source that the browser cannot play comes last', () => {
  const sources = [createSource('2160p', 'video/x-matroska'), createSource('720p')]
  expect(listOrderedQualities('2160p', { canPlay: (mimeType) => mimeType === 'video/mp4' }, sources)).toEqual(
    ['720p', '2160p'],
  )
  expect(listOrderedQualities('1080p', { canPlay: () => false })[0]).toBe('1080p')
})

test('findLowerSource returns the next lower quality, findLowestSource returns the lowest quality, and both return null if there is none', () => {
  expect(findLowerSource(ALL_SOURCES, createSource('1080p'))?.quality).toBe('720p')
  expect(findLowerSource(ALL_SOURCES, createSource('360p'))).toBeNull()
  expect(findLowestSource(ALL_SOURCES)?.quality).toBe('360p')
  expect(findLowestSource([])).toBeNull()
})

describe('canPlaySecondVideo', () => {
  const desktopDevice = {
    coreCount: 8,
    memoryGib: 8,
    isLiteMode: false,
    saveData: false,
    hasFinePointer: true,
    mimeType: 'video/mp4',
  }
  test('canPlaySecondVideo returns true for a fast desktop', () =>
    expect(canPlaySecondVideo(desktopDevice)).toBe(true))
  test.each([
    ['two cores', { coreCount: 2 }],
    ['2 GB of memory', { memoryGib: 2 }],
    ['lite mode', { isLiteMode: true }],
    ['data saver', { saveData: true }],
    ['a touch screen', { hasFinePointer: false }],
    ['HLS', { mimeType: 'application/x-mpegURL' }],
  ])('canPlaySecondVideo returns false with %s', (_, overrides) =>
    expect(canPlaySecondVideo({ ...desktopDevice, ...overrides })).toBe(false),
  )
})

test('a conversion to a lower quality comes first only on a slow connection or when the viewer chose that quality', () => {
  const sources = [
    { ...createSource('2160p', 'application/vnd.apple.mpegurl'), reason: 'video_codec' },
    { ...createSource('1080p', 'application/vnd.apple.mpegurl'), reason: 'quality' },
    { ...createSource('480p', 'application/vnd.apple.mpegurl'), reason: 'quality' },
  ]
  expect(listOrderedQualities('auto', {}, sources)[0]).toBe('2160p')
  expect(listOrderedQualities('auto', { connectionType: '3g' }, sources)[0]).toBe('480p')
  expect(listOrderedQualities('1080p', {}, sources)[0]).toBe('1080p')
})

test('a source that the server marks as playable comes first even if the browser does not know its content type', () => {
  const sources = [{ ...createSource('1080p', 'video/x-matroska'), reason: 'playable' }, createSource('480p')]
  expect(listOrderedQualities('auto', { canPlay: (mimeType) => mimeType === 'video/mp4' }, sources)[0]).toBe(
    '1080p',
  )
})

test('the hover preview plays the file with the lowest quality, and never starts a conversion', () => {
  const convertedSource = { ...createSource('480p', 'application/vnd.apple.mpegurl'), delivery: 'transcode' }
  const directSource = { ...createSource('1080p'), delivery: 'direct' }
  expect(findLowestSource([directSource, convertedSource])).toBe(directSource)
  expect(findLowestSource([convertedSource])).toBeNull()
})
