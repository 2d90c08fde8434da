/**
 * What countries' age certificates mean in years. Where one says "parental guidance" it counts as 8: not for a young child
 * alone. Numbers in a certificate speak for themselves (`12A`, `K-16`, `M/12`, `VM14`, `U/A 13+`); these tables hold the
 * letters. Sources: TMDB's lists of certifications, and the boards they name.
 */
const GUIDANCE = 8

/** Certificates of no age in every country: no rating, or one that was never asked for. */
const NONE = /^(nr|ur|unrated|not rated|exempt|e|tbc|tba|-|)$/i

type Ages = Record<string, number>
const EVERYWHERE: Ages = { G: 0, U: 0, PG: GUIDANCE, X: 18, XX: 18 }

const BY_COUNTRY: Record<string, Ages> = {
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
  PR: { R: 17, 'NC-17': 18, 'TV-Y': 0, 'TV-G': 0, 'TV-PG': GUIDANCE, 'TV-MA': 17 },
  PT: { PÚBLICOS: 0, T: 0, P: 18 },
  RO: { AP: GUIDANCE, IC: 18 },
  SE: { BTL: 0 },
  TH: { P: 0, BANNED: 20, ส: 0, ท: 0 },
  TR: { 'GENEL İZLEYICI KITLESI': 0, 'GENEL İZLEYICI': 0 },
  US: { R: 17, 'NC-17': 18, 'TV-Y': 0, 'TV-G': 0, 'TV-PG': GUIDANCE, 'TV-MA': 17 },
  VI: { R: 17, 'NC-17': 18, 'TV-Y': 0, 'TV-G': 0, 'TV-PG': GUIDANCE, 'TV-MA': 17 },
  ZA: { ALL: 0, A: 0 },
}

/** Youngest age in years; undefined when the certificate tells none. `country` is ISO 3166-1, as in `US`. */
export function ageOf(country: string, certificate: string): number | undefined {
  const text = certificate.trim().toUpperCase()
  const own = BY_COUNTRY[country.slice(0, 2)]?.[text]
  if (own !== undefined) return own
  if (NONE.test(text)) return undefined
  const numbers = text.match(/\d+/g)?.map(Number)
  if (numbers) return Math.min(21, Math.max(...numbers))
  return EVERYWHERE[text]
}
