import { type FormEvent, type ReactNode, useState } from 'react'
import { CalendarDays, Check, History, ListChecks, Repeat, Rocket, Trash2 } from '../../icons/index.ts'
import type { ViewingScope } from '../../lib/contract/viewings.ts'
import type { TranslationKey } from '../../lib/i18n/keys.ts'
import { getCurrentLocale, t } from '../../lib/i18n/t.ts'
import { href } from '../../lib/routes.ts'
import { removeFromHistory } from '../../lib/stores/history-edits.ts'
import { $hasRestrictedViewer } from '../../lib/stores/parent.ts'
import { type MarkOptions, markSeen } from '../../lib/stores/viewings.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { DialogActions } from '../../ui/DialogActions.tsx'
import { menuItemClass } from '../../ui/Menu.tsx'
import { StepFocus } from '../../ui/StepFocus.tsx'
import { DayField } from './DayField.tsx'

interface Props {
  /** Name of the title, season or episode. */
  name: string
  scope: ViewingScope
  isSeen: boolean
  /** Number of times that the movie or episode was seen; undefined if it is not known, and for several episodes. */
  seenCount?: number | undefined
  onClose: () => void
}

/** All options for marking a title, season or episode as seen, and for removing it from the history. */
export function SeenOptionsDialog({ name, scope, isSeen, seenCount = 0, onClose }: Props) {
  const [isChoosingDay, setIsChoosingDay] = useState(false)
  const markScope = (options: MarkOptions, markedScope = scope) => {
    onClose()
    void markSeen([markedScope], { again: isSeen, ...options })
  }
  const markUntilHere = () => markScope({ again: false }, { ...scope, scope: 'up_to' })
  const removeViewings = () => {
    onClose()
    void removeFromHistory({ scopes: [scope] })
  }
  return (
    <Dialog title={name} closeLabel={t('common:close')} onClose={onClose}>
      <StepFocus step={isChoosingDay ? 'day' : 'options'} />
      {isChoosingDay ? (
        <DayForm onSubmit={(day) => markScope({ date: 'chosen', day })} />
      ) : (
        <div className="flex flex-col">
          {seenCount > 1 && (
            <p className="px-3 pb-2 text-sm text-muted">{t('seen:times', { count: seenCount })}</p>
          )}
          <SeenOption
            hasInitialFocus
            icon={isSeen ? <Repeat aria-hidden size={20} /> : <Check aria-hidden size={20} />}
            labelKey={isSeen ? 'seen:again' : 'seen:now'}
            onClick={() => markScope({})}
          />
          {scope.scope === 'episode' && (
            <SeenOption
              icon={<ListChecks aria-hidden size={20} className="rtl:-scale-x-100" />}
              labelKey="seen:upToHere"
              onClick={markUntilHere}
            />
          )}
          <SeenOption
            icon={<Rocket aria-hidden size={20} />}
            labelKey="seen:onRelease"
            onClick={() => markScope({ date: 'release' })}
          />
          <SeenOption
            icon={<CalendarDays aria-hidden size={20} />}
            labelKey="seen:onDay"
            onClick={() => setIsChoosingDay(true)}
          />
          {isSeen && (
            <a
              className={menuItemClass}
              href={href('history', getCurrentLocale(), {
                query: { title: `${scope.type}-${scope.media_id}` },
              })}
            >
              <History aria-hidden size={20} />
              {t('seen:showHistory')}
            </a>
          )}
          {isSeen && !$hasRestrictedViewer.get() && (
            <SeenOption
              icon={<Trash2 aria-hidden size={20} />}
              labelKey="seen:remove"
              onClick={removeViewings}
            />
          )}
        </div>
      )}
    </Dialog>
  )
}

function DayForm({ onSubmit }: { onSubmit: (day: string) => void }) {
  const submitForm = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    onSubmit(String(new FormData(event.currentTarget).get('day')))
  }
  return (
    <form className="flex flex-col gap-4" onSubmit={submitForm}>
      <DayField />
      <DialogActions>
        <Button type="submit" variant="primary">
          {t('common:markSeen')}
        </Button>
      </DialogActions>
    </form>
  )
}

interface SeenOptionProps {
  icon: ReactNode
  labelKey: TranslationKey
  onClick: () => void
  hasInitialFocus?: boolean
}

function SeenOption({ icon, labelKey, onClick, hasInitialFocus = false }: SeenOptionProps) {
  return (
    <button
      type="button"
      className={menuItemClass}
      onClick={onClick}
      {...(hasInitialFocus && { 'data-first': true })}
    >
      {icon}
      {t(labelKey)}
    </button>
  )
}
