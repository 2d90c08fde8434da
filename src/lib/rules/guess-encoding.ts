/**
 * Guesses the legacy encoding of a text that is not Unicode. Multi-byte encodings are recognised by the pairs of bytes
 * of their frequent characters, and code pages by the frequency of the letters of their languages.
 */

interface PairEncoding {
  name: string
  /** Returns `none` if two bytes are not a character of the encoding, otherwise how frequent this character is. */
  classify: (firstByte: number, secondByte: number) => 'none' | 'rare' | 'frequent'
}

const isBetween = (byte: number, minimum: number, maximum: number) => byte >= minimum && byte <= maximum

const isHighTrailByte = (byte: number) => isBetween(byte, 0xa1, 0xfe)
const isLowTrailByte = (byte: number) => isBetween(byte, 0x40, 0x7e)

/**
 * The multi-byte encodings, with the byte ranges of their frequent characters. They are tried in this order, because a
 * text in an earlier encoding can also be valid in a later one, but not the reverse.
 */
const PAIR_ENCODINGS: readonly PairEncoding[] = [
  {
    name: 'euc-jp',
    classify: (firstByte, secondByte) => {
      if (!isBetween(firstByte, 0xa1, 0xfe) || !isHighTrailByte(secondByte)) return 'none'
      return isBetween(firstByte, 0xa1, 0xa5) || isBetween(firstByte, 0xb0, 0xcf) ? 'frequent' : 'rare'
    },
  },
  {
    name: 'euc-kr',
    classify: (firstByte, secondByte) => {
      if (!isBetween(firstByte, 0x81, 0xfe) || secondByte < 0x41) return 'none'
      const isFrequentCharacter = isBetween(firstByte, 0xb0, 0xc8) || isBetween(firstByte, 0xa1, 0xa3)
      return isFrequentCharacter && isHighTrailByte(secondByte) ? 'frequent' : 'rare'
    },
  },
  {
    name: 'shift_jis',
    classify: (firstByte, secondByte) => {
      if (!(isBetween(firstByte, 0x81, 0x9f) || isBetween(firstByte, 0xe0, 0xfc))) return 'none'
      if (!isBetween(secondByte, 0x40, 0xfc) || secondByte === 0x7f) return 'none'
      return isBetween(firstByte, 0x81, 0x83) || isBetween(firstByte, 0x88, 0x97) ? 'frequent' : 'rare'
    },
  },
  {
    name: 'gb18030',
    classify: (firstByte, secondByte) => {
      if (
        !isBetween(firstByte, 0x81, 0xfe) ||
        secondByte < 0x40 ||
        secondByte === 0x7f ||
        secondByte === 0xff
      )
        return 'none'
      const isFrequentCharacter = isBetween(firstByte, 0xb0, 0xd7) || isBetween(firstByte, 0xa1, 0xa3)
      return isFrequentCharacter && isHighTrailByte(secondByte) ? 'frequent' : 'rare'
    },
  },
  {
    name: 'big5',
    classify: (firstByte, secondByte) => {
      if (!isBetween(firstByte, 0x81, 0xfe) || !(isLowTrailByte(secondByte) || isHighTrailByte(secondByte)))
        return 'none'
      return isBetween(firstByte, 0xa1, 0xc6) ? 'frequent' : 'rare'
    },
  },
]
/**
 * Minimum share of frequent characters among all characters outside ASCII. A text with a lower share is not in the
 * encoding.
 */
const MIN_FREQUENT_SHARE = 0.9
/**
 * Minimum share of two-byte characters that directly follow another two-byte character, among all pairs of bytes whose
 * first byte is not ASCII. In a Latin code page, an accented letter and the ASCII letter after it look like one
 * multi-byte character, but such pairs rarely follow each other.
 */
const MIN_ADJACENT_PAIR_SHARE = 0.4
/**
 * Minimum share of kana (Japanese syllables) in a text in EUC-JP. The same bytes can be a text in GB18030, in which the
 * first bytes of kana (0xa4 and 0xa5) are rare.
 */
const MIN_KANA_SHARE = 0.15

