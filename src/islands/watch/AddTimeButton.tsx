import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { Plus } from '../../icons/index.ts'
import { createEditKey } from '../../lib/client/edit-key.ts'
import { t } from '../../lib/i18n/t.ts'
import { ADDED_MINUTES_CHOICES } from '../../lib/rules/added-viewing-time.ts'
import { addViewingTimeWithPin } from '../../lib/stores/parent-pin.ts'
import { $hasParentPin } from '../../lib/stores/watch-requests.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { ParentPinForm } from '../profiles/ParentPinForm.tsx'

/** Button with which a parent adds viewing time on the device of the child. Absent if no PIN opens the main profile. */
export default function AddTimeButton() {
  const [isOpen, setIsOpen] = useState(false)
  if (!useStore($hasParentPin)) return null
  return (
    <>
      <Button icon={<Plus aria-hidden size={20} />} onClick={() => setIsOpen(true)}>
        {t('viewingtime:addHere')}
      </Button>
      {isOpen && <AddTimeDialog onClose={() => setIsOpen(false)} />}
    </>
  )
}

function AddTimeDialog({ onClose }: { onClose: () => void }) {
  const [minutes, setMinutes] = useState<number>(ADDED_MINUTES_CHOICES[0])
  const [additionKey] = useState(createEditKey)
  return (
    <Dialog title={t('viewingtime:addHere')} closeLabel={t('common:close')} onClose={onClose}>
      <p className="text-muted">{t('viewingtime:addHereHint')}</p>
      <div className="flex flex-wrap gap-2">
        {ADDED_MINUTES_CHOICES.map((option) => (
          <Button
            key={option}
            variant={minutes === option ? 'primary' : 'plain'}
            aria-pressed={minutes === option}
            className="px-4"
            onClick={() => setMinutes(option)}
          >
            {t('viewingtime:minutes', { count: option })}
          </Button>
        ))}
      </div>
      <ParentPinForm
        onSubmit={(pin) =>
          addViewingTimeWithPin({ minutes, key: `${additionKey}-${minutes}`, pin }).then(onClose)
        }
      />
    </Dialog>
  )
}
