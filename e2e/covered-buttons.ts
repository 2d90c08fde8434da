/** Finds the buttons that a message covers. */
import type { Locator } from '@playwright/test'

/** Returns the labels of the buttons and links at the end of the dialog whose box overlaps the box of `message`. */
export async function findCoveredButtons(dialog: Locator, message: Locator): Promise<string[]> {
  const messageBox = await message.boundingBox()
  if (!messageBox) throw new Error('The message is not visible.')
  return dialog.evaluate((element, { x, y, width, height }) => {
    const buttons = [...element.querySelectorAll<HTMLElement>('[data-last-row] :is(button, a)')]
    if (buttons.length === 0) throw new Error('The dialog has no buttons at its end.')
    const isCovered = (button: HTMLElement) => {
      const { left, right, top, bottom } = button.getBoundingClientRect()
      return left < x + width && right > x && top < y + height && bottom > y
    }
    return buttons.filter(isCovered).map((button) => button.textContent ?? '')
  }, messageBox)
}
