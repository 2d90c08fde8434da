/**
 * Phonetic keys across scripts: "انسبشن", "inseption" and "Inception" share the skeleton "nsbXn". Each character of a
 * skeleton stands for a class of similar consonants. Vowels are dropped, because Arabic writes few of them. The letters
 * h, w and y are dropped too, except an h or w at the beginning. Letters that Arabic does not distinguish, such as p
 * and b or f and v, are in one class. Words in Latin letters are pronounced as in English. Skeletons only find
 * candidates; the ranking then compares the names of the candidates.
 */

const arabicLetters: Record<string, string> = {
  ا: 'a',
  ب: 'b',
  ت: 't',
  ث: 'th',
  ج: 'j',
  ح: 'h',
  خ: 'kh',
  د: 'd',
  ذ: 'th',
  ر: 'r',
  ز: 'z',
  س: 's',
  ش: 'sh',
  ص: 's',
  ض: 'd',
  ط: 't',
  ظ: 'z',
  ع: 'a',
  غ: 'gh',
  ف: 'f',
  ق: 'k',
  ك: 'k',
  ل: 'l',
  م: 'm',
  ن: 'n',
  ه: 'h',
  و: 'o',
  ي: 'i',
}
const cyrillicLetters: Record<string, string> = {
  а: 'a',
  б: 'b',
  в: 'v',
  г: 'g',
  д: 'd',
  е: 'e',
  ж: 'zh',
  з: 'z',
  и: 'i',
  к: 'k',
  л: 'l',
  м: 'm',
  н: 'n',
  о: 'o',
  п: 'p',
  р: 'r',
  с: 's',
  т: 't',
  у: 'u',
  ф: 'f',
  х: 'h',
  ц: 'ts',
  ч: 'ch',
  ш: 'sh',
  щ: 'sch',
  ъ: '',
  ы: 'y',
  ь: '',
  э: 'e',
  ю: 'yu',
  я: 'ya',
  і: 'i',
  ї: 'i',
  є: 'e',
  ґ: 'g',
}
const greekLetters: Record<string, string> = {
  α: 'a',
  β: 'v',
  γ: 'g',
  δ: 'd',
  ε: 'e',
  ζ: 'z',
  η: 'i',
  θ: 'th',
  ι: 'i',
  κ: 'k',
  λ: 'l',
  μ: 'm',
  ν: 'n',
  ξ: 'x',
  ο: 'o',
  π: 'p',
  ρ: 'r',
  σ: 's',
  τ: 't',
  υ: 'i',
  φ: 'f',
  χ: 'ch',
  ψ: 'ps',
  ω: 'o',
}
const latinByLetter = { ...arabicLetters, ...cyrillicLetters, ...greekLetters }

export const isLatin = (word: string) => /^[a-z0-9+# ]*$/.test(word)

/**
 * Transliterates a folded word from Arabic, Cyrillic or Greek to Latin letters. Letters of other scripts stay
 * unchanged.
 */
export function romanise(word: string): string {
  if (isLatin(word)) return word
  // At the start of a word before another letter, waw and ya are consonants.
  const wordWithConsonants = word.replace(/^و(?=[ا-ي])/, 'w').replace(/^ي(?=[ا-ي])/, 'y')
  let latinText = ''
  for (const letter of wordWithConsonants) latinText += latinByLetter[letter] ?? letter
  return latinText
}

// Rules for longer spellings come first. A capital letter marks a sound that later rules do not change.
const soundRules: [RegExp, string][] = [
  [/(?<=.)[st]io(?=n)/g, 'X'],
  [/(?<=.)[ct]i(?=[ao][uln])/g, 'X'],
  [/^(?:kn|gn|pn)/, 'n'],
  [/^wr/, 'r'],
  [/^ps/, 's'],
  [/^x/, 's'],
  [/sch|tch|sh|ch/g, 'X'],
  [/ph/g, 'f'],
  [/(?<=[aeiou])gh(?![aeiou])/g, ''],
  [/gh|dg(?=e)|dj|zh|j|g/g, 'G'],
  [/kh|ck|q/g, 'k'],
  [/sc(?=[eiy])|c(?=[eiy])/g, 's'],
  [/th/g, 't'],
  [/c/g, 'k'],
  [/x/g, 'ks'],
  [/z/g, 's'],
  [/p/g, 'b'],
  [/v/g, 'f'],
  [/d/g, 't'],
  [/(?<=.)[aeiouywh]+/g, ''],
  [/^[aeiouy]+/, ''],
  [/(.)\1+/g, '$1'],
]

/**
 * Maximum number of cached skeletons. One search needs the skeletons of hundreds of names, in which many words repeat.
 */
const MAX_CACHED_SKELETONS = 20_000
const skeletonCache = new Map<string, string>()

/**
 * Returns the skeleton of a folded word. The skeleton is empty when the word has fewer than two consonant
 * sounds, fewer than three letters, or characters that `romanise` cannot convert to Latin letters.
 */
export function computeSoundSkeleton(word: string): string {
  const cachedSkeleton = skeletonCache.get(word)
  if (cachedSkeleton !== undefined) return cachedSkeleton
  if (skeletonCache.size >= MAX_CACHED_SKELETONS) skeletonCache.clear()
  const skeleton = computeSkeleton(word)
  skeletonCache.set(word, skeleton)
  return skeleton
}

function computeSkeleton(word: string): string {
  let sound = romanise(word)
  if (!/^[a-z]{3,}$/.test(sound)) return ''
  for (const [pattern, replacement] of soundRules) sound = sound.replace(pattern, replacement)
  return sound.length < 2 ? '' : sound
}
