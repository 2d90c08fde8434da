/** Reads title ids from `.nfo` files. The files have the XML format of Kodi or Jellyfin, or contain a plain URL. */
import { expect, test } from 'vitest'
import { parseNfo } from '../../../server/providers/library/nfo.ts'

const parseNfoText = (text: string) => parseNfo(Buffer.from(text))

test('parseNfo reads `uniqueid` elements by type, as Kodi writes them', () => {
  const nfo = parseNfoText(`<?xml version="1.0" encoding="UTF-8"?>
    <movie><title>Heat &amp; Dust</title><year>1983</year>
    <uniqueid type="tmdb" default="true">949</uniqueid><uniqueid default="false" type='imdb'> tt0113277 </uniqueid></movie>`)
  expect(nfo).toEqual({ ids: { imdb: 'tt0113277', tmdb: 949 }, title: 'Heat & Dust', year: 1983 })
})

test('parseNfo reads `imdbid` and `tmdbid` elements of Jellyfin, and ignores the IDs of actors and sets', () => {
  const nfo = parseNfoText(`<movie><actor><name>A</name><tmdbid>1</tmdbid><imdbid>nm0000199</imdbid></actor>
    <set><tmdbid>2</tmdbid></set><imdbid>tt0113277</imdbid><tmdbid>949</tmdbid></movie>`)
  expect(nfo.ids).toEqual({ imdb: 'tt0113277', tmdb: 949 })
  expect(parseNfoText('<movie><actor><tmdbid>1</tmdbid></actor><title>x</title></movie>').ids).toEqual({})
})

test.each([
  ['https://www.imdb.com/title/tt0113277/', { imdb: 'tt0113277' }],
  ['http://imdb.com/fr/title/tt0113277', { imdb: 'tt0113277' }],
  ['https://www.themoviedb.org/movie/949-heat', { tmdb: 949 }],
  ['https://www.themoviedb.org/tv/60622', { tmdb: 60622 }],
  ['<movie><id>tt0113277</id></movie>', { imdb: 'tt0113277' }],
  ['<tvshow><tvdbid>269613</tvdbid></tvshow>', { tvdb: 269613 }],
  ['<tvshow><uniqueid type="tvdb">269613</uniqueid></tvshow>', { tvdb: 269613 }],
  ['<tvshow><imdb_id>tt2802850</imdb_id></tvshow>', { imdb: 'tt2802850' }],
  ['<movie><!-- <imdbid>tt1111111</imdbid> --></movie>', {}],
  ['<movie><imdbid><![CDATA[tt0113277]]></imdbid></movie>', { imdb: 'tt0113277' }],
  ['<movie><imdbid>0113277</imdbid></movie>', {}],
  ['', {}],
  ['not a note at all', {}],
])('parseNfo reads the IDs of the title from "%s"', (text, ids) => {
  expect(parseNfoText(text).ids).toEqual(ids)
})

test('parseNfo does not expand XML entities', () => {
  const entityText = `<!DOCTYPE a [<!ENTITY b "${'c'.repeat(1000)}">]><movie><title>&b;</title><imdbid>tt0113277</imdbid></movie>`
  expect(parseNfoText(entityText)).toEqual({ ids: { imdb: 'tt0113277' }, title: '&b;', year: null })
})

test('parseNfo reads files in UTF-16', () => {
  expect(parseNfo(Buffer.from('\ufeff<movie><imdbid>tt0113277</imdbid></movie>', 'utf16le')).ids).toEqual({
    imdb: 'tt0113277',
  })
})

test('parseNfo reads 100000 unclosed elements in less than two seconds', () => {
  const startedAtMs = performance.now()
  parseNfoText('<actor>'.repeat(50_000))
  parseNfoText('<uniqueid '.repeat(50_000))
  expect(performance.now() - startedAtMs).toBeLessThan(2_000)
})
