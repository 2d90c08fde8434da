import type { HistoryFile } from '../../../lib/contract/transfer.ts'
import { t } from '../../../lib/i18n/t.ts'

/** What an archive held: its histories with their entries, and behind a line of its own what was passed over. */
export function Files({ files }: { files: readonly HistoryFile[] }) {
  const read = files.filter((file) => file.why === null)
  const passed = files.filter((file) => file.why !== null)
  if (files.length === 0) return null
  return (
    <section aria-label={t('transfer:files')} className="flex flex-col gap-2">
      <h4 className="font-semibold">{t('transfer:files')}</h4>
      <ul className="max-h-72 divide-y divide-line overflow-y-auto">
        {read.map(({ name, rows }) => (
          <Line key={name} name={name} said={t('transfer:rows', { count: rows })} />
        ))}
      </ul>
      {passed.length > 0 && (
        <details>
          <summary className="inline-flex min-h-11 cursor-pointer items-center rounded-md text-muted underline underline-offset-4">
            {t('transfer:passedOver', { count: passed.length })}
          </summary>
          <ul className="max-h-72 divide-y divide-line overflow-y-auto">
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
