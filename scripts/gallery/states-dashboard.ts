/** States of the dashboard. */

import { DASHBOARD_SECTIONS } from '../../src/lib/rules/dashboard-sections.ts'
import type { GalleryState } from './states.ts'
import type { GalleryWindow } from './window.ts'

const clickButton = async ({ page, translate }: GalleryWindow, key: string) => {
  await page
    .locator('[data-dashboard]')
    .getByRole('button', { name: translate(key) })
    .first()
    .click()
}
const openFirstRowMenu = async ({ page }: GalleryWindow) => {
  await page.locator('[data-dashboard] tbody button[popovertarget]').first().click()
}

export const dashboardStates: GalleryState[] = [
  ...DASHBOARD_SECTIONS.map((section) => ({
    name: `dashboard-${section}`,
    path: `/dashboard/?section=${section}`,
  })),
  {
    name: 'dashboard-invite',
    path: '/dashboard/?section=invitations',
    act: (window) => clickButton(window, 'dashboardpeople:invite'),
  },
  { name: 'dashboard-row-menu', path: '/dashboard/?section=catalogue', act: openFirstRowMenu },
]
