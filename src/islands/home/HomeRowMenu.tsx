import { useStore } from '@nanostores/react'
import { useRef } from 'react'
import { ArrowDown, ArrowUp, CirclePlay, Ellipsis, EyeOff } from '../../icons/index.ts'
import { getCurrentLocale, t } from '../../lib/i18n/t.ts'
import { href } from '../../lib/routes.ts'
import { type HomeRow, type HomeRowPreference, orderHomeRows } from '../../lib/rules/home-rows.ts'
import { hideHomeRow, moveDisplayedHomeRow } from '../../lib/rules/move-home-row.ts'
import { $hasRestrictedViewer } from '../../lib/stores/parent.ts'
import { saveProfilePreferences } from '../../lib/stores/preferences.ts'
import { $profile } from '../../lib/stores/profile.ts'
import { showToast } from '../../lib/stores/toast.ts'
import { Menu, menuItemClass } from '../../ui/Menu.tsx'

/**
 * Menu in the heading of a home row. It moves or hides the row; a toast offers Undo. Only adults can change
 * the rows of a restricted profile.
 */
export default function HomeRowMenu({ row }: { row: HomeRow }) {
  const profile = useStore($profile)
  const hasRestrictedViewer = useStore($hasRestrictedViewer)
  const rootRef = useRef<HTMLDivElement>(null)
  if (!profile || hasRestrictedViewer) return null
  const rows = orderHomeRows(profile.preferences.home_rows)
  const name = t(`customise:row_${row}`)
  const moveRow = async (direction: 1 | -1) => {
    const { displayedRows, index } = locateRow(rows, row)
    if (!(await saveHomeRows(moveDisplayedHomeRow(rows, displayedRows, row, direction)))) return
    const announcementValues = { row: name, place: index + direction + 1, count: displayedRows.size }
    showToast('customise:moved', { values: announcementValues, undo: () => void saveHomeRows(rows) })
    // The focus is set again, because the button loses it when React moves the row in the document.
    const menuButton = rootRef.current?.querySelector('button')
    menuButton?.focus()
    menuButton?.scrollIntoView({ block: 'center' })
  }
  const hideRow = async () => {
    const nextMenuButton = findNeighbourMenuButton(rootRef.current)
    if (!(await saveHomeRows(hideHomeRow(rows, row)))) return
    showToast('customise:hidden', { values: { row: name }, undo: () => void saveHomeRows(rows) })
    nextMenuButton?.focus()
  }
  return (
    <div ref={rootRef} data-row-menu={row} className="-my-2 ms-auto shrink-0 self-start">
      <Menu
        label={t('customise:rowMenu', { row: name })}
        button={<Ellipsis aria-hidden size={20} className="text-muted" />}
      >
        {(closeMenu) => {
          const { displayedRows, index } = locateRow(rows, row)
          const menuItems = [
            { key: 'moveUp', Icon: ArrowUp, isShown: index > 0, runAction: () => moveRow(-1) },
            {
              key: 'moveDown',
              Icon: ArrowDown,
              isShown: index < displayedRows.size - 1,
              runAction: () => moveRow(1),
            },
            { key: 'hide', Icon: EyeOff, isShown: true, runAction: hideRow },
          ] as const
          return (
            <div ref={scrollPanelIntoView}>
              {row === 'continue' && (
                <a className={menuItemClass} href={href('watch-next', getCurrentLocale())}>
                  <CirclePlay aria-hidden size={18} />
                  {t('header:watchNext')}
                </a>
              )}
              {menuItems
                .filter(({ isShown }) => isShown)
                .map(({ key, Icon, runAction }) => (
                  <button
                    key={key}
                    type="button"
                    className={menuItemClass}
                    onClick={() => {
                      closeMenu()
                      void runAction()
                    }}
                  >
                    <Icon aria-hidden size={18} />
                    {t(`customise:${key}`)}
                  </button>
                ))}
            </div>
          )
        }}
      </Menu>
    </div>
  )
}

/** Returns the names of the displayed rows in the order of `rows`, and the index of `row` among these names. */
function locateRow(rows: readonly HomeRowPreference[], row: HomeRow) {
  const rowMenus = document.querySelectorAll<HTMLElement>('[data-row-menu]')
  const rowsWithMenu = new Set([...rowMenus].map((menu) => menu.dataset['rowMenu']))
  const displayedRows = rows.map((homeRow) => homeRow.row).filter((name) => rowsWithMenu.has(name))
  return { displayedRows: new Set<string>(displayedRows), index: displayedRows.indexOf(row) }
}

/** Scrolls the menu into view. Otherwise, a menu at the lower edge of the window would be cut off. */
function scrollPanelIntoView(menuElement: HTMLElement | null): void {
  menuElement?.parentElement?.scrollIntoView({ block: 'nearest' })
}

/** Resolves with true if the rows were saved. Otherwise shows an error message and resolves with false. */
async function saveHomeRows(home_rows: HomeRowPreference[]): Promise<boolean> {
  try {
    await saveProfilePreferences({ home_rows })
    return true
  } catch {
    showToast('errors:generic', { kind: 'bad' })
    return false
  }
}

/**
 * Returns the menu button of the next row, else that of the previous row. This button gets the focus when the row is
 * hidden.
 */
function findNeighbourMenuButton(rowMenu: HTMLElement | null): HTMLElement | null {
  const rowMenus = [...document.querySelectorAll<HTMLElement>('[data-row-menu]')]
  const index = rowMenu ? rowMenus.indexOf(rowMenu) : -1
  return (rowMenus[index + 1] ?? rowMenus[index - 1])?.querySelector('button') ?? null
}
