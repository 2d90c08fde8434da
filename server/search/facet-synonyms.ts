/**
 * Common names of facets that are missing both in the translations and in CLDR. Each entry holds names, separated by
 * commas, and the facet value that these names mean.
 */

export const GENRE_SYNONYMS: readonly (readonly [string, string])[] = [
  ['sci fi,scifi,science-fiction,sf,خيال علمى', '878'],
  ['animated,anime,cartoon,dessin animé,dessins animés,film d’animation,انيميشن,أنيميشن,كرتون,كارتون', '16'],
  ['romantic,romcom,romantique,رومانسية,رومنسي', '10749'],
  ['funny,comedic,comique,drôle,كوميدي,كوميدية,مضحك', '35'],
  ['scary,effrayant,مرعب,مخيف', '27'],
  ['thrilling,suspense,policier à suspense,تشويق,إثارة وتشويق', '53'],
  ['criminal,gangster,mafia,policier,policière,polar,بوليسي,جرائم', '80'],
  ['documentary film,docu,documentaries,وثائقية', '99'],
  ['historical,historique,تاريخية,تاريخ', '36'],
  ['dramatic,dramatique,درامي,درامية', '18'],
  ['familial,familiale,عائلية', '10751'],
  ['children,enfant,jeunesse,للأطفال,الأطفال', '10762'],
  ['mysteries,mystérieux,غامض', '9648'],
  ['fantastiques,فنتازيا', '14'],
  ['war,guerre,حرب,حربي', '10768'],
  ['cowboy,ويسترن', '37'],
]

/** Pairs of genre ids with about the same meaning. Movies and series use different ids for these genres. */
export const EQUIVALENT_GENRES: readonly (readonly string[])[] = [
  ['28', '10759'],
  ['12', '10759'],
  ['878', '10765'],
  ['14', '10765'],
  ['10762', '10751'],
]

export const NETWORK_NAMES: readonly (readonly [string, string])[] = [
  ['netflix,نتفليكس', 'netflix'],
  ['hbo,hbo max,home box office', 'hbo'],
  ['apple tv,apple tv+,apple tv plus,آبل تي في', 'apple-tv'],
  ['prime video,amazon prime,amazon,amazon prime video,أمازون', 'prime-video'],
  ['hulu', 'hulu'],
  ['disney,disney+,disney plus,ديزني', 'disney'],
  ['paramount,paramount+,paramount plus', 'paramount'],
  ['the cw,cw', 'the-cw'],
  ['fx', 'fx'],
]

export const TYPE_NAMES: readonly (readonly [string, string])[] = [
  ['movie,movies,film,films,فيلم,أفلام,افلام', 'movie'],
  ['series,tv series,tv show,tv shows,show,shows,série,séries,sitcom,مسلسل,مسلسلات', 'tv'],
]

export const COUNTRY_ADJECTIVES: readonly (readonly [string, string])[] = [
  [
    'us,usa,u.s.,america,american,américain,américaine,américains,américaines,أمريكي,أمريكية,أميركي,أمريكا',
    'US',
  ],
  [
    'uk,u.k.,british,england,britain,great britain,britannique,britanniques,anglaise,بريطاني,بريطانية,بريطانيا',
    'GB',
  ],
  ['korea,corée,كوريا', 'KR'],
  ['mexican,mexicain,mexicaine,مكسيكي,مكسيكية', 'MX'],
  ['brazilian,brésilien,brésilienne,برازيلي,برازيلية', 'BR'],
  ['indian,bollywood,indien,indienne,هندي,هندية', 'IN'],
  ['egyptian,égyptien,égyptienne,égyptiens,مصري,مصرية', 'EG'],
  ['iranian,iranien,iranienne,إيراني,إيرانية', 'IR'],
  ['canadian,canadien,canadienne,كندي,كندية', 'CA'],
  ['australian,australien,australienne,أسترالي,أسترالية', 'AU'],
  ['irish,irlandais,irlandaise,أيرلندي,أيرلندية', 'IE'],
  ['belgian,belge,belges,بلجيكي,بلجيكية', 'BE'],
  ['swiss,suisse,suisses,سويسري,سويسرية', 'CH'],
  ['austrian,autrichien,autrichienne,نمساوي,نمساوية', 'AT'],
  ['argentinian,argentine,argentin,أرجنتيني,أرجنتينية', 'AR'],
  ['moroccan,marocain,marocaine,مغربي,مغربية', 'MA'],
  ['algerian,algérien,algérienne,جزائري,جزائرية', 'DZ'],
  ['tunisian,tunisien,tunisienne,تونسي,تونسية', 'TN'],
  ['lebanese,libanais,libanaise,لبناني,لبنانية', 'LB'],
  ['syrian,syrien,syrienne,سوري,سورية', 'SY'],
  ['saudi,saoudien,saoudienne,سعودي,سعودية', 'SA'],
  ['jordanian,jordanien,jordanienne,أردني,أردنية', 'JO'],
  ['nigerian,nollywood,nigérian,nigériane,نيجيري,نيجيرية', 'NG'],
  ['taiwanese,taïwanais,taïwanaise,تايواني,تايوانية', 'TW'],
  ['hongkong,hong kong', 'HK'],
]

/**
 * The main language of the movies of a country. A search for the country also finds titles in this language
 * whose country is unknown. CLDR does not contain this relation.
 */
export const LANGUAGE_OF_COUNTRY: Readonly<Record<string, string>> = {
  BG: 'bg',
  BR: 'pt',
  CN: 'zh',
  CZ: 'cs',
  DE: 'de',
  DK: 'da',
  EG: 'ar',
  ES: 'es',
  FI: 'fi',
  FR: 'fr',
  GR: 'el',
  HR: 'hr',
  HU: 'hu',
  ID: 'id',
  IL: 'he',
  IN: 'hi',
  IR: 'fa',
  IS: 'is',
  IT: 'it',
  JP: 'ja',
  KR: 'ko',
  NL: 'nl',
  NO: 'no',
  PL: 'pl',
  PT: 'pt',
  RO: 'ro',
  RS: 'sr',
  RU: 'ru',
  SE: 'sv',
  TH: 'th',
  TR: 'tr',
  UA: 'uk',
  VN: 'vi',
}
