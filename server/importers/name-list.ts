/** Names of a title by language: one that it is shown under in each, and others that search finds it by. */
import type { TitleRecord } from '../queries/title-record.ts'

type Name = TitleRecord['names'][number]
const MOST_TEXT = 500

export class NameList {
  readonly #best = new Map<string, { name: Name; worth: number }>()
  readonly #others: Name[] = []

  /** Of two names in one language, the worthier is the one; 0 is never more than another name. The first of equals stays. */
  offer(lang: string, text: string, worth: number, role: 'main' | 'original' = 'main'): void {
    const words = text.trim()
    if (words === '' || words.length > MOST_TEXT) return
    const before = this.#best.get(lang)
    if (worth > (before?.worth ?? 0)) {
      if (before) this.#others.push({ ...before.name, role: 'aka' })
      this.#best.set(lang, { name: { lang, text: words, role }, worth })
    } else this.#others.push({ lang, text: words, role: 'aka' })
  }

  has(lang: string): boolean {
    return this.#best.has(lang)
  }

  /** Sources repeat one text for many countries; here it comes once in a language. */
  list(): Name[] {
    const names = [...[...this.#best.values()].map(({ name }) => name), ...this.#others]
    const met = new Set<string>()
    return names.filter(({ lang, text }) => {
      const key = `${lang} ${text}`
      return !met.has(key) && met.add(key)
    })
  }
}
