import { useLayoutEffect, useRef } from 'react'
import { X } from '../../icons/index.ts'
import type { MediaCard } from '../../lib/contract/media.ts'
import { t } from '../../lib/i18n/t.ts'
import { getPreviewWidth, positionPreview } from '../../lib/rules/preview-position.ts'
import { openDialog } from '../../ui/dialog-opening.ts'
import { ToastOutlet } from '../../ui/ToastOutlet.tsx'
import { TitlePreview } from './TitlePreview.tsx'

interface Props {
  cardElement: HTMLElement
  title: MediaCard
}
/** Smallest distance of the preview from the header and from the edges of the window. */
const MIN_EDGE_DISTANCE_PX = 8
/** Smallest width in which the action buttons fit. */
const MIN_PREVIEW_WIDTH_REM = 21.5

/** Sizes and positions the preview over its card, before the browser paints it. */
function positionOverCard(previewElement: HTMLElement, cardElement: HTMLElement): void {
  const root = document.documentElement
  const container = cardElement.closest('.edge,.row-track')
  const pagePaddingPx = container ? Number.parseFloat(getComputedStyle(container).paddingInlineStart) : 0
  const sideDistancePx = Math.max(MIN_EDGE_DISTANCE_PX, pagePaddingPx)
  const headerBottomPx = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0
  const visibleArea = {
    left: sideDistancePx,
    right: root.clientWidth - sideDistancePx,
    top: Math.max(0, headerBottomPx) + MIN_EDGE_DISTANCE_PX,
    bottom: root.clientHeight - MIN_EDGE_DISTANCE_PX,
  }
  const cardBox = cardElement.getBoundingClientRect()
  const minWidthPx = MIN_PREVIEW_WIDTH_REM * Number.parseFloat(getComputedStyle(root).fontSize)
  previewElement.style.width = `${getPreviewWidth(cardBox.width, minWidthPx, visibleArea)}px`
  /* The offset size is used, because the bounding box would include the scale of the opening animation. */
  const previewSize = { width: previewElement.offsetWidth, height: previewElement.offsetHeight }
  const { left, top, origin } = positionPreview(cardBox, previewSize, visibleArea)
  Object.assign(previewElement.style, {
    left: `${left}px`,
    top: `${top}px`,
    transformOrigin: `${origin.x}px ${origin.y}px`,
  })
}

const FRAME_CLASSES =
  'overflow-hidden rounded-lg border border-line bg-raised p-0 text-ink shadow-(--shadow-dialog)'

/** Preview that opens on hover. It does not take the focus. */
export function HoverPreviewCard({ cardElement, title }: Props) {
  const previewRef = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (previewRef.current) positionOverCard(previewRef.current, cardElement)
  }, [cardElement])
  return (
    <div
      ref={previewRef}
      role="dialog"
      aria-label={title.title}
      className={`preview fixed z-40 ${FRAME_CLASSES}`}
    >
      <TitlePreview title={title} />
    </div>
  )
}

/**
 * Preview that opens by key or touch, as a modal dialog. Escape, Back and a press on the backdrop close it.
 */
export function DialogPreviewCard({
  cardElement,
  title,
  isSheet,
  onClose,
}: Props & { isSheet: boolean; onClose: () => void }) {
  const previewRef = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const dialog = previewRef.current
    if (!dialog) return
    openDialog(dialog)
    if (!isSheet) positionOverCard(dialog, cardElement)
  }, [cardElement, isSheet])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the browser closes the dialog on Escape
    <dialog
      ref={previewRef}
      aria-label={title.title}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClose={onClose}
      onClick={(event) => event.target === previewRef.current && onClose()}
      className={`${isSheet ? 'preview-sheet' : 'preview m-0'} ${FRAME_CLASSES} max-h-[92dvh] backdrop:bg-black/50`}
    >
      <TitlePreview title={title} isSheet={isSheet} />
      <button
        type="button"
        aria-label={t('common:close')}
        onClick={onClose}
        className="absolute end-2 top-2 grid size-11 place-items-center rounded-full bg-black/60 text-white"
      >
        <X aria-hidden size={20} />
      </button>
      <ToastOutlet />
    </dialog>
  )
}
