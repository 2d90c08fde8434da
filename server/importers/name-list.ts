/** Collects the names of a title: one display name per language, and aliases that search also matches. */
import type { TitleRecord } from '../queries/title-record.ts'
import { hasVisibleCharacter } from './visible-text.ts'

type TitleName = TitleRecord['names'][number]
const MAX_NAME_LENGTH = 500

export class TitleNameList {
  readonly #displayNames = new Map<string, { name: TitleName; priority: number }>()
  readonly #aliases: TitleName[] = []

  /**
   * Adds a name. The name with the highest priority in a language becomes its display name, the others become aliases.
   * Of two names with equal priority, the name that was added first is preferred. A name with priority 0 is always an
   * alias. Names that are too long and names without a visible character are ignored.
   */
  add(lang: string, text: string, priority: number, role: 'main' | 'original' = 'main'): void {
    const name = text.trim()
    if (!hasVisibleCharacter(name) || name.length > MAX_NAME_LENGTH) return
    const currentName = this.#displayNames.get(lang)
    if (priority > (currentName?.priority ?? 0)) {
      if (currentName) this.#aliases.push({ ...currentName.name, role: 'aka' })
      this.#displayNames.set(lang, { name: { lang, text: name, role }, priority })
    } else this.#aliases.push({ lang, text: name, role: 'aka' })
  }

  hasDisplayName(lang: string): boolean {
    return this.#displayNames.has(lang)
  }

  /**
   * Returns all names, display names first. Sources repeat a text for many countries; each text is returned once per
   * language.
   */
  toNames(): TitleName[] {
    const names = [...[...this.#displayNames.values()].map(({ name }) => name), ...this.#aliases]
    const seenNameKeys = new Set<string>()
    return names.filter(({ lang, text }) => {
      const nameKey = `${lang} ${text}`
      return !seenNameKeys.has(nameKey) && seenNameKeys.add(nameKey)
    })
  }
}
