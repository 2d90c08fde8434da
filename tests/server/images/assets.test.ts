import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { tagsOf } from './xml.ts'

const clips = 'data/demo/clips'

test('fifteen avatars, each below 4 kB, well-formed, square, loading nothing', () => {
  for (let i = 1; i <= 15; i++) {
    const svg = readFileSync(`public/avatars/${i}.svg`, 'utf8')
    expect(Buffer.byteLength(svg), String(i)).toBeLessThan(4096)
    const tags = tagsOf(svg.trim())
    expect(tags[0]!.attributes['viewBox']).toBe('0 0 200 200')
    for (const tag of tags) {
      expect(['script', 'style', 'image', 'use']).not.toContain(tag.name)
      expect(Object.keys(tag.attributes)).not.toContain('style')
    }
  }
})

test('every icon of the manifests exists', () => {
  const source = readFileSync('scripts/worker-file.ts', 'utf8')
  const icons = [...source.matchAll(/icon\('([^']+)'/g)].map(([, name]) => name)
  expect(icons.length).toBeGreaterThan(3)
  for (const icon of icons) expect(existsSync(`public${icon}`), icon).toBe(true)
})

test('the demo clips stay below 1.5 MB together and start at once (index before the pictures)', () => {
  const files = readdirSync(clips)
  expect(files.reduce((sum, file) => sum + statSync(`${clips}/${file}`).size, 0)).toBeLessThan(1_500_000)
  const videos = files.filter((file) => file.endsWith('.mp4'))
  expect(videos).toHaveLength(3)
  for (const file of videos) {
    const bytes = readFileSync(`${clips}/${file}`)
    expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'))
  }
})

test.each([
  ['night-drive', 14, 80],
  ['harbour', 10, 60],
])('subtitles of %s: the same cues at the same times in three languages', (clip, cues, seconds) => {
  const times = ['en', 'fr', 'ar'].map((lang) => {
    const text = readFileSync(`${clips}/${clip}.${lang}.vtt`, 'utf8')
    expect(text.startsWith('WEBVTT\n\n')).toBe(true)
    return [...text.matchAll(/^(\d\d):(\d\d):(\d\d\.\d{3}) --> (\d\d):(\d\d):(\d\d\.\d{3})$/gm)].map((m) => [
      Number(m[2]) * 60 + Number(m[3]),
      Number(m[5]) * 60 + Number(m[6]),
    ])
  })
  expect(times[0]).toHaveLength(cues)
  expect(times[1]).toEqual(times[0])
  expect(times[2]).toEqual(times[0])
  const all = times[0]!.flat()
  expect(all).toEqual([...all].sort((a, b) => a - b))
  expect(all.at(-1)).toBeLessThan(seconds)
})
