/** Outlets: elements that display messages, one in each open modal dialog. */
import { expect, it } from 'vitest'
import { addToastOutlet, getTopToastOutlet, onToastOutletChange } from '../../src/ui/toast-outlets.ts'

const createOutlet = (name: string) => ({ name }) as unknown as HTMLElement

it('messages are displayed in the dialog that was opened last, and in the page after all dialogs were closed', () => {
  const [dialogOutlet, nestedOutlet] = [createOutlet('dialog'), createOutlet('nested')]
  expect(getTopToastOutlet()).toBeNull()
  const removeDialogOutlet = addToastOutlet(dialogOutlet)
  const removeNestedOutlet = addToastOutlet(nestedOutlet)
  expect(getTopToastOutlet()).toBe(nestedOutlet)
  removeNestedOutlet()
  expect(getTopToastOutlet()).toBe(dialogOutlet)
  removeDialogOutlet()
  expect(getTopToastOutlet()).toBeNull()
})

it('messages stay in the dialog that was opened last when an earlier dialog is closed first', () => {
  const nestedOutlet = createOutlet('nested')
  const removeDialogOutlet = addToastOutlet(createOutlet('dialog'))
  const removeNestedOutlet = addToastOutlet(nestedOutlet)
  removeDialogOutlet()
  expect(getTopToastOutlet()).toBe(nestedOutlet)
  removeNestedOutlet()
  expect(getTopToastOutlet()).toBeNull()
})

it('listeners are notified when a dialog is opened and closed, until they unsubscribe', () => {
  const shownOutlets: (HTMLElement | null)[] = []
  const unsubscribe = onToastOutletChange(() => shownOutlets.push(getTopToastOutlet()))
  const outlet = createOutlet('dialog')
  const removeOutlet = addToastOutlet(outlet)
  removeOutlet()
  unsubscribe()
  addToastOutlet(outlet)()
  expect(shownOutlets).toEqual([outlet, null])
})
