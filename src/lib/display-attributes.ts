/** Names of the data attributes of the root element for the display preferences of a profile. */
const DISPLAY_ATTRIBUTES = ['text', 'contrast', 'motion', 'home'] as const
export type DisplayAttributes = Partial<Record<(typeof DISPLAY_ATTRIBUTES)[number], string>>

/** Media query that matches while the system is set to high contrast. */
export const HIGH_CONTRAST_QUERY = '(prefers-contrast: more)'

/**
 * Sets the attributes of the root element, and removes those that `attributes` does not contain; null removes all.
 * While the system is set to high contrast, the attribute `contrast` is always `high`.
 */
export function setDisplayAttributes(attributes: DisplayAttributes | null): void {
  const { dataset } = document.documentElement
  const newValues = { ...(matchMedia(HIGH_CONTRAST_QUERY).matches && { contrast: 'high' }), ...attributes }
  // Only attributes without a new value are removed. If an attribute were removed and set again, the browser would
  // restyle every element of the page.
  for (const name of DISPLAY_ATTRIBUTES) if (!(name in newValues)) delete dataset[name]
  Object.assign(dataset, newValues)
}
