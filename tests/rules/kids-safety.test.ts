import { describe, expect, it } from 'vitest'
import { getCertificateAge } from '../../src/lib/rules/age-certificates.ts'
import {
  type CountryCertificate,
  getDisplayedAgeRating,
  isSafeForKids,
} from '../../src/lib/rules/kids-safety.ts'

const FAMILY = 10751
const KIDS = 10762
const ANIMATION = 16
const COMEDY = 35

/** `US G, FR TP` */
const certificates = (text: string): CountryCertificate[] =>
  text === '' ? [] : text.split(', ').map((one) => ({ country: one.slice(0, 2), certificate: one.slice(3) }))

describe('safe for kids', () => {
  it.each<[string, number[], string, boolean]>([
    ['nothing is known', [FAMILY], '', false],
    ['only "not rated" is known', [FAMILY], 'US NR, DE ', false],
    ['a certificate of no known board', [FAMILY], 'US Whatever', false],
    ['a family film that one country admits all to', [FAMILY, ANIMATION], 'US G', true],
    ['a family film, guidance in one country', [FAMILY], 'US PG, FR TP, DE 6', true],
    ['a family film with guidance alone', [FAMILY], 'US PG', false],
    ['a family film with guidance everywhere', [FAMILY], 'US PG, GB PG, CA PG', false],
    ['a family film that one country asks 12 for', [FAMILY], 'US G, GB U, NL 12', false],
    ['a family film that one country bars to all but adults', [FAMILY], 'US G, DE 0, KR 19', false],
    ['a series for kids', [KIDS], 'US TV-Y', true],
    ['a series for kids from 7', [KIDS], 'US TV-Y7', true],
    ['a series with guidance alone', [KIDS], 'US TV-PG', false],
    ['animation that one country rated', [ANIMATION], 'JP G', false],
    ['animation that two countries rated', [ANIMATION], 'JP G, FR TP', true],
    ['animation for grown-ups', [ANIMATION, COMEDY], 'US R, DE 12', false],
    ['a comedy that two countries admit all to', [COMEDY], 'FR TP, DE 0', false],
    ['a comedy that three countries admit all to', [COMEDY], 'FR TP, DE 0, GB U', true],
    ['a comedy that three countries admit, one with guidance', [COMEDY], 'FR TP, DE 0, GB PG', false],
    ['a family film that is horror, too', [FAMILY, 27], 'US G, GB U', false],
    ['a family film that is a thriller, too', [FAMILY, 53], 'US G, GB U', false],
    ['a family series of war', [FAMILY, 10768], 'US TV-G', false],
    ['the strictest of two releases in a country', [FAMILY], 'US G, US R', false],
    ['no genre at all', [], 'US G', false],
  ])('%s', (_, genres, ratings, safe) => {
    expect(isSafeForKids({ type: 'movie', ratings: certificates(ratings), genres, adult: false })).toBe(safe)
  })

  it('never is what is for adults', () => {
    const ratings = certificates('US G, GB U, FR TP')
    expect(isSafeForKids({ type: 'movie', ratings, genres: [FAMILY], adult: true })).toBe(false)
  })
})

describe('the age of a certificate', () => {
  it.each<[string, string, number | undefined]>([
    ['US', 'G', 0],
    ['US', 'PG', 8],
    ['US', 'PG-13', 13],
    ['US', 'R', 17],
    ['US', 'NC-17', 18],
    ['US', 'TV-Y7-FV', 7],
    ['US', 'TV-MA', 17],
    ['US', 'nr', undefined],
    ['GB', 'U', 0],
    ['GB', '12A', 12],
    ['GB', 'R18', 18],
    ['IN', 'U', 0],
    ['IN', 'UA', 12],
    ['IN', 'U/A 13+', 13],
    ['IN', 'A', 18],
    ['ES', 'A', 0],
    ['CA', 'A', 18],
    ['CA-QC', '13+', 13],
    ['FR', 'TP', 0],
    ['DE', '0', 0],
    ['FI', 'K-16', 16],
    ['IT', 'VM14', 14],
    ['PT', 'M/12', 12],
    ['PT', 'Públicos', 0],
    ['ZA', '10-12PG', 12],
    ['SE', 'Från 11 år', 11],
    ['SE', 'Btl', 0],
    ['MX', 'B-15', 15],
    ['TH', 'ท', 0],
    ['HK', 'III', 18],
    ['XX', 'A', undefined],
    ['US', '', undefined],
    ['constructor', 'toString', undefined],
  ])('%s %s', (country, certificate, age) => {
    expect(getCertificateAge(country, certificate)).toBe(age)
  })
})

describe('the age rating shown (Spec §3)', () => {
  it.each<['movie' | 'tv', string, string | undefined]>([
    ['movie', 'US G', 'All'],
    ['movie', 'US PG', '8+'],
    ['movie', 'US PG-13, DE 6', '13+'],
    ['movie', 'US R', '17+'],
    ['movie', 'DE 18, FR 18', '18+'],
    ['movie', 'FR TP, DE 12, GB 15', '13+'],
    ['movie', 'US NR, DE 6', 'All'],
    ['movie', '', undefined],
    ['tv', 'US TV-Y', 'All'],
    ['tv', 'US TV-Y7', '7+'],
    ['tv', 'US TV-PG', '8+'],
    ['tv', 'US TV-14', '14+'],
    ['tv', 'US TV-MA', '17+'],
    ['tv', 'DE 12', '8+'],
    ['tv', 'DE 18', '17+'],
  ])('%s %s', (type, ratings, rated) => {
    expect(getDisplayedAgeRating(type, certificates(ratings))).toBe(rated)
  })
})
