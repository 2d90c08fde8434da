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
/**
 * An element of the page. By default, the element is a control. `control` is the control that contains the element, or
 * null if the element is outside all controls.
 */
class TestElement extends EventTarget {
  textContent = ''
  title = ''
  label: string
  readonly #control: TestElement | null
  constructor(label: string, control?: TestElement | null) {
    super()
    this.label = label
    this.#control = control === undefined ? this : control
  }
  getAttribute = () => this.label
  querySelector = () => null
  closest = () => this.#control
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
const dispatchEventOn = (type: 'focusin' | 'pointerover', element: TestElement) => {
  const event = new Event(type)
  Object.defineProperty(event, 'target', { value: element })
  page.dispatchEvent(event)
}
const focusElement = (label: string) => dispatchEventOn('focusin', new TestElement(label))
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

it('the label of each focused control is read aloud in the language of the kids profile', () => {
  applyKidsInterface(createProfile(true, true))
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

it('when the focus moves to a second control with the same label, the label is read aloud again', () => {
  applyKidsInterface(createProfile(true, true))
  focusElement('Lecture')
  focusElement('Lecture')
  expect(spokenTexts.map(({ text }) => text)).toEqual(['Lecture', 'Lecture'])
})

it('the label of a control is read aloud only once while the pointer moves within the control and a click focuses the control', () => {
  applyKidsInterface(createProfile(true, true))
  const control = new TestElement('Lecture')
  dispatchEventOn('pointerover', control)
  dispatchEventOn('pointerover', new TestElement('', control))
  dispatchEventOn('focusin', control)
  expect(spokenTexts.map(({ text }) => text)).toEqual(['Lecture'])
  control.label = 'Pause'
  dispatchEventOn('pointerover', control)
  expect(spokenTexts.map(({ text }) => text)).toEqual(['Lecture', 'Pause'])
})

it('a label is read aloud again when the pointer returns to its control', () => {
  applyKidsInterface(createProfile(true, true))
  const control = new TestElement('Lecture')
  dispatchEventOn('pointerover', control)
  dispatchEventOn('pointerover', new TestElement('', null))
  dispatchEventOn('pointerover', control)
  expect(spokenTexts.map(({ text }) => text)).toEqual(['Lecture', 'Lecture'])
})

it('a label is read aloud again after speech was turned off and on', () => {
  const control = new TestElement('Lecture')
  for (const hasSpokenLabels of [true, false, true]) {
    applyKidsInterface(createProfile(true, hasSpokenLabels))
    dispatchEventOn('focusin', control)
  }
  expect(spokenTexts.map(({ text }) => text)).toEqual(['Lecture', 'Lecture'])
})

it('nothing is read aloud in a kids profile that has spoken labels turned off', () => {
  applyKidsInterface(createProfile(true, false))
  focusElement('Lecture')
  expect(spokenTexts).toEqual([])
})