/** The encodings and the letters of languages. `letters` are the letters outside ASCII, the most frequent first. */
const LANGUAGES: readonly { encodings: readonly string[]; script: 'latin' | 'other'; letters: string }[] = [
  // The first entry combines the western languages. The next six are French, German, Spanish, Portuguese, Italian and
  // the Nordic languages.
  {
    encodings: ['windows-1252', 'macintosh'],
    script: 'latin',
    letters: 'éüäöèóáíàñçåãøæêâôúßîûëïœõòùììÉÀÜÖÄÅØÆÑÇ¿¡',
  },
  { encodings: ['windows-1252', 'macintosh'], script: 'latin', letters: 'éèàêçùâîôûëïœÉÀÈÊÇÔÎ' },
  { encodings: ['windows-1252', 'macintosh'], script: 'latin', letters: 'üäößÜÄÖéè' },
  { encodings: ['windows-1252', 'macintosh'], script: 'latin', letters: 'óíáéñú¡¿üÁÉÍÓÑ' },
  { encodings: ['windows-1252', 'macintosh'], script: 'latin', letters: 'ãçéáíóêâõúàôÁÉÍÓÚ' },
  { encodings: ['windows-1252', 'macintosh'], script: 'latin', letters: 'àèùòéìÈÀ' },
  { encodings: ['windows-1252', 'macintosh'], script: 'latin', letters: 'äåöøæÅÄÖØÆéðþíóúýá' },
  { encodings: ['windows-1250'], script: 'latin', letters: 'łęąóżśćńźŁŚŻÓ' },
  { encodings: ['windows-1250'], script: 'latin', letters: 'íáéěýščřžůúťďňóľôŠČŘŽÚ' },
  { encodings: ['windows-1250'], script: 'latin', letters: 'áéöóőüíúűÁÉÖÓŐÍÜ' },
  { encodings: ['windows-1250'], script: 'latin', letters: 'ăîâşţșțÎ' },
  { encodings: ['windows-1254'], script: 'latin', letters: 'ıişüğçöİŞÇÖÜâ' },
  { encodings: ['windows-1257'], script: 'latin', letters: 'āīšņēžļķģčūėųįąęõäöü' },
  {
    encodings: ['windows-1251', 'koi8-u', 'x-mac-cyrillic', 'ibm866'],
    script: 'other',
    letters: 'оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфёіїєСПВКНДОБМТАГРЛЗИЧУФХЭЖШЕЯ',
  },
  {
    encodings: ['windows-1253'],
    script: 'other',
    letters: 'αοιετσνηυρκπμλςάίόέθδήχύγφώβξζψΑΟΤΗΕΣΚΠΜΝ',
  },
  { encodings: ['windows-1255'], script: 'other', letters: 'יוהלאתרבשמנםחקדפעכצטגסןזךץף' },
  { encodings: ['windows-1256'], script: 'other', letters: 'اليمنوربتعدةسهفكحقجىشأصطخذضغزثءإئظؤآ،' },
  { encodings: ['windows-874'], script: 'other', letters: 'นารอกเงมยล่วดทต้สัีะปิคแหุใื็พบโชจไูำขถึ์ผซ' },
]
/** Punctuation that texts of every language contain. */
const PUNCTUATION = '‘’“”„«»–—…·•€°©®™№\u00a0'

/**
 * Probabilities of a byte outside ASCII, by the character that it stands for. The first FREQUENT_LETTER_COUNT letters
 * of a language have FREQUENT_LETTER_PROBABILITY, its other letters RARE_LETTER_PROBABILITY.
 */
const FREQUENT_LETTER_COUNT = 12
const FREQUENT_LETTER_PROBABILITY = 0.06
const RARE_LETTER_PROBABILITY = 0.008
const PUNCTUATION_PROBABILITY = 0.003
const OTHER_LETTER_PROBABILITY = 0.0008
const NON_LETTER_PROBABILITY = 0.00002
/**
 * Minimum geometric mean of the probabilities of the bytes outside ASCII. A text with a lower value is in none of the
 * languages, provided that it has at least MIN_CONCLUSIVE_BYTES of these bytes.
 */
const MIN_MEAN_PROBABILITY = 0.004
const MIN_CONCLUSIVE_BYTES = 8

/**
 * Number that is added to the log probability of each Windows code page, because Windows code pages are more common
 * than the other encodings of the same language.
 */
const WINDOWS_LOG_ADVANTAGE = 2

interface CodePageModel {
  encoding: string
  logAdvantage: number
  script: 'latin' | 'other'
  /** Natural logarithms of the probabilities of the bytes 0x80 to 0xff. */
  logProbabilities: Float64Array
}

let codePageModels: CodePageModel[] | undefined

function createCodePageModels(): CodePageModel[] {
  return LANGUAGES.flatMap(({ encodings, script, letters }) =>
    encodings.map((encoding) => ({
      encoding,
      script,
      logAdvantage: encoding.startsWith('windows') ? WINDOWS_LOG_ADVANTAGE : 0,
      logProbabilities: computeLogProbabilities(encoding, letters),
    })),
  )
}

