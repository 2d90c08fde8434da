import { Activity, useState } from 'react'
import { SlidersHorizontal } from '../../icons/index.ts'
import { t } from '../../lib/i18n/t.ts'
import {
  type BrowseFilters,
  clearBrowseFilters,
  formatBrowseFilters,
  parseBrowseFilters,
} from '../../lib/stores/browse.ts'
import { waitForPaint } from '../../lib/wait-for-paint.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { useOptimisticChange } from '../../ui/use-optimistic-change.ts'
import { FilterFields, type FilterFieldsProps } from './FilterFields.tsx'

interface Props extends FilterFieldsProps {
  /** Number of titles that match the filters; null while this number is loading. */
  totalCount: number | null
}
export function FilterPanel(props: Props) {
  const [isOpen, setIsOpen] = useState(false)
  /*
   * The dialog has about 70 controls, which render slowly on televisions. The dialog is therefore rendered, still
   * hidden, as soon as the button that opens the dialog is hovered or focused.
   */
  const [isPrerendered, setIsPrerendered] = useState(false)
  const prerenderDialog = () => setIsPrerendered(true)
  // When the dialog is closed, the browser computes the style of the whole page behind the dialog, which takes time.
  // The dialog is therefore hidden first, and closed only after a frame without the dialog was drawn. `Activity` shows
  // the dialog again when it is opened.
  const closePanel = async (button: Element) => {
    const dialog = button.closest('dialog')
    if (dialog) dialog.style.display = 'none'
    await waitForPaint()
    setIsOpen(false)
  }
  const [hasFilters, resetFilters] = useOptimisticChange(hasAnyFilter(props.filters), () =>
    props.onChange(clearBrowseFilters),
  )
  return (
    <>
      <Button
        icon={<SlidersHorizontal aria-hidden size={18} />}
        onPointerEnter={prerenderDialog}
        onFocus={prerenderDialog}
        onClick={() => setIsOpen(true)}
      >
        {t('browse:filters')}
      </Button>
      {(isPrerendered || isOpen) && (
        <Activity mode={isOpen ? 'visible' : 'hidden'}>
          <Dialog
            isWide
            title={t('browse:filters')}
            closeLabel={t('common:close')}
            onClose={() => setIsOpen(false)}
          >
            <FilterFields {...props} />
            <div
              data-last-row
              className="sticky bottom-0 flex flex-wrap items-center gap-2 border-t border-line bg-raised py-3"
            >
              <Button variant="primary" onClick={(event) => closePanel(event.currentTarget)}>
                {t('common:done')}
              </Button>
              <p role="status" className="numbers text-muted">
                {props.totalCount !== null && t('common:titles', { count: props.totalCount })}
              </p>
              <Button
                variant="quiet"
                className="ms-auto"
                // The small padding lets the button and the count fit on one line on phones, also in French.
                style={{ paddingInline: '0.5rem' }}
                disabled={!hasFilters}
                onClick={() => resetFilters(false)}
              >
                {t('browse:reset')}
              </Button>
            </div>
          </Dialog>
        </Activity>
      )}
    </>
  )
}

/** True if any filter is set; the sort order does not count. */
const hasAnyFilter = (filters: BrowseFilters) =>
  formatBrowseFilters({ ...filters, sort: parseBrowseFilters('').sort }) !== ''
