/** The kids interface: styles, and labels that are read aloud. A profile that is not a kids profile has neither. */
import { beforeEach, expect, it } from 'vitest'
import type { Profile } from '../../src/lib/contract/profiles.ts'

const spokenTexts: { text: string; lang: string }[] = []
class TestStyleSheet {
  text = ''
  replaceSync(text: string): void {
    this.text = text
  }
}
class TestElement extends EventTarget {
  textContent = ''
  title = ''
  readonly #label: string
  constructor(label: string) {
    super()
    this.#label = label
  }
  getAttribute = () => this.#label
  querySelector = () => null
  closest = () => this
}
const page = Object.assign(new EventTarget(), { adoptedStyleSheets: [] as TestStyleSheet[] })
Object.assign(globalThis, {
  CSSStyleSheet: TestStyleSheet,
  Element: TestElement,
  SpeechSynthesisUtterance: class {
    lang = ''
    readonly text: string
    constructor(text: string) {
      this.text = text
    }
  },
  speechSynthesis: {
    speak: (utterance: { text: string; lang: string }) =>
      spokenTexts.push({ text: utterance.text, lang: utterance.lang }),
    cancel: () => {},
  },
})
Object.defineProperty(globalThis, 'document', { value: page, configurable: true })
const { applyKidsInterface } = await import('../../src/lib/stores/kids-interface.ts')

const createProfile = (kids: boolean, spoken_labels: boolean) =>
  ({ kids, spoken_labels, preferences: { language: 'fr' } }) as Profile
const focusElement = (label: string) => {
  const event = new Event('focusin')
  Object.defineProperty(event, 'target', { value: new TestElement(label) })
  page.dispatchEvent(event)
}
beforeEach(() => {
  spokenTexts.length = 0
  applyKidsInterface(createProfile(false, false))
})

it('a kids profile gets larger cards and navigation icons, and other profiles do not', () => {
  applyKidsInterface(createProfile(true, false))
  applyKidsInterface(createProfile(true, false))
  expect(page.adoptedStyleSheets).toHaveLength(1)
  expect(page.adoptedStyleSheets[0]?.text).toContain('--cards')
  expect(page.adoptedStyleSheets[0]?.text).toContain('/icons/navigation.svg')
  applyKidsInterface(createProfile(false, false))
  expect(page.adoptedStyleSheets).toEqual([])
})

it('each focused label is read aloud once in the language of the kids profile', () => {
  applyKidsInterface(createProfile(true, true))
  focusElement('Lecture')
  focusElement('Lecture')
  focusElement('Recherche')
  expect(spokenTexts).toEqual([
    { text: 'Lecture', lang: 'fr' },
    { text: 'Recherche', lang: 'fr' },
  ])
  applyKidsInterface(createProfile(false, true))
  focusElement('Accueil')
  expect(spokenTexts).toHaveLength(2)
})

it('nothing is read aloud in a kids profile without spoken labels', () => {
  applyKidsInterface(createProfile(true, false))
  focusElement('Lecture')
  expect(spokenTexts).toEqual([])
})
