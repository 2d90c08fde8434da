import { expect, test } from 'vitest'
import { chooseScene } from '../../../server/images/choose-scene.ts'
import { drawImage, type ImageSpec, placeholderColourOf } from '../../../server/images/draw-image.ts'
import { type SceneName, scenesByName } from '../../../server/images/scenes-by-name.ts'
import { tagsOf } from './xml.ts'

const genres = [
  878, 10765, 28, 10759, 12, 53, 9648, 35, 80, 14, 27, 18, 10749, 16, 10762, 10751, 36, 10768, 99, 37,
]
const kinds = ['poster', 'backdrop', 'still', 'profile'] as const
const titles = [
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

const picture = (more: Partial<ImageSpec>): ImageSpec => ({
  kind: 'poster',
  width: 342,
  seed: 'tt0000001',
  title: 'Up',
  lang: 'en',
  genres: [18],
  type: 'movie',
  ...more,
})

/** 300 titles and more: every text with every kind and every genre in turn. */
const many = Array.from({ length: 360 }, (_, i) =>
  picture({
    seed: `tt${1000000 + i * 7919}${i % 3 ? '' : `:${i}:1`}`,
    title: titles[i % titles.length]!,
    kind: kinds[(i >> 2) % 4]!,
    lang: ['en', 'fr', 'ar', 'ja'][i % 4]!,
    genres: [genres[i % genres.length]!, 18],
    year: 1900 + (i % 120),
    originalTitle: titles[(i * 7) % titles.length]!,
  }),
)

test('every picture is below 6 kB and well-formed', () => {
  for (const one of many) {
    const svg = drawImage(one)
    expect(Buffer.byteLength(svg), `${one.kind} ${one.seed} ${one.title}`).toBeLessThan(6000)
    expect(tagsOf(svg)[0]!.name).toBe('svg')
  }
})

test('the worst title stays below 6 kB on every composition', () => {
  for (const [name, seed, genre] of oneSeedPerScene())
    for (const title of ['字'.repeat(200), '&'.repeat(300), '👩‍👩‍👧‍👦'.repeat(90), 'ﷺ'.repeat(90)])
      expect(
        Buffer.byteLength(
          drawImage(picture({ seed, title, originalTitle: '<&>'.repeat(9), year: 2001, genres: [genre] })),
        ),
        name,
      ).toBeLessThan(6000)
})

test('pictures load nothing, run nothing and need no style', () => {
  for (const one of many)
    for (const tag of tagsOf(drawImage(one))) {
      expect(['script', 'style', 'image', 'foreignObject', 'a', 'filter', 'animate']).not.toContain(tag.name)
      for (const [key, value] of Object.entries(tag.attributes)) {
        expect(key).not.toMatch(/^(on|style$|class$|xlink)/)
        if (key === 'href') expect(value).toMatch(/^#[a-z]$/)
        if (value.includes('url(')) expect(value).toMatch(/^url\(#[a-z]\)$/)
        expect(value).not.toMatch(/NaN|undefined|Infinity/)
      }
    }
})

test('every reference has its definition', () => {
  for (const one of many) {
    const svg = drawImage(one)
    const ids = [...svg.matchAll(/ id="([^"]+)"/g)].map((m) => m[1])
    expect(new Set(ids).size).toBe(ids.length)
    for (const [, id] of svg.matchAll(/(?:url\(#|href="#)([a-z])/g)) expect(ids).toContain(id)
  }
})

test('the same title gives the same bytes, another seed another picture', () => {
  for (const one of many.slice(0, 60)) expect(drawImage(one)).toBe(drawImage({ ...one }))
  const different = new Set(many.map((one) => drawImage({ ...one, title: '', kind: 'poster', genres: [18] })))
  expect(different.size).toBeGreaterThan(many.length * 0.9)
})

test('a poster keeps its art in every language', () => {
  const look = (lang: string, title: string) =>
    drawImage(picture({ seed: 'tt0111161', lang, title })).replace(/<g font-family.*$/, '')
  expect(look('fr', 'Les Évadés')).toBe(look('en', 'The Shawshank Redemption'))
})

test('seasons and episodes of a series share a world but not a picture', () => {
  expect(chooseScene('tt0903747:2:5', [18, 80])).toEqual(chooseScene('tt0903747', [80, 18]))
  const still = (seed: string) => drawImage(picture({ kind: 'still', seed, genres: [28] }))
  expect(still('tt0903747:1:1')).not.toBe(still('tt0903747:1:2'))
})

test('backdrops and stills carry no text', () => {
  for (const kind of ['backdrop', 'still'] as const)
    expect(drawImage(picture({ kind }))).not.toContain('<text')
})

test('the size follows the kind and never leaves sane bounds', () => {
  const size = (kind: ImageSpec['kind'], width: number) =>
    drawImage(picture({ kind, width }))
      .match(/width="(\d+)" height="(\d+)"/)!
      .slice(1)
      .map(Number)
  expect(size('poster', 342)).toEqual([342, 513])
  expect(size('profile', 185)).toEqual([185, 278])
  expect(size('backdrop', 1280)).toEqual([1280, 720])
  expect(size('still', 300)).toEqual([300, 169])
  expect(size('poster', Number.NaN)[0]).toBe(200)
  expect(size('poster', 1e9)[0]).toBe(4000)
})

test('the placeholder colour is a colour of the picture', () => {
  for (const one of many.slice(0, 40)) expect(placeholderColourOf(one)).toMatch(/^#[0-9a-f]{6}$/)
})

test('every composition is reached by some title, and no genre has fewer than four', () => {
  expect(
    oneSeedPerScene()
      .map(([name]) => name)
      .sort(),
  ).toEqual(Object.keys(scenesByName).sort())
  for (const genre of genres) {
    const found = new Set(Array.from({ length: 400 }, (_, i) => chooseScene(`tt${i * 31}`, [genre]).scene))
    expect(found.size, String(genre)).toBeGreaterThanOrEqual(genre === 37 ? 3 : 4)
  }
})

test('an unknown genre or none is drawn as drama', () => {
  expect(chooseScene('tt1', []).genre).toBe(18)
  expect(chooseScene('tt1', [4711]).genre).toBe(18)
})

function oneSeedPerScene(): [SceneName, string, number][] {
  const found = new Map<SceneName, [SceneName, string, number]>()
  for (let i = 0; i < 2000; i++) {
    const [seed, genre] = [`tt${i * 97}`, genres[i % genres.length]!]
    const { scene } = chooseScene(seed, [genre])
    if (!found.has(scene)) found.set(scene, [scene, seed, genre])
  }
  return [...found.values()]
}
