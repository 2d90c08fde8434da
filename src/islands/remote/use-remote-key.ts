import { type MouseEvent, type PointerEvent, useEffect, useRef } from 'react'
import type { RemoteCommand } from '../../lib/rules/remote-commands.ts'
import { repeatCommand, sendCommand } from '../../lib/stores/remote-phone.ts'

/**
 * Time until a held key repeats, as on a remote control. Holding OK for this time opens the menu of a title.
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
 * HOLD_DELAY_MS. All other commands are sent when the pointer goes down.
 */
export function useRemoteKey(command: RemoteCommand) {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const stop = () => {
    clearTimeout(timer.current)
    timer.current = undefined
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  const press = ({ button }: PointerEvent) => {
    if (button !== 0) return
    stop()
    if (command === 'ok') {
      timer.current = setTimeout(() => {
        timer.current = undefined
        void sendCommand('hold_ok')
      }, HOLD_DELAY_MS)
      return
    }
    void sendCommand(command)
    if (!REPEATED_COMMANDS.includes(command)) return
    const repeat = () => {
      repeatCommand(command)
      timer.current = setTimeout(repeat, REPEAT_INTERVAL_MS)
    }
    timer.current = setTimeout(repeat, HOLD_DELAY_MS)
  }
  const release = () => {
    if (command === 'ok' && timer.current !== undefined) void sendCommand('ok')
    stop()
  }
  return {
    onPointerDown: press,
    onPointerUp: release,
    onPointerLeave: stop,
    onPointerCancel: stop,
    onContextMenu: (event: MouseEvent) => event.preventDefault(),
    /** Handles clicks without a pointer, from a keyboard or a screen reader. */
    onClick: ({ detail }: MouseEvent) => {
      if (detail === 0) void sendCommand(command)
    },
  }
}
