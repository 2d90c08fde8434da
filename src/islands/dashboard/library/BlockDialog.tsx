import { type FormEvent, useState } from 'react'
import type { Key } from '../../../lib/i18n/keys.ts'
import { t } from '../../../lib/i18n/t.ts'
import { addBlock, BLOCK_TYPES, type BlockType, type Found } from '../../../lib/stores/admin/blocklist.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Field } from '../../../ui/Field.tsx'
import { Select } from '../../../ui/Select.tsx'
import { Action } from '../kit/Action.tsx'
import { Finder } from './Finder.tsx'

/** Asks what is to be hidden from everybody, and why. */
export function BlockDialog({ onClose }: { onClose: () => void }) {
  const [type, setType] = useState<BlockType>('movie')
  const [found, setFound] = useState<Found | null>(null)
  const [word, setWord] = useState('')
  const [reason, setReason] = useState('')
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<Key | null>(null)
  const ready = type === 'keyword' ? word.trim() !== '' : found !== null
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    const reasonNot = await addBlock({
      type,
      ...(type === 'keyword' ? { value: word.trim() } : { media_id: found?.id ?? '' }),
      ...(reason.trim() && { reason: reason.trim() }),
    })
    setBusy(false)
    if (reasonNot) setRefused(reasonNot)
    else onClose()
  }
  return (
    <Dialog title={t('dashboardlibrary:addBlock')} closeLabel={t('common:close')} onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-5">
        <Select
          label={t('dashboardlibrary:type')}
          value={type}
          options={BLOCK_TYPES.map((value) => ({ value, label: t(`dashboardlibrary:block_${value}`) }))}
          onChange={(next) => {
            setType(next)
            setFound(null)
          }}
        />
        {type === 'keyword' ? (
          <Field
            label={t('dashboardlibrary:block_keyword')}
            value={word}
            maxLength={200}
            autoComplete="off"
            onChange={(event) => setWord(event.target.value)}
            hint={<p className="text-sm text-muted">{t('dashboardlibrary:keywordHint')}</p>}
          />
        ) : (
          <Finder key={type} type={type} found={found} onFound={setFound} />
        )}
        <Field
          label={t('dashboardlibrary:reasonOptional')}
          value={reason}
          maxLength={500}
          autoComplete="off"
          onChange={(event) => setReason(event.target.value)}
        />
        <p className="text-sm text-muted">{t('dashboardlibrary:blockText')}</p>
        {refused && (
          <p role="alert" className="text-sm text-danger">
            {t(refused)}
          </p>
        )}
        <div className="flex justify-end gap-3">
          <Action onClick={onClose}>{t('common:cancel')}</Action>
          <Action look="alarm" type="submit" disabled={busy || !ready}>
            {t('dashboardlibrary:block')}
          </Action>
        </div>
      </form>
    </Dialog>
  )
}
