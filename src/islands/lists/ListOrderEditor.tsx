import { useEffect, useRef, useState } from 'react'
import { ArrowDown, ArrowUp, GripVertical, X } from '../../icons/index.ts'
import type { NamedList, NamedListItem } from '../../lib/contract/lists.ts'
import { t } from '../../lib/i18n/t.ts'
import { moveListItem } from '../../lib/stores/named-list-page.ts'
import { setTitlesInList } from '../../lib/stores/named-lists.ts'
import { IconButton } from '../../ui/Button.tsx'
import { TitleName } from '../media/Name.tsx'
import { SmallPoster } from '../media/SmallPoster.tsx'

const MOVE_BUTTONS = [
  [-1, 'lists:moveUp', ArrowUp],
  [1, 'lists:moveDown', ArrowDown],
] as const

interface Props {
  list: NamedList
  items: readonly NamedListItem[]
}

/**
 * Editor of a named list. The user changes the order by dragging a row or with the buttons of the row, and removes
 * titles.
 */
export function ListOrderEditor({ list, items }: Props) {
  const [draggedIndex, setDraggedIndex] = useState<number | null>(null)
  const [targetIndex, setTargetIndex] = useState<number | null>(null)
  const [announcement, setAnnouncement] = useState('')
  const pressedButtonKeyRef = useRef<string | null>(null)
  const listRef = useRef<HTMLOListElement>(null)
  /* Focuses the pressed button again. The button loses the focus when React moves its row in the DOM. */
  useEffect(() => {
    if (pressedButtonKeyRef.current)
      listRef.current?.querySelector<HTMLElement>(`[data-move="${pressedButtonKeyRef.current}"]`)?.focus()
    pressedButtonKeyRef.current = null
  })
  const moveItem = (fromIndex: number, toIndex: number, pressedButtonKey: string | null = null) => {
    const movedItem = items[fromIndex]
    if (!movedItem || toIndex === fromIndex || toIndex < 0 || toIndex >= items.length) return
    pressedButtonKeyRef.current = pressedButtonKey
    setAnnouncement(
      // `title_count` also counts titles at the end of a long list that are not loaded yet.
      t('lists:moved', { title: movedItem.media.title, place: toIndex + 1, count: list.title_count }),
    )
    void moveListItem(fromIndex, toIndex)
  }
  const dropItem = (toIndex: number) => {
    if (draggedIndex !== null) moveItem(draggedIndex, toIndex)
    setDraggedIndex(null)
    setTargetIndex(null)
  }
  return (
    <>
      <ol ref={listRef} className="divide-y divide-line">
        {items.map(({ media }, index) => {
          const titleKey = `${media.type}/${media.id}`
          return (
            <li
              key={titleKey}
              draggable
              className={`flex items-center gap-2 py-2 sm:gap-3 ${targetIndex === index ? 'bg-raised' : ''} ${draggedIndex === index ? 'opacity-50' : ''}`}
              onDragStart={() => setDraggedIndex(index)}
              onDragEnd={() => dropItem(draggedIndex ?? 0)}
              onDragOver={(event) => {
                event.preventDefault()
                if (targetIndex !== index) setTargetIndex(index)
              }}
              onDrop={(event) => {
                event.preventDefault()
                dropItem(index)
              }}
            >
              <GripVertical
                aria-hidden
                size={18}
                className="shrink-0 cursor-grab text-muted pointer-coarse:hidden"
              />
              <span className="numbers w-6 shrink-0 sm:w-8 text-end text-muted">{index + 1}</span>
              <SmallPoster posterPath={media.poster_path} />
              <span className="min-w-0 grow">
                <TitleName title={media} className="clamp-2 font-semibold wrap-anywhere" />
                <span className="numbers block text-sm text-muted">{media.year}</span>
              </span>
              {MOVE_BUTTONS.map(([step, labelKey, Icon]) => (
                <IconButton
                  key={step}
                  data-move={`${titleKey}${step}`}
                  label={t(labelKey, { title: media.title })}
                  aria-disabled={index + step < 0 || index + step >= items.length}
                  onClick={() => moveItem(index, index + step, `${titleKey}${step}`)}
                >
                  <Icon aria-hidden size={18} />
                </IconButton>
              ))}
              <IconButton
                label={t('lists:removeTitle', { title: media.title })}
                onClick={() => void setTitlesInList(list, [media], false)}
              >
                <X aria-hidden size={18} />
              </IconButton>
            </li>
          )
        })}
      </ol>
      <p role="status" className="sr-only">
        {announcement}
      </p>
    </>
  )
}
