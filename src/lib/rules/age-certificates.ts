/**
 * Converts age certificates of film boards to a minimum age in years. "Parental guidance" counts as 8, because a
 * younger child should not watch alone. Certificates with a number (`12A`, `K-16`, `M/12`, `VM14`, `U/A 13+`) give that
 * number, at most 21. The tables below contain the certificates without a number, and some with a number, such as
 * `NC-17`, which stands for 18. Sources: the certification lists of TMDB, and the film boards that these lists name.
 */
const PARENTAL_GUIDANCE_AGE = 8

/** Values that mean "not rated" or "exempt", unless the table of the country contains them. */
const UNRATED_PATTERN = /^(nr|ur|unrated|not rated|exempt|e|tbc|tba|-|)$/i

type AgesByCertificate = Record<string, number>
const INTERNATIONAL_AGES: AgesByCertificate = { G: 0, U: 0, PG: PARENTAL_GUIDANCE_AGE, X: 18, XX: 18 }

const AGES_BY_COUNTRY: Record<string, AgesByCertificate> = {
  AR: { ATP: 0, C: 18 },
  AT: { AA: 0 },
  AU: { P: 0, C: 5, M: 15, RC: 18 },
  BE: { AL: 0, KT: 0, KNT: 16 },
  BG: { A: 0, B: 0, C: 12, D: 16 },
  BR: { L: 0, AL: 0 },
  CA: { C: 0, C8: 8, R: 18, A: 18 },
  CL: { TE: 0, F: 0, I: 0, R: 12, A: 18 },
  DK: { A: 0 },
  ES: { A: 0, AI: 0, TP: 0, ERI: 0, APTA: 0 },
  FI: { S: 0, KK: 18 },
  FR: { TP: 0 },
  GR: { K: 0 },
  HK: { I: 0, IIA: 12, IIB: 15, III: 18 },
  HU: { KN: 0, CHILDREN: 0 },
  ID: { SU: 0, P: 2, A: 7, R: 13, D: 18 },
  IL: { ALL: 0, E: 0 },
  IN: { UA: 12, 'U/A': 12, A: 18, S: 18 },
  IT: { T: 0, BA: 8 },
  KR: { ALL: 0, 'RESTRICTED SCREENING': 19 },
  LT: { V: 0, S: 18 },
  LU: { A: 0, TOUS: 0 },
  MO: { A: 0, B: 13, C: 18, D: 18 },
  MX: { AA: 0, A: 0, B: 12, C: 18, D: 18 },
  NL: { AL: 0 },
  NO: { A: 0 },
  NZ: { M: 16, R: 18 },
  PH: { SPG: 16 },
  PL: { AL: 0 },
  PR: { R: 17, 'NC-17': 18, 'TV-Y': 0, 'TV-G': 0, 'TV-PG': PARENTAL_GUIDANCE_AGE, 'TV-MA': 17 },
  PT: { PÚBLICOS: 0, T: 0, P: 18 },
  RO: { AP: PARENTAL_GUIDANCE_AGE, IC: 18 },
  SE: { BTL: 0 },
  TH: { P: 0, BANNED: 20, ส: 0, ท: 0 },
  TR: { 'GENEL İZLEYICI KITLESI': 0, 'GENEL İZLEYICI': 0 },
  US: { R: 17, 'NC-17': 18, 'TV-Y': 0, 'TV-G': 0, 'TV-PG': PARENTAL_GUIDANCE_AGE, 'TV-MA': 17 },
  VI: { R: 17, 'NC-17': 18, 'TV-Y': 0, 'TV-G': 0, 'TV-PG': PARENTAL_GUIDANCE_AGE, 'TV-MA': 17 },
  ZA: { ALL: 0, A: 0 },
}

/**
 * Returns the minimum age in years; undefined when the certificate states none. `country` is an ISO 3166-1 code such
 * as `US`.
 */
export function getCertificateAge(country: string, certificate: string): number | undefined {
  const normalisedCertificate = certificate.trim().toUpperCase()
  const ageInCountry = AGES_BY_COUNTRY[country.slice(0, 2)]?.[normalisedCertificate]
  if (ageInCountry !== undefined) return ageInCountry
  if (UNRATED_PATTERN.test(normalisedCertificate)) return undefined
  const certificateNumbers = normalisedCertificate.match(/\d+/g)?.map(Number)
  if (certificateNumbers) return Math.min(21, Math.max(...certificateNumbers))
  return INTERNATIONAL_AGES[normalisedCertificate]
}
