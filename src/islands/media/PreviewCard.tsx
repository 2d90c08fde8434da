import { X } from 'lucide-react'
import { useLayoutEffect, useRef } from 'react'
import type { MediaCard } from '../../lib/contract/media.ts'
import { t } from '../../lib/i18n/t.ts'
import { placePreview, previewWidth } from '../../lib/rules/preview-place.ts'
import { Preview } from './Preview.tsx'

interface Props {
  card: HTMLElement
  media: MediaCard
}
/** Around it, beside the page's own edge. */
const GAP = 8
/** What its buttons need, in rem. */
const LEAST_REM = 18

/** Over its card, in one step: measured once, before it is painted. */
function put(element: HTMLElement, card: HTMLElement): void {
  const root = document.documentElement
  const around = card.closest('.edge,.row-track')
  const edge = Math.max(GAP, around ? Number.parseFloat(getComputedStyle(around).paddingInlineStart) : 0)
  const bar = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0
  const room = {
    left: edge,
    right: root.clientWidth - edge,
    top: Math.max(0, bar) + GAP,
    bottom: root.clientHeight - GAP,
  }
  const from = card.getBoundingClientRect()
  const least = LEAST_REM * Number.parseFloat(getComputedStyle(root).fontSize)
  element.style.width = `${previewWidth(from.width, least, room)}px`
  /* Not its box, which grows at this moment. */
  const size = { width: element.offsetWidth, height: element.offsetHeight }
  const { left, top, origin } = placePreview(from, size, room)
  Object.assign(element.style, {
    left: `${left}px`,
    top: `${top}px`,
    transformOrigin: `${origin.x}px ${origin.y}px`,
  })
}

const LOOK = 'overflow-hidden rounded-lg border border-line bg-raised p-0 text-ink shadow-(--shadow-dialog)'

/** Opened by a pointer that rests: the focus stays where it is. */
export function HoverCard({ card, media }: Props) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (box.current) put(box.current, card)
  }, [card])
  return (
    <div ref={box} role="dialog" aria-label={media.title} className={`preview fixed z-40 ${LOOK}`}>
      <Preview media={media} />
    </div>
  )
}

/** Asked for by name: the browser keeps the focus inside; Escape, Back and a press beside it close it. */
export function MenuCard({ card, media, sheet, onClose }: Props & { sheet: boolean; onClose: () => void }) {
  const box = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const dialog = box.current
    dialog?.showModal()
    if (dialog && !sheet) put(dialog, card)
    dialog?.querySelector<HTMLElement>('[data-first]')?.focus()
  }, [card, sheet])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does it for the keyboard, by the browser
    <dialog
      ref={box}
      aria-label={media.title}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClose={onClose}
      onClick={(event) => event.target === box.current && onClose()}
      className={`${sheet ? 'preview-sheet' : 'preview m-0'} ${LOOK} backdrop:bg-black/50`}
    >
      <Preview media={media} sheet={sheet} />
      <button
        type="button"
        aria-label={t('common:close')}
        onClick={onClose}
        className="absolute end-2 top-2 grid size-11 place-items-center rounded-full bg-black/60 text-white"
      >
        <X aria-hidden size={20} />
      </button>
    </dialog>
  )
}
