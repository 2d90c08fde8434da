import { useState } from 'react'
import { t, translateDynamicKey } from '../../lib/i18n/t.ts'
import { areSingleKeyShortcutsOn } from '../../lib/single-key-shortcuts.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { SingleKeySwitch } from '../SingleKeySwitch.tsx'

/**
 * Shortcuts: the labels of the keys as printed on an English keyboard, and the translation key of the description. A
 * label that differs on keyboards of other languages is translated; its translation key is `watch:key_` followed by the
 * English label.
 */
const SHORTCUTS = [
  [['Space', 'K', 'Enter'], 'keyPlay'],
  [['←', '→', 'J', 'L'], 'keySkip'],
  [['Shift', '←', '→'], 'keyShortSkip'],
  [['↑', '↓'], 'keyVolume'],
  [['M'], 'mute'],
  [['F'], 'fullscreen'],
  [['Esc'], 'keyEscape'],
  [['S'], 'skipIntro'],
  [['PgUp', 'PgDn'], 'keyChapter'],
  [['C'], 'keyCaptions'],
  [['G', 'H'], 'keyCaptionDelay'],
  [['Shift', 'N'], 'next'],
  [['Shift', 'P'], 'previous'],
  [['0', '–', '9'], 'keyJump'],
  [['Home', 'End'], 'keyEnds'],
  [[',', '.'], 'keyFrame'],
  [['<', '>'], 'speed'],
  [['I'], 'info'],
  [['E'], 'episodes'],
  [['?'], 'keys'],
] as const

/**
 * Returns the labels of the keys that work. Arrow keys and keys with a name, such as `Space`, always work. Other keys
 * work only while single-key shortcuts are on. `Shift` is left out if no other key of the shortcut works.
 */
function listActiveKeyLabels(keyLabels: readonly string[], areSingleKeysOn: boolean): readonly string[] {
  if (areSingleKeysOn) return keyLabels
  const activeLabels = keyLabels.filter((label) => label.length > 1 || /[←→↑↓]/.test(label))
  return activeLabels.length === 1 && activeLabels[0] === 'Shift' ? [] : activeLabels
}

/** Lists the keys of the player. A key that is off is not listed, and a shortcut without keys is shown as off. */
export default function KeyboardShortcutsDialog({ onClose }: { onClose: () => void }) {
  const [areSingleKeysOn, setAreSingleKeysOn] = useState(areSingleKeyShortcutsOn)
  const shortcuts = SHORTCUTS.map(([keyLabels, messageKey]) => ({
    messageKey,
    keyLabels: listActiveKeyLabels(keyLabels, areSingleKeysOn),
  }))
  return (
    <Dialog isWide title={t('watch:keys')} closeLabel={t('common:close')} onClose={onClose}>
      <SingleKeySwitch label={t('watch:singleKeys')} onChange={setAreSingleKeysOn} />
      <dl className="grid gap-x-8 gap-y-2 md:grid-cols-2">
        {shortcuts.map(({ keyLabels, messageKey }) => (
          <div
            key={messageKey}
            className="flex items-center justify-between gap-4 border-b border-line py-1.5"
          >
            <dt className="text-muted">{t(`watch:${messageKey}`)}</dt>
            <dd dir={keyLabels.length > 0 ? 'ltr' : undefined} className="flex shrink-0 gap-1">
              {keyLabels.length === 0 && <span className="text-sm text-muted">{t('watch:keyOff')}</span>}
              {keyLabels.map((keyLabel) => (
                <kbd
                  key={keyLabel}
                  className="grid min-w-8 place-items-center rounded-sm border border-line bg-overlay px-2 font-sans text-sm"
                >
                  {translateDynamicKey(`watch:key_${keyLabel}`, keyLabel)}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
