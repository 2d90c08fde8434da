import { type FormEvent, useState } from 'react'
import type { TranslationKey } from '../../../lib/i18n/keys.ts'
import { t } from '../../../lib/i18n/t.ts'
import {
  addBlockEntry,
  BLOCK_TYPES,
  type BlockCandidate,
  type BlockType,
} from '../../../lib/stores/admin/blocklist.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Field } from '../../../ui/Field.tsx'
import { Select } from '../../../ui/Select.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { FormActions } from '../kit/FormActions.tsx'
import { TitleOrPersonSearch } from './TitleOrPersonSearch.tsx'

/** Dialog to block a title, a person or a keyword for all users. */
export function BlockDialog({ onClose }: { onClose: () => void }) {
  const [type, setType] = useState<BlockType>('movie')
  const [selectedMatch, setSelectedMatch] = useState<BlockCandidate | null>(null)
  const [keyword, setKeyword] = useState('')
  const [reason, setReason] = useState('')
  const [isSubmitting, runAction] = useAction()
  const [errorKey, setErrorKey] = useState<TranslationKey | null>(null)
  const isComplete = type === 'keyword' ? keyword.trim() !== '' : selectedMatch !== null
  const submitBlockEntry = async () => {
    const failureKey = await addBlockEntry({
      type,
      ...(type === 'keyword' ? { value: keyword.trim() } : { media_id: selectedMatch?.id ?? '' }),
      ...(reason.trim() && { reason: reason.trim() }),
    })
    if (failureKey) setErrorKey(failureKey)
    else onClose()
  }
  const submitForm = (event: FormEvent) => {
    event.preventDefault()
    void runAction(submitBlockEntry)
  }
  return (
    <Dialog title={t('dashboardlibrary:addBlock')} closeLabel={t('common:close')} onClose={onClose}>
      <form onSubmit={submitForm} className="flex flex-col gap-5">
        <Select
          label={t('dashboardlibrary:type')}
          value={type}
          options={BLOCK_TYPES.map((value) => ({ value, label: t(`dashboardlibrary:block_${value}`) }))}
          onChange={(newBlockType) => {
            setType(newBlockType)
            setSelectedMatch(null)
          }}
        />
        {type === 'keyword' ? (
          <Field
            label={t('dashboardlibrary:block_keyword')}
            value={keyword}
            maxLength={200}
            autoComplete="off"
            onChange={(event) => setKeyword(event.target.value)}
            hint={<p className="text-sm text-muted">{t('dashboardlibrary:keywordHint')}</p>}
          />
        ) : (
          <TitleOrPersonSearch
            key={type}
            type={type}
            selectedMatch={selectedMatch}
            onSelect={setSelectedMatch}
          />
        )}
        <Field
          label={t('dashboardlibrary:reasonOptional')}
          value={reason}
          maxLength={500}
          autoComplete="off"
          onChange={(event) => setReason(event.target.value)}
        />
        <p className="text-sm text-muted">{t('dashboardlibrary:blockText')}</p>
        <FormActions
          errorKey={errorKey}
          isSubmitting={isSubmitting}
          isFormIncomplete={!isComplete}
          submitLabel={t('dashboardlibrary:block')}
          variant="alarm"
          onCancel={onClose}
        />
      </form>
    </Dialog>
  )
}
