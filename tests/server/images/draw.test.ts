import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { chooseScene } from '../../../server/images/choose-scene.ts'
import { drawImage, type ImageSpec } from '../../../server/images/draw-image.ts'
import { type SceneName, scenesByName } from '../../../server/images/scenes-by-name.ts'
import { estimatePopularity } from '../../../src/lib/rules/ranking.ts'
import { parseXmlTags } from './xml.ts'

const GENRE_IDS = [
  878, 10765, 28, 10759, 12, 53, 9648, 35, 80, 14, 27, 18, 10749, 16, 10762, 10751, 36, 10768, 99, 37,
]
const PICTURE_KINDS = ['poster', 'backdrop', 'still', 'profile'] as const
const TITLES = [
  'Up',
  'Amélie',
  'The Shawshank Redemption',
  'Everything We Never Said to Each Other',
  '',
  'Dr. Strangelove or: How I Learned to Stop Worrying and Love the Bomb',
  '2001: A Space Odyssey',
  'M',
  '…',
  'الخلاص من شاوشانك',
  'باب الحديد',
  'كل ما لم نقله لبعضنا قبل أن يحل الليل علينا',
  'ليلى',
  'شَجَرَةُ ٱلْأَرْزِ',
  '千と千尋の神隠し',
  '기생충',
  '花樣年華',
  'ฉลาดเกมส์โกง',
  'दिलवाले दुल्हनिया ले जायेंगे',
  'Усатый нянь',
  'Ελληνικά',
  'שתיקת הארכיון',
  '👩‍👩‍👧‍👦🏳️‍🌈 Family 🎬',
  '🎬'.repeat(40),
  'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch',
  'x'.repeat(300),
  'word '.repeat(90),
  'الف '.repeat(120),
  '字'.repeat(200),
  'a&b<c>"d\'e',
]

const createImageSpec = (overrides: Partial<ImageSpec>): ImageSpec => ({
  kind: 'poster',
  width: 342,
  seed: 'tt0000001',
  title: 'Up',
  lang: 'en',
  genres: [18],
  type: 'movie',
  ...overrides,
})

/** 360 pictures that combine the titles with all kinds, all genres and four languages. */
const pictures = Array.from({ length: 360 }, (_, i) =>
  createImageSpec({
    seed: `tt${1000000 + i * 7919}${i % 3 ? '' : `:${i}:1`}`,
    title: TITLES[i % TITLES.length]!,
    kind: PICTURE_KINDS[(i >> 2) % 4]!,
    lang: ['en', 'fr', 'ar', 'ja'][i % 4]!,
    genres: [GENRE_IDS[i % GENRE_IDS.length]!, 18],
    year: 1900 + (i % 120),
    originalTitle: TITLES[(i * 7) % TITLES.length]!,
  }),
)

test('every picture is a well-formed SVG below 6 kB', () => {
  for (const picture of pictures) {
    const svg = drawImage(picture)
    expect(Buffer.byteLength(svg), `${picture.kind} ${picture.seed} ${picture.title}`).toBeLessThan(6000)
    expect(parseXmlTags(svg)[0]!.name).toBe('svg')
  }
})

test('pictures with very long titles stay below 6 kB in every scene', () => {
  for (const [sceneName, seed, genre] of findSeedPerScene())
    for (const title of ['字'.repeat(200), '&'.repeat(300), '👩‍👩‍👧‍👦'.repeat(90), 'ﷺ'.repeat(90)])
      expect(
        Buffer.byteLength(
          drawImage(
            createImageSpec({ seed, title, originalTitle: '<&>'.repeat(9), year: 2001, genres: [genre] }),
          ),
        ),
        sceneName,
      ).toBeLessThan(6000)
})

