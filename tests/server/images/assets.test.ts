import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseXmlTags } from './xml.ts'

const CLIPS_FOLDER = 'data/demo/clips'

test('each of the fifteen avatars is a square, well-formed SVG below 4 kB without scripts or external content', () => {
  for (let i = 1; i <= 15; i++) {
    const svg = readFileSync(`public/avatars/${i}.svg`, 'utf8')
    expect(Buffer.byteLength(svg), String(i)).toBeLessThan(4096)
    const tags = parseXmlTags(svg.trim())
    expect(tags[0]!.attributes['viewBox']).toBe('0 0 200 200')
    for (const tag of tags) {
      expect(['script', 'style', 'image', 'use']).not.toContain(tag.name)
      expect(Object.keys(tag.attributes)).not.toContain('style')
    }
  }
})

test('every icon named in the web app manifests exists', () => {
  const manifestSource = readFileSync('scripts/worker-file.ts', 'utf8')
  const icons = [...manifestSource.matchAll(/icon\('([^']+)'/g)].map(([, name]) => name)
  expect(icons.length).toBeGreaterThan(3)
  for (const icon of icons) expect(existsSync(`public${icon}`), icon).toBe(true)
})

test('the demo clips stay below 1.5 MB in total and have the moov box before mdat for a fast start', () => {
  const files = readdirSync(CLIPS_FOLDER)
  expect(files.reduce((sum, file) => sum + statSync(`${CLIPS_FOLDER}/${file}`).size, 0)).toBeLessThan(
    1_500_000,
  )
  const videos = files.filter((file) => file.endsWith('.mp4'))
  expect(videos).toHaveLength(3)
  for (const file of videos) {
    const bytes = readFileSync(`${CLIPS_FOLDER}/${file}`)
    expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'))
  }
})

test.each([
  ['night-drive', 14, 80],
  ['harbour', 10, 60],
])('subtitles of %s have the same cue times in three languages', (clip, cueCount, durationSeconds) => {
  const times = ['en', 'fr', 'ar'].map((lang) => {
    const text = readFileSync(`${CLIPS_FOLDER}/${clip}.${lang}.vtt`, 'utf8')
    expect(text.startsWith('WEBVTT\n\n')).toBe(true)
    return [...text.matchAll(/^(\d\d):(\d\d):(\d\d\.\d{3}) --> (\d\d):(\d\d):(\d\d\.\d{3})$/gm)].map(
      (match) => [Number(match[2]) * 60 + Number(match[3]), Number(match[5]) * 60 + Number(match[6])],
    )
  })
  expect(times[0]).toHaveLength(cueCount)
  expect(times[1]).toEqual(times[0])
  expect(times[2]).toEqual(times[0])
  const cueTimesSeconds = times[0]!.flat()
  expect(cueTimesSeconds).toEqual([...cueTimesSeconds].sort((a, b) => a - b))
  expect(cueTimesSeconds.at(-1)).toBeLessThan(durationSeconds)
})
