import { X } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { t } from '../../../lib/i18n/t.ts'
import { type BlockType, type Found, findToBlock } from '../../../lib/stores/admin/blocklist.ts'
import { Field } from '../../../ui/Field.tsx'

interface Props {
  type: Exclude<BlockType, 'keyword'>
  found: Found | null
  onFound: (found: Found | null) => void
}
const WAIT_MS = 250

/** Finds a title or a person by name: type, then pick. */
export function Finder({ type, found, onFound }: Props) {
  const [text, setText] = useState('')
  const [hits, setHits] = useState<Found[] | null>(null)
  const id = useId()
  useEffect(() => {
    const q = text.trim()
    if (!q) return setHits(null)
    let late = false
    const timer = setTimeout(() => {
      findToBlock(type, q)
        .catch(() => [])
        .then((answer) => !late && setHits(answer))
    }, WAIT_MS)
    return () => {
      late = true
      clearTimeout(timer)
    }
  }, [type, text])
  if (found) {
    return (
      <div className="flex items-center justify-between gap-3 rounded-md border border-accent px-4 py-2">
        <Hit hit={found} />
        <button
          type="button"
          aria-label={t('dashboardlibrary:pickAnother')}
          title={t('dashboardlibrary:pickAnother')}
          onClick={() => onFound(null)}
          className="grid size-9 place-items-center rounded-md text-muted hover:text-ink"
        >
          <X aria-hidden size={18} />
        </button>
      </div>
    )
  }
  return (
    <div className="flex flex-col gap-2">
      <Field
        label={t(type === 'actor' ? 'dashboardlibrary:findActor' : 'dashboardlibrary:findTitle')}
        value={text}
        autoComplete="off"
        aria-controls={id}
        onChange={(event) => setText(event.target.value)}
      />
      <div id={id} aria-live="polite">
        {hits?.length === 0 && <p className="text-sm text-muted">{t('dashboardlibrary:noneFound')}</p>}
        {hits && hits.length > 0 && (
          <ul className="max-h-56 overflow-y-auto rounded-md border border-line p-1">
            {hits.map((hit) => (
              <li key={hit.id}>
                <button
                  type="button"
                  onClick={() => onFound(hit)}
                  className="flex min-h-10 w-full items-center rounded-md px-3 text-start text-sm hover:bg-overlay"
                >
                  <Hit hit={hit} />
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  )
}

function Hit({ hit }: { hit: Found }) {
  return (
    <span className="min-w-0 truncate">
      <bdi className="font-medium">{hit.name}</bdi>
      {hit.year !== null && <span className="numbers text-muted"> ({hit.year})</span>}
    </span>
  )
}
