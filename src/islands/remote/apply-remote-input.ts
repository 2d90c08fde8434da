/**
 * Applies the input of the phone. A command becomes a key press. A text replaces the content of the focused
 * field.
 */
import type { RemoteCommand } from '../../lib/rules/remote-commands.ts'
import type { RemoteInput } from '../../lib/stores/remote-television.ts'
import { showToast } from '../../lib/stores/toast.ts'
import { setRemoteControlMode } from '../navigation-state.ts'
import { pressKey } from './press-key.ts'

/** Duration of a held OK key. It is longer than a long press (media/long-press.ts). */
const OK_HOLD_MS = 600

/**
 * The key of each command. Most of them are keys that television remotes send. The volume keys have names that only
 * this site uses, so that the volume keys of the television's own remote do not change the volume of the player too.
 */
const KEYS_BY_COMMAND: Record<RemoteCommand, string> = {
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
/**
 * Commands that are applied only in the player, because their keys are letters. On other pages, a letter would be typed
 * into a field or open the search.
 */
const PLAYER_COMMANDS: readonly RemoteCommand[] = ['captions']

export function applyRemoteInput(input: RemoteInput): void {
  setRemoteControlMode(true)
  if ('text' in input) {
    if (!replaceFieldText(input.text)) showToast('common:noFieldForText', { kind: 'bad' })
    return
  }
  const { command } = input
  if (PLAYER_COMMANDS.includes(command) && !document.querySelector('video')) return
  pressKey(KEYS_BY_COMMAND[command], command === 'hold_ok' ? OK_HOLD_MS : 0)
}

const WRITABLE_FIELD_SELECTOR =
  'textarea,input:not([type=checkbox],[type=radio],[type=range],[type=file],[type=button])'

/** Replaces the text of the focused field. Returns false if no editable text field has the focus. */
function replaceFieldText(text: string): boolean {
  const field = document.activeElement
  const isTextField = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement
  if (!isTextField || !field.matches(WRITABLE_FIELD_SELECTOR) || field.disabled || field.readOnly)
    return false
  const prototype =
    field instanceof HTMLInputElement ? HTMLInputElement.prototype : HTMLTextAreaElement.prototype
  // The setter of the prototype is called, because React overrides the setter of the element to detect
  // changes made by scripts.
  const setNativeValue = Object.getOwnPropertyDescriptor(prototype, 'value')?.set
  setNativeValue?.call(field, field.maxLength > 0 ? text.slice(0, field.maxLength) : text)
  field.dispatchEvent(
    new InputEvent('input', { bubbles: true, inputType: 'insertReplacementText', data: text }),
  )
  field.dispatchEvent(new Event('change', { bubbles: true }))
  return true
}
