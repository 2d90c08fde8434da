import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseXmlTags } from './xml.ts'

const CLIPS_FOLDER = 'data/demo/clips'

test('each of the fifteen avatars is a square, well-formed SVG below 4 kB without scripts or external content', () => {
  for (let avatarNumber = 1; avatarNumber <= 15; avatarNumber++) {
    const svg = readFileSync(`public/avatars/${avatarNumber}.svg`, 'utf8')
    expect(Buffer.byteLength(svg), String(avatarNumber)).toBeLessThan(4096)
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
  const iconPaths = [...manifestSource.matchAll(/createManifestIcon\('([^']+)'/g)].map(([, name]) => name)
  expect(iconPaths.length).toBeGreaterThan(3)
  for (const iconPath of iconPaths) expect(existsSync(`public${iconPath}`), iconPath).toBe(true)
})

test('the demo clips stay below 1.5 MB in total and have the moov box before mdat for a fast start', () => {
  const fileNames = readdirSync(CLIPS_FOLDER)
  expect(
    fileNames.reduce((totalBytes, fileName) => totalBytes + statSync(`${CLIPS_FOLDER}/${fileName}`).size, 0),
  ).toBeLessThan(1_500_000)
  const videoNames = fileNames.filter((fileName) => fileName.endsWith('.mp4'))
  expect(videoNames).toHaveLength(3)
  for (const fileName of videoNames) {
    const bytes = readFileSync(`${CLIPS_FOLDER}/${fileName}`)
    expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'))
  }
})

test.each([
  ['night-drive', 14, 80],
  ['harbour', 10, 60],
])('subtitles of %s have the same cue times in three languages', (clipName, cueCount, durationSeconds) => {
  const cueTimesPerLanguage = ['en', 'fr', 'ar'].map((lang) => {
    const subtitleText = readFileSync(`${CLIPS_FOLDER}/${clipName}.${lang}.vtt`, 'utf8')
    expect(subtitleText.startsWith('WEBVTT\n\n')).toBe(true)
    return [...subtitleText.matchAll(/^(\d\d):(\d\d):(\d\d\.\d{3}) --> (\d\d):(\d\d):(\d\d\.\d{3})$/gm)].map(
      (match) => [Number(match[2]) * 60 + Number(match[3]), Number(match[5]) * 60 + Number(match[6])],
    )
  })
  expect(cueTimesPerLanguage[0]).toHaveLength(cueCount)
  expect(cueTimesPerLanguage[1]).toEqual(cueTimesPerLanguage[0])
  expect(cueTimesPerLanguage[2]).toEqual(cueTimesPerLanguage[0])
  const cueTimesSeconds = cueTimesPerLanguage[0]!.flat()
  expect(cueTimesSeconds).toEqual([...cueTimesSeconds].sort((a, b) => a - b))
  expect(cueTimesSeconds.at(-1)).toBeLessThan(durationSeconds)
})
