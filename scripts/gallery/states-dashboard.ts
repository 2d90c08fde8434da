/** The administrator's rooms. */

import { DASHBOARD_SECTIONS } from '../../src/lib/rules/dashboard-sections.ts'
import type { Stage } from './stage.ts'
import type { State } from './states.ts'

const press = async ({ page, w }: Stage, key: string) => {
  await page
    .locator('[data-dashboard]')
    .getByRole('button', { name: w(key) })
    .first()
    .click()
}
/** The menu of a table's first row. */
const rowMenu = async ({ page }: Stage) => {
  await page.locator('[data-dashboard] tbody button[popovertarget]').first().click()
}

export const dashboardStates: State[] = [
  ...DASHBOARD_SECTIONS.map((section) => ({
    name: `dashboard-${section}`,
    path: `/dashboard/?section=${section}`,
    whole: true,
  })),
  {
    name: 'dashboard-invite',
    path: '/dashboard/?section=invitations',
    act: (stage) => press(stage, 'dashboardpeople:invite'),
  },
  { name: 'dashboard-row-menu', path: '/dashboard/?section=catalogue', act: rowMenu },
]
