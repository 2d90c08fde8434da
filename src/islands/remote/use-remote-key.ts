import { type MouseEvent, type PointerEvent, useEffect, useRef } from 'react'
import type { RemoteCommand } from '../../lib/rules/remote-commands.ts'
import { repeatCommand, sendCommand } from '../../lib/stores/remote-phone.ts'

/**
 * Time until a held key repeats, as on a remote control. Holding OK for this time opens the preview of a title.
 */
const HOLD_DELAY_MS = 500
const REPEAT_INTERVAL_MS = 150
const REPEATED_COMMANDS: readonly RemoteCommand[] = [
  'up',
  'down',
  'left',
  'right',
  'rewind',
  'forward',
  'volume_up',
  'volume_down',
]

/**
 * Returns the event handlers of a key. OK is sent when the key is released, or as a held OK after
 * HOLD_DELAY_MS. All other commands are sent when the pointer goes down. Those in REPEATED_COMMANDS are sent repeatedly
 * while the key is held.
 */
export function useRemoteKey(command: RemoteCommand) {
  const timerRef = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const stopRepeating = () => {
    clearTimeout(timerRef.current)
    timerRef.current = undefined
  }
  useEffect(() => () => clearTimeout(timerRef.current), [])
  const pressKey = ({ button }: PointerEvent) => {
    if (button !== 0) return
    stopRepeating()
    if (command === 'ok') {
      timerRef.current = setTimeout(() => {
        timerRef.current = undefined
        void sendCommand('hold_ok')
      }, HOLD_DELAY_MS)
      return
    }
    void sendCommand(command)
    if (!REPEATED_COMMANDS.includes(command)) return
    const repeatKey = () => {
      repeatCommand(command)
      timerRef.current = setTimeout(repeatKey, REPEAT_INTERVAL_MS)
    }
    timerRef.current = setTimeout(repeatKey, HOLD_DELAY_MS)
  }
  const releaseKey = () => {
    if (command === 'ok' && timerRef.current !== undefined) void sendCommand('ok')
    stopRepeating()
  }
  return {
    onPointerDown: pressKey,
    onPointerUp: releaseKey,
    onPointerLeave: stopRepeating,
    onPointerCancel: stopRepeating,
    onContextMenu: (event: MouseEvent) => event.preventDefault(),
    /** Handles clicks without a pointer, from a keyboard or a screen reader. */
    onClick: ({ detail }: MouseEvent) => {
      if (detail === 0) void sendCommand(command)
    },
  }
}
