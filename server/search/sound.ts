/**
 * How a word sounds, across scripts: "انسبشن", "inseption" and "Inception" share the skeleton "nsbXn".
 * A skeleton is the consonants in nine or so classes; Arabic writes few vowels and merges p/b and f/v, so do we.
 * Pure. English spelling is assumed for Latin letters; it is a net for candidates, never the judge of them.
 */

const arabic: Record<string, string> = {
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
const cyrillic: Record<string, string> = {
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
const greek: Record<string, string> = {
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
const tables = { ...arabic, ...cyrillic, ...greek }

export const isLatin = (word: string) => /^[a-z0-9+# ]*$/.test(word)

/** A folded word in Latin letters, or as it is when its script is not one of these three. */
export function romanise(word: string): string {
  if (isLatin(word)) return word
  // At the start of a word, or beside a vowel, waw and ya are consonants.
  const consonants = word.replace(/^و(?=[ا-ي])/, 'w').replace(/^ي(?=[ا-ي])/, 'y')
  let latin = ''
  for (const c of consonants) latin += tables[c] ?? c
  return latin
}

// Longer spellings first; capitals are finished sounds that later rules leave alone.
const rules: [RegExp, string][] = [
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

/** Names are made of few words, and a search hears those of hundreds of names. */
const KEPT_MOST = 20_000
const heard = new Map<string, string>()

/** The skeleton of a folded word; empty when the word has fewer than two consonant sounds, or is in another script. */
export function skeleton(word: string): string {
  const known = heard.get(word)
  if (known !== undefined) return known
  if (heard.size >= KEPT_MOST) heard.clear()
  const sound = hear(word)
  heard.set(word, sound)
  return sound
}

function hear(word: string): string {
  let sound = romanise(word)
  if (!/^[a-z]{3,}$/.test(sound)) return ''
  for (const [pattern, to] of rules) sound = sound.replace(pattern, to)
  return sound.length < 2 ? '' : sound
}
