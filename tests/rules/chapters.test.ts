/** Chapters of the player, and the thumbnails of its seek bar. */
import { describe, expect, test } from 'vitest'
import { normaliseChapters } from '../../server/providers/library/playback-marks.ts'
import { findChapterIndex, findChapterStartSeconds } from '../../src/lib/rules/chapters.ts'
import { findThumbnail } from '../../src/lib/rules/seek-thumbnails.ts'

const CHAPTERS = [0, 60, 180].map((start) => ({ start, title: `from ${start}` }))

describe('chapters', () => {
  test.each([
    [0, 0],
    [59.9, 0],
    [60, 1],
    [9_999, 2],
  ])('at %d seconds, the current chapter has the index %d', (positionSeconds, expectedIndex) =>
    expect(findChapterIndex(CHAPTERS, positionSeconds)).toBe(expectedIndex),
  )
  test('there is no current chapter before the start of the first chapter', () =>
    expect(findChapterIndex([{ start: 5, title: '' }], 4)).toBe(-1))
  test.each([
    [10, 1, 60],
    [59.8, 1, 180],
    [200, 1, null],
    [70, -1, 60],
    [62, -1, 0],
    [2, -1, null],
  ] as const)(
    'at %d seconds, a step of %d chapters has the target position %s',
    (positionSeconds, step, expectedStartSeconds) =>
      expect(findChapterStartSeconds(CHAPTERS, positionSeconds, step)).toBe(expectedStartSeconds),
  )
  test('the chapter list is sorted by start time, and omits titles such as "Chapter 01" and chapters that start less than 1 s after another chapter', () => {
    expect(
      normaliseChapters(
        [
          { start: 61.5, title: ' The end ' },
          { start: 1.5, title: 'Chapter 01' },
          { start: 1.9, title: 'Doubled' },
        ],
        1.5,
      ),
    ).toEqual([
      { start: 0, title: '' },
      { start: 60, title: 'The end' },
    ])
  })
  test('a file with a single chapter has no chapter list', () =>
    expect(normaliseChapters([{ start: 0, title: 'All of it' }])).toEqual([]))
})

describe('thumbnails of the seek bar', () => {
  const thumbnailSheets = {
    url: '/proxy/hls/1/x/y/',
    interval_seconds: 10,
    count: 40,
    columns: 6,
    rows: 6,
    width: 192,
    height: 108,
  }
  test.each([
    [0, 1, 0, 0],
    [4.9, 1, 0, 0],
    [5, 1, 1, 0],
    [59, 1, 0, 1],
    [350, 1, 5, 5],
    [360, 2, 0, 0],
    [9_999, 2, 3, 0],
    [-1, 1, 0, 0],
  ])(
    'the thumbnail at %d seconds is on sheet %d in column %d and row %d',
    (positionSeconds, expectedSheet, expectedColumn, expectedRow) => {
      expect(findThumbnail(thumbnailSheets, positionSeconds)).toEqual({
        sheetUrl: `/proxy/hls/1/x/y/${expectedSheet}.jpg`,
        column: expectedColumn,
        row: expectedRow,
      })
    },
  )
})