test('pictures contain no scripts, external content or styles', () => {
  for (const picture of pictures)
    for (const tag of parseXmlTags(drawImage(picture))) {
      expect(['script', 'style', 'image', 'foreignObject', 'a', 'filter', 'animate']).not.toContain(tag.name)
      for (const [attributeName, attributeValue] of Object.entries(tag.attributes)) {
        expect(attributeName).not.toMatch(/^(on|style$|class$|xlink)/)
        if (attributeName === 'href') expect(attributeValue).toMatch(/^#[a-z]$/)
        if (attributeValue.includes('url(')) expect(attributeValue).toMatch(/^url\(#[a-z]\)$/)
        expect(attributeValue).not.toMatch(/NaN|undefined|Infinity/)
      }
    }
})

test('every reference inside a picture has a definition, and IDs are unique', () => {
  let referenceCount = 0
  for (const picture of pictures) {
    const svg = drawImage(picture)
    const elementIds = [...svg.matchAll(/ id="([^"]+)"/g)].map((match) => match[1])
    expect(new Set(elementIds).size).toBe(elementIds.length)
    for (const [, id] of svg.matchAll(/(?:url\(#|href="#)([a-z])/g)) {
      expect(elementIds).toContain(id)
      referenceCount += 1
    }
  }
  expect(referenceCount).toBeGreaterThan(pictures.length)
})

test('drawing with the same input returns the same bytes, and different seeds result in different pictures', () => {
  for (const picture of pictures.slice(0, 60)) expect(drawImage(picture)).toBe(drawImage({ ...picture }))
  const distinctImages = new Set(
    pictures.map((picture) => drawImage({ ...picture, title: '', kind: 'poster', genres: [18] })),
  )
  expect(distinctImages.size).toBeGreaterThan(pictures.length * 0.9)
})

test('a poster has the same artwork in every language', () => {
  const drawWithoutText = (lang: string, title: string) =>
    drawImage(createImageSpec({ seed: 'tt0111161', lang, title })).replace(/<g font-family.*$/, '')
  expect(drawWithoutText('fr', 'Les Évadés')).toBe(drawWithoutText('en', 'The Shawshank Redemption'))
})

test('episodes of a series share the scene and palette but get different pictures', () => {
  expect(chooseScene('tt0903747:2:5', [18, 80])).toEqual(chooseScene('tt0903747', [80, 18]))
  const drawStill = (seed: string) => drawImage(createImageSpec({ kind: 'still', seed, genres: [28] }))
  expect(drawStill('tt0903747:1:1')).not.toBe(drawStill('tt0903747:1:2'))
})

test('backdrops and stills contain no text', () => {
  for (const kind of ['backdrop', 'still'] as const)
    expect(drawImage(createImageSpec({ kind }))).not.toContain('<text')
})

test('the aspect ratio of a picture depends on its kind, and the width is between 200 and 4000 pixels', () => {
  const readSize = (kind: ImageSpec['kind'], width: number) =>
    drawImage(createImageSpec({ kind, width }))
      .match(/width="(\d+)" height="(\d+)"/)!
      .slice(1)
      .map(Number)
  expect(readSize('poster', 342)).toEqual([342, 513])
  expect(readSize('profile', 185)).toEqual([185, 278])
  expect(readSize('backdrop', 1280)).toEqual([1280, 720])
  expect(readSize('still', 300)).toEqual([300, 169])
  expect(readSize('poster', Number.NaN)[0]).toBe(200)
  expect(readSize('poster', 1e9)[0]).toBe(4000)
})

test('every scene is used for some title, and every genre has at least four scenes, except westerns, which have at least three', () => {
  expect(
    findSeedPerScene()
      .map(([name]) => name)
      .sort(),
  ).toEqual(Object.keys(scenesByName).sort())
  for (const genre of GENRE_IDS) {
    const genreScenes = new Set(
      Array.from({ length: 400 }, (_, i) => chooseScene(`tt${i * 31}`, [genre]).scene),
    )
    expect(genreScenes.size, String(genre)).toBeGreaterThanOrEqual(genre === 37 ? 3 : 4)
  }
})

test('consecutive movies of a franchise have different scenes, and a movie keeps its scene when its seed changes', () => {
  const findScene = (seriesName: string, year: number, seed: string) =>
    chooseScene(seed, [16, 10751, 35], { name: seriesName, year }).scene
  const scenes = [1995, 1999, 2003, 2010, 2019].map((year, i) =>
    findScene(`Toy Story ${i + 1}`, year, `tt${i}`),
  )
  for (const [i, scene] of scenes.slice(1).entries()) expect(scene).not.toBe(scenes[i])
  expect(findScene('The Toy Story', 1995, 'tt9')).toBe(scenes[0])
})

test('titles next to each other in the lists of popular titles of the demo catalogue have different scenes', () => {
  for (const folder of ['movies', 'series']) {
    const titles = globSync(`data/demo/${folder}/*`)
      .flatMap((file) => readFileSync(file, 'utf8').trim().split('\n'))
      .map((line) => {
        const title = JSON.parse(line)
        const [firstSeason] = title.seasons ?? []
        const year =
          title.year ?? firstSeason?.year ?? Number((title.release_date ?? firstSeason.date).slice(0, 4))
        const name = (title.language === 'en' ? title.title : title.titles[title.language]) ?? title.title
        const { scene } = chooseScene(title.imdb_id, title.genres, { name, year })
        const { rating, votes: voteCount } = title
        return { scene, popularity: estimatePopularity({ rating, voteCount, year }, Date.UTC(2026, 0)) }
      })
      .sort((a, b) => b.popularity - a.popularity)
      .slice(0, 24)
    // In a grid of two columns, as on a phone, each title is directly below the title two places earlier. In a row,
    // these two titles become neighbours if the title between them is not shown.
    const titlesWithRepeatedScene = titles.filter(({ scene }, i) =>
      [titles[i - 1], titles[i - 2]].some((title) => title?.scene === scene),
    )
    expect([folder, titlesWithRepeatedScene.length]).toEqual([folder, 0])
  }
})

test('a title without a known genre is drawn with a scene for dramas', () => {
  expect(chooseScene('tt1', []).genre).toBe(18)
  expect(chooseScene('tt1', [4711]).genre).toBe(18)
})

function findSeedPerScene(): [SceneName, string, number][] {
  const seedsByScene = new Map<SceneName, [SceneName, string, number]>()
  for (let i = 0; i < 2000; i++) {
    const [seed, genre] = [`tt${i * 97}`, GENRE_IDS[i % GENRE_IDS.length]!]
    const { scene } = chooseScene(seed, [genre])
    if (!seedsByScene.has(scene)) seedsByScene.set(scene, [scene, seed, genre])
  }
  return [...seedsByScene.values()]
}
