/** Which source plays. */
import { describe, expect, test } from 'vitest'
import {
  canAffordSeekPreview,
  findLowerSource,
  findLowestSource,
  listQualities,
  orderSources,
  type PlaybackEnvironment,
} from '../../src/lib/rules/player-quality.ts'

const source = (quality: string, mime_type = 'video/mp4') => ({ url: `/${quality}`, mime_type, quality })
const ALL = ['720p', '2160p', '360p', '1080p'].map((quality) => source(quality))
const DESK: PlaybackEnvironment = { canPlay: () => true, screen: 1080, saveData: false }
const order = (wish: string, around: Partial<PlaybackEnvironment> = {}, sources = ALL) =>
  orderSources(sources, wish, { ...DESK, ...around }).map(({ quality }) => quality)

test('qualities are listed once, the finest first', () => {
  expect(listQualities([...ALL, source('720p', 'video/webm'), source('auto')])).toEqual([
    '2160p',
    '1080p',
    '720p',
    '360p',
  ])
})

describe('a wish', () => {
  test.each([
    ['2160p', ['2160p', '1080p', '720p', '360p']],
    ['1080p', ['1080p', '720p', '360p', '2160p']],
    ['720p', ['720p', '360p', '1080p', '2160p']],
    ['480p', ['360p', '720p', '1080p', '2160p']],
  ])('%s is tried first, then what is below, then what is above', (wish, expected) => {
    expect(order(wish)).toEqual(expected)
  })
})

describe('auto', () => {
  test.each([
    ['fits the screen', {}, '1080p'],
    ['fits a telephone', { screen: 400 }, '720p'],
    ['fits a large screen', { screen: 2160 }, '2160p'],
    ['spares who asks to be spared', { saveData: true }, '360p'],
    ['spares a slow line', { line: '3g' }, '360p'],
    ['spares a very slow line', { line: 'slow-2g' }, '360p'],
    ['believes in a good line', { line: '4g' }, '1080p'],
  ] as const)('%s', (_, around, first) => expect(order('auto', around)[0]).toBe(first))

  test('prefers a source that adapts', () => {
    const hls = source('auto', 'application/vnd.apple.mpegurl')
    expect(order('auto', {}, [...ALL, hls])[0]).toBe('auto')
  })
})

test('what the browser says it cannot play is tried last', () => {
  const sources = [source('2160p', 'video/x-matroska'), source('720p')]
  expect(order('2160p', { canPlay: (type) => type === 'video/mp4' }, sources)).toEqual(['720p', '2160p'])
  expect(order('1080p', { canPlay: () => false })[0]).toBe('1080p')
})

test('one step coarser, until the end', () => {
  expect(findLowerSource(ALL, source('1080p'))?.quality).toBe('720p')
  expect(findLowerSource(ALL, source('360p'))).toBeNull()
  expect(findLowestSource(ALL)?.quality).toBe('360p')
  expect(findLowestSource([])).toBeNull()
})

describe('pictures over the timeline', () => {
  const desk = {
    cores: 8,
    memory: 8,
    lite: false,
    saveData: false,
    finePointer: true,
    mimeType: 'video/mp4',
  }
  test('cost little on a strong device', () => expect(canAffordSeekPreview(desk)).toBe(true))
  test.each([
    ['few cores', { cores: 2 }],
    ['little memory', { memory: 2 }],
    ['lite mode', { lite: true }],
    ['a data saver', { saveData: true }],
    ['a finger', { finePointer: false }],
    ['HLS', { mimeType: 'application/x-mpegURL' }],
  ])('not with %s', (_, change) => expect(canAffordSeekPreview({ ...desk, ...change })).toBe(false))
})
