import { ChevronDown } from 'lucide-react'
import { useRef, useState } from 'react'
import type { HistoryFile } from '../../../lib/contract/transfer.ts'
import { t } from '../../../lib/i18n/t.ts'
import { Button } from '../../../ui/Button.tsx'

/** Somebody may have a hundred lists. */
const SHOWN = 8

/** What an archive held: its histories with their entries, and behind a line of its own what was passed over. */
export function Files({ files }: { files: readonly HistoryFile[] }) {
  const list = useRef<HTMLUListElement>(null)
  const read = files.filter((file) => file.why === null)
  const passed = files.filter((file) => file.why !== null)
  const [shown, setShown] = useState(SHOWN)
  if (files.length === 0) return null
  return (
    <section aria-label={t('transfer:files')} className="flex flex-col items-stretch gap-2">
      <h4 className="font-semibold">{t('transfer:files')}</h4>
      <ul ref={list} tabIndex={-1} className="divide-y divide-line">
        {read.slice(0, shown).map(({ name, rows }) => (
          <Line key={name} name={name} said={t('transfer:rows', { count: rows })} />
        ))}
      </ul>
      {read.length > shown && (
        <Button
          look="quiet"
          className="self-start"
          onClick={() => {
            setShown(read.length)
            list.current?.focus()
          }}
        >
          {t('common:showMore')}
        </Button>
      )}
      {passed.length > 0 && (
        <details className="group">
          <summary className="inline-flex min-h-11 cursor-pointer list-none items-center gap-2 rounded-md text-muted">
            <ChevronDown aria-hidden size={18} className="group-open:rotate-180" />
            {t('transfer:passedOver', { count: passed.length })}
          </summary>
          <ul className="divide-y divide-line">
            {passed.map(({ name, why }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two of them may bear the same name, and they stay in their order
              <Line key={at} name={name} said={why && t(`transfer:why_${why}`)} />
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}

function Line({ name, said }: { name: string; said: string | null }) {
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-6 py-2 text-sm">
      <bdi className="min-w-0 break-all">{name}</bdi>
      <span className="text-muted">{said}</span>
    </li>
  )
}