function computeLogProbabilities(encoding: string, letters: string): Float64Array {
  const highBytes = Uint8Array.from({ length: 128 }, (_, index) => index + 128)
  const decoder = new TextDecoder(encoding)
  const probabilities = Array.from(highBytes, (byte) => {
    const character = decoder.decode(Uint8Array.of(byte))
    const rank = letters.indexOf(character)
    if (rank >= 0) return rank < FREQUENT_LETTER_COUNT ? FREQUENT_LETTER_PROBABILITY : RARE_LETTER_PROBABILITY
    if (PUNCTUATION.includes(character)) return PUNCTUATION_PROBABILITY
    return /^[\p{L}\p{M}]$/u.test(character) ? OTHER_LETTER_PROBABILITY : NON_LETTER_PROBABILITY
  })
  return Float64Array.from(probabilities, Math.log)
}

/** Returns the most likely encoding of a text that is not Unicode; null if the text is in no known language. */
export function guessEncoding(bytes: Uint8Array): string | null {
  return guessPairEncoding(bytes) ?? guessCodePage(bytes)
}

function guessPairEncoding(bytes: Uint8Array): string | null {
  for (const { name, classify } of PAIR_ENCODINGS) {
    const { frequentShare, kanaShare, adjacentPairShare } = measurePairs(bytes, classify)
    if (frequentShare < MIN_FREQUENT_SHARE || adjacentPairShare < MIN_ADJACENT_PAIR_SHARE) continue
    if (name !== 'euc-jp' || kanaShare >= MIN_KANA_SHARE) return name
  }
  return null
}

function measurePairs(bytes: Uint8Array, classify: PairEncoding['classify']) {
  const counts = { none: 0, rare: 0, frequent: 0 }
  let kanaCount = 0
  let adjacentPairCount = 0
  let pairEndIndex = -1
  for (let index = 0; index < bytes.length - 1; index++) {
    const firstByte = bytes[index]!
    if (firstByte < 0x80) continue
    const kind = classify(firstByte, bytes[index + 1]!)
    counts[kind] += 1
    if (kind === 'none') continue
    if (index === pairEndIndex) adjacentPairCount += 1
    if (firstByte === 0xa4 || firstByte === 0xa5) kanaCount += 1
    index += 1
    pairEndIndex = index + 1
  }
  const total = Math.max(1, counts.none + counts.rare + counts.frequent)
  return {
    frequentShare: counts.frequent / total,
    kanaShare: kanaCount / total,
    adjacentPairShare: adjacentPairCount / total,
  }
}

function guessCodePage(bytes: Uint8Array): string | null {
  const script = findScript(bytes)
  const highBytes = bytes.filter((byte) => byte >= 0x80)
  codePageModels ??= createCodePageModels()
  let bestMatch: { encoding: string; score: number; logAdvantage: number } | null = null
  for (const { encoding, logAdvantage, logProbabilities, script: scriptOfModel } of codePageModels) {
    if (scriptOfModel !== script) continue
    let score = 0
    for (const byte of highBytes) score += logProbabilities[byte - 0x80]!
    if (!bestMatch || score + logAdvantage > bestMatch.score + bestMatch.logAdvantage)
      bestMatch = { encoding, score, logAdvantage }
  }
  if (!bestMatch) return null
  const isUnlikelyEncoding = bestMatch.score / highBytes.length < Math.log(MIN_MEAN_PROBABILITY)
  return isUnlikelyEncoding && highBytes.length >= MIN_CONCLUSIVE_BYTES ? null : bestMatch.encoding
}

/**
 * Minimum length at which a word without ASCII letters counts as not Latin. Shorter words, such as the French "à", may
 * be Latin.
 */
const MIN_WORD_LETTERS = 3

/**
 * Returns the script of most words with letters outside ASCII. A word in Latin script also contains ASCII letters, and
 * a word in another script contains none.
 */
function findScript(bytes: Uint8Array): 'latin' | 'other' {
  let latinWordCount = 0
  let otherWordCount = 0
  let asciiLetterCount = 0
  let highByteCount = 0
  const endWord = () => {
    if (highByteCount > 0 && asciiLetterCount > 0) latinWordCount += 1
    else if (highByteCount >= MIN_WORD_LETTERS) otherWordCount += 1
    asciiLetterCount = 0
    highByteCount = 0
  }
  for (const byte of bytes) {
    if (byte >= 0x80) highByteCount += 1
    else if (isBetween(byte | 0x20, 0x61, 0x7a)) asciiLetterCount += 1
    else endWord()
  }
  endWord()
  return otherWordCount > latinWordCount ? 'other' : 'latin'
}
