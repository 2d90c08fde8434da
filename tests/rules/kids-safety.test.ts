import { describe, expect, it } from 'vitest'
import { getCertificateAge } from '../../src/lib/rules/age-certificates.ts'
import {
  type CountryCertificate,
  getDisplayedAgeRating,
  isSafeForKids,
} from '../../src/lib/rules/kids-safety.ts'

const FAMILY_GENRE_ID = 10751
const KIDS_GENRE_ID = 10762
const ANIMATION_GENRE_ID = 16
const COMEDY_GENRE_ID = 35

/** Parses a list of countries with a certificate each, such as `US G, FR TP`. */
const parseCertificates = (text: string): CountryCertificate[] =>
  text === ''
    ? []
    : text.split(', ').map((countryAndCertificate) => ({
        country: countryAndCertificate.slice(0, 2),
        certificate: countryAndCertificate.slice(3),
      }))

describe('kids safety of a title', () => {
  it.each<[string, number[], string, boolean]>([
    ['a family movie without certificates', [FAMILY_GENRE_ID], '', false],
    ['a family movie with only "not rated" or empty certificates', [FAMILY_GENRE_ID], 'US NR, DE ', false],
    ['a family movie with only an unknown certificate', [FAMILY_GENRE_ID], 'US Whatever', false],
    [
      'an animated family movie for all ages in one country',
      [FAMILY_GENRE_ID, ANIMATION_GENRE_ID],
      'US G',
      true,
    ],
    [
      'a family movie for all ages in one country, with parental guidance in another',
      [FAMILY_GENRE_ID],
      'US PG, FR TP, DE 6',
      true,
    ],
    ['a family movie with parental guidance in its only country', [FAMILY_GENRE_ID], 'US PG', false],
    [
      'a family movie with parental guidance in every country',
      [FAMILY_GENRE_ID],
      'US PG, GB PG, CA PG',
      false,
    ],
    ['a family movie with the minimum age 12 in one country', [FAMILY_GENRE_ID], 'US G, GB U, NL 12', false],
    ['a family movie for adults only in one country', [FAMILY_GENRE_ID], 'US G, DE 0, KR 19', false],
    ['a kids series for all ages', [KIDS_GENRE_ID], 'US TV-Y', true],
    ['a kids series with the minimum age 7', [KIDS_GENRE_ID], 'US TV-Y7', true],
    ['a kids series with parental guidance in its only country', [KIDS_GENRE_ID], 'US TV-PG', false],
    ['an animated movie for all ages in one country', [ANIMATION_GENRE_ID], 'JP G', false],
    ['an animated movie for all ages in two countries', [ANIMATION_GENRE_ID], 'JP G, FR TP', true],
    ['an animated comedy for adults', [ANIMATION_GENRE_ID, COMEDY_GENRE_ID], 'US R, DE 12', false],
    ['a comedy for all ages in two countries', [COMEDY_GENRE_ID], 'FR TP, DE 0', false],
    ['a comedy for all ages in three countries', [COMEDY_GENRE_ID], 'FR TP, DE 0, GB U', true],
    [
      'a comedy for all ages in two countries, with parental guidance in a third',
      [COMEDY_GENRE_ID],
      'FR TP, DE 0, GB PG',
      false,
    ],
    ['a family movie that is also horror', [FAMILY_GENRE_ID, 27], 'US G, GB U', false],
    ['a family movie that is also a thriller', [FAMILY_GENRE_ID, 53], 'US G, GB U', false],
    ['a family title that is also about war', [FAMILY_GENRE_ID, 10768], 'US TV-G', false],
    [
      'a family movie with two certificates in one country, one of them for adults',
      [FAMILY_GENRE_ID],
      'US G, US R',
      false,
    ],
    ['a title without genres', [], 'US G', false],
  ])('the kids safety of %s (genres %j, certificates "%s") is %s', (_, genres, certificatesText, isSafe) => {
    expect(
      isSafeForKids({
        certificates: parseCertificates(certificatesText),
        genres,
        adult: false,
      }),
    ).toBe(isSafe)
  })

  it('an adult title with certificates for all ages is not safe for kids', () => {
    const certificates = parseCertificates('US G, GB U, FR TP')
    expect(isSafeForKids({ certificates, genres: [FAMILY_GENRE_ID], adult: true })).toBe(false)
  })
})

describe('minimum age of a certificate', () => {
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
  ])('the minimum age of the %s certificate "%s" is %s', (country, certificate, expectedAge) => {
    expect(getCertificateAge(country, certificate)).toBe(expectedAge)
  })
})

describe('displayed age rating', () => {
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
  ])(
    'the displayed age rating of a %s with certificates "%s" is %s',
    (type, certificatesText, expectedAgeRating) => {
      expect(getDisplayedAgeRating(type, parseCertificates(certificatesText))).toBe(expectedAgeRating)
    },
  )
})
