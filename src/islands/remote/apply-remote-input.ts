/** Applies what the phone sends: a command becomes the key of a remote control, a text the content of the focused field. */
import type { RemoteCommand } from '../../lib/rules/remote-commands.ts'
import type { RemoteInput } from '../../lib/stores/remote-television.ts'
import { showToast } from '../../lib/stores/toast.ts'
import { setRemoteControlled } from '../navigation-state.ts'
import { pressKey } from './press-key.ts'

/** Longer than a long press (media/long-press.ts). */
const HOLD_MS = 600

/**
 * The keys that television remotes send. The volume keys have names of this site, so that a television never changes
 * its volume as well.
 */
const KEYS: Record<RemoteCommand, string> = {
  up: 'ArrowUp',
  down: 'ArrowDown',
  left: 'ArrowLeft',
  right: 'ArrowRight',
  ok: 'Enter',
  hold_ok: 'Enter',
  back: 'GoBack',
  play_pause: 'MediaPlayPause',
  rewind: 'MediaRewind',
  forward: 'MediaFastForward',
  captions: 'c',
  volume_up: 'PhoneVolumeUp',
  volume_down: 'PhoneVolumeDown',
}
/** Commands that are sent only to the player. Elsewhere, these letters would be typed or open the search. */
const PLAYER_COMMANDS: readonly RemoteCommand[] = ['captions']

export function applyRemoteInput(input: RemoteInput): void {
  setRemoteControlled(true)
  if ('text' in input) {
    if (!replaceFieldText(input.text)) showToast('common:noFieldForText', { kind: 'bad' })
    return
  }
  const { command } = input
  if (PLAYER_COMMANDS.includes(command) && !document.querySelector('video')) return
  pressKey(KEYS[command], command === 'hold_ok' ? HOLD_MS : 0)
}

const TEXT_FIELD = 'textarea,input:not([type=checkbox],[type=radio],[type=range],[type=file],[type=button])'

/** Returns false when no text field has the focus. */
function replaceFieldText(text: string): boolean {
  const field = document.activeElement
  const isField = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement
  if (!isField || !field.matches(TEXT_FIELD) || field.disabled || field.readOnly) return false
  const prototype =
    field instanceof HTMLInputElement ? HTMLInputElement.prototype : HTMLTextAreaElement.prototype
  // React replaces the setter of the element to notice changes, so that of the prototype is called, as a key press does.
  const setValue = Object.getOwnPropertyDescriptor(prototype, 'value')?.set
  setValue?.call(field, field.maxLength > 0 ? text.slice(0, field.maxLength) : text)
  field.dispatchEvent(
    new InputEvent('input', { bubbles: true, inputType: 'insertReplacementText', data: text }),
  )
  field.dispatchEvent(new Event('change', { bubbles: true }))
  return true
}
