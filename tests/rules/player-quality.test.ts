/** Order in which the player tries the sources of a title, and the conditions for seek preview images. */
import { describe, expect, test } from 'vitest'
import {
  canAffordSeekPreview,
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
const DESKTOP: PlaybackEnvironment = { canPlay: () => true, screen: 1080, saveData: false }
const listOrder = (
  preferredQuality: string,
  environment: Partial<PlaybackEnvironment> = {},
  sources = ALL_SOURCES,
) => orderSources(sources, preferredQuality, { ...DESKTOP, ...environment }).map(({ quality }) => quality)

test('lists each quality once, the best first', () => {
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
    'a chosen quality of %s orders the sources as %j: this quality first, then lower ones, then higher ones',
    (preferredQuality, expected) => {
      expect(listOrder(preferredQuality)).toEqual(expected)
    },
  )
})

describe('automatic quality', () => {
  test.each([
    ['chooses the resolution of a desktop screen', {}, '1080p'],
    ['chooses 720p for a phone screen', { screen: 400 }, '720p'],
    ['chooses 2160p for a 4K screen', { screen: 2160 }, '2160p'],
    ['chooses the lowest quality with data saver', { saveData: true }, '360p'],
    ['chooses the lowest quality on a 3G connection', { line: '3g' }, '360p'],
    ['chooses the lowest quality on a slow 2G connection', { line: 'slow-2g' }, '360p'],
    ['chooses the resolution of the screen on a 4G connection', { line: '4g' }, '1080p'],
  ] as const)('automatic quality %s', (_, environment, firstQuality) =>
    expect(listOrder('auto', environment)[0]).toBe(firstQuality),
  )

  test('prefers an adaptive source', () => {
    const hls = createSource('auto', 'application/vnd.apple.mpegurl')
    expect(listOrder('auto', {}, [...ALL_SOURCES, hls])[0]).toBe('auto')
  })
})

test('a source that the browser cannot play comes last', () => {
  const sources = [createSource('2160p', 'video/x-matroska'), createSource('720p')]
  expect(listOrder('2160p', { canPlay: (type) => type === 'video/mp4' }, sources)).toEqual(['720p', '2160p'])
  expect(listOrder('1080p', { canPlay: () => false })[0]).toBe('1080p')
})

test('returns the next lower source, or null below the lowest', () => {
  expect(findLowerSource(ALL_SOURCES, createSource('1080p'))?.quality).toBe('720p')
  expect(findLowerSource(ALL_SOURCES, createSource('360p'))).toBeNull()
  expect(findLowestSource(ALL_SOURCES)?.quality).toBe('360p')
  expect(findLowestSource([])).toBeNull()
})

describe('seek preview images', () => {
  const desktop = {
    cores: 8,
    memory: 8,
    lite: false,
    saveData: false,
    finePointer: true,
    mimeType: 'video/mp4',
  }
  test('seek preview images are affordable on a fast desktop', () =>
    expect(canAffordSeekPreview(desktop)).toBe(true))
  test.each([
    ['two cores', { cores: 2 }],
    ['2 GB of memory', { memory: 2 }],
    ['lite mode', { lite: true }],
    ['data saver', { saveData: true }],
    ['a touch screen', { finePointer: false }],
    ['HLS', { mimeType: 'application/x-mpegURL' }],
  ])('seek preview images are not loaded with %s', (_, overrides) =>
    expect(canAffordSeekPreview({ ...desktop, ...overrides })).toBe(false),
  )
})

test('a conversion to a lower quality comes after the original file, unless the connection is slow or the viewer chose that quality', () => {
  const sources = [
    { ...createSource('2160p', 'application/vnd.apple.mpegurl'), reason: 'video_codec' },
    { ...createSource('1080p', 'application/vnd.apple.mpegurl'), reason: 'quality' },
    { ...createSource('480p', 'application/vnd.apple.mpegurl'), reason: 'quality' },
  ]
  expect(listOrder('auto', {}, sources)[0]).toBe('2160p')
  expect(listOrder('auto', { line: '3g' }, sources)[0]).toBe('480p')
  expect(listOrder('1080p', {}, sources)[0]).toBe('1080p')
})

test('a file that the server calls playable comes first even if its content type is unknown to the browser', () => {
  const sources = [{ ...createSource('1080p', 'video/x-matroska'), reason: 'playable' }, createSource('480p')]
  expect(listOrder('auto', { canPlay: (type) => type === 'video/mp4' }, sources)[0]).toBe('1080p')
})

test('a preview plays the smallest file that exists, and never starts a conversion', () => {
  const converted = { ...createSource('480p', 'application/vnd.apple.mpegurl'), delivery: 'transcode' }
  const directSource = { ...createSource('1080p'), delivery: 'direct' }
  expect(findLowestSource([directSource, converted])).toBe(directSource)
  expect(findLowestSource([converted])).toBeNull()
})
